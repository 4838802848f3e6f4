"""Counts the states of a British Square board in parts, on the workers of a Dask cluster.

    python examples/dask_states.py 6x6 64 FOLDER tcp://scheduler:8786

FOLDER is shared by all workers and keeps the parts, so that a second run counts only those that are missing. Without
an address, two workers are started on this machine. Every worker needs the package `bsq`.
"""

import os
import sys
from pathlib import Path

import bsq
from dask.distributed import Client, LocalCluster


def count_part(board, part, parts, folder):
    """Counts a part on one thread, unless it has been counted. A file with the name of a part is complete."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    path = Path(folder) / f"{board}-{part}-of-{parts}.part"
    if not path.exists():
        bsq.game("british-square", board=board).analyze("states", method="sets", part=(part, parts)).save(path)
    return str(path)


def count_states(client, board, parts, folder):
    """Counts all parts on the workers of a client, and returns the table of the states."""
    numbers = range(1, parts + 1)
    futures = [client.submit(count_part, board, part, parts, str(folder), retries=2) for part in numbers]
    return bsq.merge(client.gather(futures))


def main(board, parts, folder, address=None):
    Path(folder).mkdir(parents=True, exist_ok=True)
    cluster = address or LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with Client(cluster) as client:
        print(count_states(client, board, int(parts), folder).to_csv(), end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
