# SPDX-License-Identifier: MIT
"""Frames and passes of MikuMikuDance films as arrays, rendered by the program `odori`.

    import odori

    job = {"version": 1, "models": [{"file": "miku.pmx", "motions": ["dance.vmd"]}]}
    for frame in odori.frames(job, passes=["beauty", "depth", "keypoints"]):
        print(frame.number, frame["beauty"].shape, len(frame["keypoints"]["people"]))

A job is a dict with the keys of a job file (`odori help job`), the path of a job file, or a list of
files: models, motions, a camera, a sound.  `odori help passes` describes the passes.
"""

from .errors import OdoriError, Problem
from .film import PASSES, Film, Frame, Job, Output, check, frames, render, version
from .process import Progress

__all__ = [
    "PASSES",
    "Film",
    "Frame",
    "Job",
    "OdoriError",
    "Output",
    "Problem",
    "Progress",
    "check",
    "frames",
    "render",
    "version",
]
