"""Counts the states of a board with examples/dask_states.py on two worker processes, and kills one in the middle: the
result is the undivided count, byte for byte.

    target/venv/bin/pip install -q -r examples/requirements.txt
    target/venv/bin/python tests/cluster.py
"""

import os
import signal
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "examples"))

import bsq  # noqa: E402
import dask_states  # noqa: E402
from dask.distributed import Client, LocalCluster  # noqa: E402

BOARD, PARTS = "5x6", 24


def kill_in_the_middle(client, folder, killed):
    """Kills a worker once some parts have been counted."""
    while len(list(folder.glob("*.part"))) < PARTS // 4:
        time.sleep(0.01)
    victim = sorted(client.run(os.getpid).values())[0]
    os.kill(victim, signal.SIGKILL)
    killed.append((victim, len(list(folder.glob("*.part")))))


class DaskStates(unittest.TestCase):
    def test_a_killed_worker_does_not_change_the_result(self):
        whole = bsq.game("british-square", board=BOARD).analyze("states").to_csv()
        with (
            tempfile.TemporaryDirectory() as folder,
            LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
            Client(cluster) as client,
        ):
            before, killed = set(client.run(os.getpid).values()), []
            killer = threading.Thread(target=kill_in_the_middle, args=(client, Path(folder), killed), daemon=True)
            killer.start()
            merged = dask_states.count_states(client, BOARD, PARTS, folder)
            killer.join()
            [(victim, counted)] = killed
            self.assertIn(victim, before)
            self.assertLess(counted, PARTS, "the worker was killed too late")
            self.assertEqual(merged.to_csv(), whole)
            # The parts are there, so nothing is counted again.
            self.assertEqual(dask_states.count_states(client, BOARD, PARTS, folder).to_csv(), whole)


if __name__ == "__main__":
    unittest.main()
