"""Counts the states of a British Square board in parts, on the workers of a Dask cluster.

    python examples/dask_states.py 6x6 64 FOLDER tcp://scheduler:8786

FOLDER is shared by all workers and keeps the parts, so that a second run counts only those that are missing. Without
an address, two workers are started on this machine. Every worker needs `bsq` on its path, or its path in BSQ.
"""

import os
import subprocess
import sys
from pathlib import Path

from dask.distributed import Client, LocalCluster

BSQ = os.environ.get("BSQ", "bsq")


def count_part(board, part, parts, folder):
    """Counts a part, unless it has been counted. A file with the name of a part is complete."""
    path = Path(folder) / f"{board}-{part}-of-{parts}.part"
    if not path.exists():
        command = [BSQ, "analyze", "states", "--method", "sets", "--board", board, "--quiet", "--threads", "1"]
        subprocess.run([*command, "--part", f"{part}/{parts}", "-o", path], check=True)
    return str(path)


def count_states(client, board, parts, folder, flags=()):
    """Counts all parts on the workers of a client, and returns what `bsq merge` prints."""
    numbers = range(1, parts + 1)
    futures = [client.submit(count_part, board, part, parts, str(folder), retries=2) for part in numbers]
    paths = client.gather(futures)
    return subprocess.run([BSQ, "merge", *flags, *paths], check=True, capture_output=True, text=True).stdout


def main(board, parts, folder, address=None):
    Path(folder).mkdir(parents=True, exist_ok=True)
    cluster = address or LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with Client(cluster) as client:
        print(count_states(client, board, int(parts), folder), end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
