# SPDX-License-Identifier: MIT
"""What is wrong with a job, and the exception for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence


@dataclass(frozen=True)
class Problem:
    """An error or a warning of the program.

    code is the class of a warning, or the kind of an error: job, missing, data, resource, ...
    file is "<stdin>" for a job that is a dict; lines are then those of its JSON, which has one for
    each value.
    """

    severity: str  # "error" or "warning"
    code: Optional[str]
    file: Optional[str]
    line: Optional[int]
    column: Optional[int]
    message: str
    hint: Optional[str]

    @classmethod
    def from_json(cls, data: Mapping[str, Any], severity: str) -> Problem:
        place = (data["file"], data["line"], data["column"])
        return cls(severity, data["code"], *place, data.get("text", data["message"]), data["hint"])

    def __str__(self) -> str:
        place = self.file or ""
        if self.line:
            place += f":{self.line}:{self.column}"
        hint = f"; {self.hint}" if self.hint else ""
        return f"{place}: {self.message}{hint}" if place else self.message + hint


class OdoriError(RuntimeError):
    """The program failed.

    status is its exit status (`man odori`): 78 an invalid job, 66 a missing input, 65 a damaged
    one, 69 no memory or encoder, 75 stopped; negative: it was ended by this signal.
    file, line and column are those of the first error, or None.
    """

    def __init__(
        self, status: int, problems: Sequence[Problem], command: Sequence[str], text: str = ""
    ) -> None:
        self.status = status
        self.problems = [p for p in problems if p.severity == "error"]
        self.warnings = [p for p in problems if p.severity != "error"]
        self.command = list(command)
        first = self.problems[0] if self.problems else None
        self.file = first.file if first else None
        self.line = first.line if first else None
        self.column = first.column if first else None
        shown = "\n".join(str(p) for p in self.problems) or text.strip()
        super().__init__(shown or f"{self.command[0]}: exit status {status}")
