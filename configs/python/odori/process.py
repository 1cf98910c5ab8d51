# SPDX-License-Identifier: MIT
"""A running `odori`: its frames, its progress and its end."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import time
from dataclasses import dataclass
from typing import IO, Any, Callable, Dict, List, Optional, Sequence, Union

from .errors import OdoriError, Problem

#: Time that a stopped program has to remove its temporary files, in seconds.
GRACE_S = 10.0


@dataclass(frozen=True)
class Progress:
    """What is done: `done` of `total` (0: not known) steps of a stage, mostly frames."""

    stage: str
    done: int
    total: int
    fps: Optional[float]
    eta_s: Optional[float]


class EndOfStream(Exception):
    """The program has closed its output."""


class Process:
    """Reads both pipes of a program whenever it waits, so that neither can block the other.

    The callback of progress is called by the thread that waits.  Not thread-safe.
    """

    def __init__(
        self,
        command: Sequence[str],
        stdin: Union[IO[bytes], int],
        directory: Optional[Union[str, "os.PathLike[str]"]],
        progress: Optional[Callable[[Progress], object]],
    ) -> None:
        self.command = list(command)
        self.problems: List[Problem] = []
        self.end: Dict[str, Any] = {}
        self._progress = progress
        self._text = b""  # the start of a line of its messages
        self._plain: List[str] = []  # lines that are not JSON
        self._child = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=directory,
        )
        assert self._child.stdout and self._child.stderr
        self._out, self._err = self._child.stdout, self._child.stderr
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._out, selectors.EVENT_READ)
        self._selector.register(self._err, selectors.EVENT_READ)

    def read(self, size: int) -> bytearray:
        """Exactly so many bytes of its output.  Raises EndOfStream if there are fewer."""
        buffer = bytearray(size)
        view, at = memoryview(buffer), 0
        while at < size:
            if self._out not in self._wait(None):
                continue
            count = os.readv(self._out.fileno(), [view[at:]])
            if not count:
                self._selector.unregister(self._out)
                raise EndOfStream
            at += count
        return buffer

    def finish(self) -> None:
        """Waits for the end.  Raises OdoriError if the program failed."""
        try:
            while self._selector.get_map():
                if self._out in self._wait(None) and not self._out.read(1 << 16):
                    self._selector.unregister(self._out)
            status = self._child.wait()
        finally:
            self.close()
        if status:
            raise OdoriError(status, self.problems, self.command, "\n".join(self._plain))

    def close(self) -> None:
        """Ends the program, if it still runs, and waits until it has gone.  May be called again."""
        if self._child.returncode is None and self._child.poll() is None:
            self._progress = None
            self._child.terminate()
        if self._out in self._files():
            self._selector.unregister(self._out)
        self._out.close()
        deadline = time.monotonic() + GRACE_S
        while self._files() and time.monotonic() < deadline:
            self._wait(deadline - time.monotonic())
        try:
            self._child.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._err.close()
        self._selector.close()

    def _files(self) -> List[Any]:
        return [key.fileobj for key in (self._selector.get_map() or {}).values()]

    def _wait(self, timeout: Optional[float]) -> List[Any]:
        """Files with something to read; messages have been read."""
        ready = [key.fileobj for key, _ in self._selector.select(timeout)]
        if self._err in ready:
            data = os.read(self._err.fileno(), 1 << 16)
            if not data:
                self._selector.unregister(self._err)
            lines = (self._text + data).split(b"\n")
            self._text = lines.pop()
            for line in lines:
                self._receive(line.decode("utf-8", "replace"))
        return ready

    def _receive(self, line: str) -> None:
        if not line.startswith('{"v":1,'):
            self._plain.append(line)
            return
        event = json.loads(line)
        name = event["event"]
        if name in ("error", "warning"):
            self.problems.append(Problem.from_json(event, name))
        elif name == "end":
            self.end = event
        elif name in ("stage", "progress") and self._progress:
            done = event["done"] if name == "progress" else event["skipped"]
            self._progress(
                Progress(event["stage"], done, event["total"], event.get("fps"), event.get("eta_s"))
            )
