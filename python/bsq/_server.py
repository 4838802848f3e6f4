"""The page and the HTTP API as a process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from types import TracebackType

from bsq._errors import FailedError
from bsq._graph import Graph

__all__ = ["Server", "serve"]

_STOP = 10
"""The seconds in which the server stops."""


class Server:
    """A running server, which stops at the end of a ``with`` block or by :meth:`close`."""

    def __init__(
        self,
        process: subprocess.Popen[str],
        url: str,
        folder: tempfile.TemporaryDirectory[str] | None,
    ) -> None:
        self._process = process
        self._url = url
        self._folder = folder

    @property
    def url(self) -> str:
        """The address of the page."""
        return self._url

    def close(self) -> None:
        """Stop the server."""
        self._process.terminate()
        try:
            self._process.wait(_STOP)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        if self._folder is not None:
            self._folder.cleanup()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<bsq.Server at {self._url}>"

    def _repr_html_(self) -> str:
        return f'<iframe src="{self._url}" width="100%" height="700" title="bsq"></iframe>'


def serve(port: int = 0, *, graph: Graph | None = None, flags: Sequence[str] = ()) -> Server:
    """Start the page and the HTTP API for clients on this machine.

    Parameters
    ----------
    port
        The port; 0 for any free one.
    graph
        A game of :func:`graph` or :func:`solve`, which is served as the game ``graph``.
    flags
        Further flags of ``bsq serve``, such as ``["--memory", "4GiB"]``.

    Raises
    ------
    FailedError
        If the server does not start. The reason is on standard error.

    Examples
    --------
    >>> import bsq, json, urllib.request
    >>> with bsq.serve() as server:
    ...     answer = urllib.request.urlopen(f"{server.url}/api/mnk/position?board=3x3&k=3")
    ...     json.load(answer)["value"]["outcome"]
    'tie'
    """
    line = [sys.executable, "-m", "bsq", "serve", "--port", str(port), *flags]
    folder = None
    if graph is not None:
        folder = tempfile.TemporaryDirectory(prefix="bsq-")
        file = os.path.join(folder.name, "game.csv")
        graph.save(file)
        line += ["--graph", file]
    # The package is this one, whatever the folder contains.
    process = subprocess.Popen(
        line,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONSAFEPATH": "1"},
    )
    first = process.stdout.readline() if process.stdout is not None else ""
    url = first.strip().rpartition(" ")[2]
    server = Server(process, url, folder)
    if not url.startswith("http"):
        server.close()
        message = "the server did not start"
        raise FailedError(message)
    return server
