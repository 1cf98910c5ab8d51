# SPDX-License-Identifier: MIT
"""Jobs, the frames of their films, and films as files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from typing import (
    IO,
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    NoReturn,
    Optional,
    Sequence,
    Tuple,
    Union,
)

from .errors import OdoriError, Problem
from .process import EndOfStream, Process, Progress
from .stream import Array, array_of, read_members

Path = Union[str, "os.PathLike[str]"]

#: A job as a dict, the path of a job file, or files: models, motions, a camera, a sound.
Job = Union[Mapping[str, Any], Path, Sequence[Path]]

#: All passes (`odori help passes`).
PASSES = (
    "beauty",  # uint8 RGB, or RGBA with background: { alpha: true }
    "depth",  # float32, distance along the view in MMD units; inf where there is no surface
    "normal",  # uint8 RGB, view space
    "mask-model",  # uint16, labels from 1; Film.labels["mask-model"][label - 1] is the model's id
    "mask-material",  # uint16, likewise "id/name of the material"
    "line",  # uint8, black on white
    "shadow",  # uint8, white where all light arrives
    "pose",  # uint8 RGB, the stick figure of ControlNet
    "motion",  # float32, four channels: x, y to the frame before, and from the next one; y is up
    "keypoints",  # dict, in the format of the job's key passes.keypoints
    "camera",  # dict: world_to_camera, world_to_ndc for row vectors, focal_px, center_px
)


@dataclass(frozen=True)
class Frame:
    """A frame of a film: frame["depth"] is a pass."""

    number: int
    time_s: float  # in the film
    passes: Dict[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.passes[name]


@dataclass(frozen=True)
class Output:
    """A file that was written."""

    file: str
    bytes: Optional[int]


def _program(program: Optional[Path]) -> str:
    name = os.fspath(program or os.environ.get("ODORI") or "odori")
    found = shutil.which(name)
    if not found:
        raise FileNotFoundError(f"the program '{name}' is not installed; $ODORI can name it")
    return os.path.abspath(found)


def _operands(job: Job) -> List[str]:
    """What names the job on the command line: "-" is standard input."""
    if isinstance(job, Mapping):
        return ["-"]
    if isinstance(job, (str, os.PathLike)):
        return [os.fspath(job)]
    return [os.fspath(file) for file in job]


def _input(job: Job) -> IO[bytes]:
    """Standard input: the job as JSON, which YAML includes, with a line for each value."""
    file = tempfile.TemporaryFile()
    if isinstance(job, Mapping):
        file.write(json.dumps(job, indent=1, ensure_ascii=False, default=os.fspath).encode())
        file.seek(0)
    return file


def _settings(settings: Optional[Mapping[str, Any]]) -> List[str]:
    flags = []
    for key, value in (settings or {}).items():
        flags += ["--set", f"{key}={json.dumps(value, ensure_ascii=False, default=os.fspath)}"]
    return flags


def _start(
    job: Job,
    flags: Sequence[str],
    program: Optional[Path],
    directory: Optional[Path],
    progress: Optional[Callable[[Progress], object]],
) -> Process:
    command = [_program(program), "render", *_operands(job), "--progress", "json", *flags]
    with _input(job) as stdin:
        return Process(command, stdin, directory, progress)


class Film:
    """The frames of a film, which are rendered while they are taken.

    A for loop, or a with statement, ends the program however it is left.  A film can be gone
    through once.
    """

    def __init__(self, process: Process) -> None:
        self._process = process
        self._members = read_members(process.read)
        name, data = self._next()
        if name != "__film__":
            raise ValueError(f"the archive begins with '{name}'")
        self._film: Dict[str, Any] = json.loads(bytes(data))
        #: Labels of the passes mask-model and mask-material, from label 1.
        self.labels: Dict[str, List[str]] = {
            p["name"]: p["labels"] for p in self._film["passes"] if "labels" in p
        }
        self.passes: List[str] = [p["name"] for p in self._film["passes"]]
        self.width: int = self._film["width"]
        self.height: int = self._film["height"]
        self.fps = Fraction(*self._film["fps"])

    def __len__(self) -> int:
        """The number of all frames."""
        return int(self._film["frames"])

    def __enter__(self) -> Film:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Frame]:
        try:
            for _ in range(len(self)):
                yield self._frame()
            self._process.read(2 * 512)  # the end of the archive
            self._process.finish()
        except EndOfStream:
            self._fail()
        finally:
            self.close()

    @property
    def warnings(self) -> List[Problem]:
        """The warnings so far."""
        return [p for p in self._process.problems if p.severity == "warning"]

    def close(self) -> None:
        """Ends the program, if it still runs.  May be called again."""
        self._process.close()

    def _next(self) -> Tuple[str, bytearray]:
        try:
            return next(self._members)
        except EndOfStream:
            self._fail()
        except BaseException:
            self._process.close()
            raise

    def _frame(self) -> Frame:
        passes: Dict[str, Any] = {}
        number = 0
        for _ in self.passes:
            name, data = self._next()
            frame, key, extension = name.split(".")
            number = int(frame)
            passes[key] = json.loads(bytes(data)) if extension == "json" else array_of(data)
        return Frame(number, float(number / self.fps), passes)

    def _fail(self) -> NoReturn:
        self._process.finish()
        raise OdoriError(0, [], self._process.command, "the archive ends too early")


def frames(
    job: Job,
    passes: Sequence[str] = ("beauty",),
    *,
    frames: Optional[str] = None,
    settings: Optional[Mapping[str, Any]] = None,
    progress: Optional[Callable[[Progress], object]] = None,
    directory: Optional[Path] = None,
    program: Optional[Path] = None,
) -> Film:
    """Renders a film and returns its frames, in their order, with the given passes.

    frames      a part of the film: "0-99", "5s-10s" (flag --frames)
    settings    keys that override those of the job: {"render.size": [640, 360]} (flag --set)
    progress    is called with Progress while it waits for frames
    directory   to which paths are relative in a job that is a dict; default: the current one
    program     path of odori; default: $ODORI, else the one that is installed

    Raises OdoriError, now or while frames are taken.
    """
    unknown = [name for name in passes if name not in PASSES]
    if unknown or not passes:
        raise ValueError(f"passes: {unknown or 'none'}; known are {', '.join(PASSES)}")
    flags = ["-o", "-", "--output-format", "tar", *_settings(settings)]
    flags += _settings({"outputs.0.passes": list(dict.fromkeys(passes))})
    flags += ["--frames", frames] if frames else []
    return Film(_start(job, flags, program, directory, progress))


def render(
    job: Job,
    *,
    frames: Optional[str] = None,
    settings: Optional[Mapping[str, Any]] = None,
    progress: Optional[Callable[[Progress], object]] = None,
    directory: Optional[Path] = None,
    program: Optional[Path] = None,
) -> List[Output]:
    """Renders the outputs of a job to their files, and returns them; as frames() otherwise."""
    flags = _settings(settings) + (["--frames", frames] if frames else [])
    process = _start(job, flags, program, directory, progress)
    process.finish()
    return [Output(o["file"], o["bytes"]) for o in process.end.get("outputs", [])]


def check(
    job: Job, *, directory: Optional[Path] = None, program: Optional[Path] = None
) -> List[Problem]:
    """Loads every asset of a job and returns all problems; without an "error" it can be rendered."""
    command = [_program(program), "check", *_operands(job), "--json"]
    with _input(job) as stdin:
        done = subprocess.run(command, stdin=stdin, capture_output=True, cwd=directory, check=False)
    try:
        problems = json.loads(done.stdout)["problems"]
    except ValueError:
        text = done.stderr.decode("utf-8", "replace")
        raise OdoriError(done.returncode, [], command, text) from None
    return [Problem.from_json(p, p["severity"]) for p in problems]


def version(program: Optional[Path] = None) -> Dict[str, Any]:
    """The versions of the program and its libraries."""
    command = [_program(program), "version", "--json"]
    done = subprocess.run(command, capture_output=True, check=True)
    data: Dict[str, Any] = json.loads(done.stdout)
    return data
