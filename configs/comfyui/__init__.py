# SPDX-License-Identifier: MIT
"""Nodes of ComfyUI that render MikuMikuDance films with the program `odori`.

Copy or link this directory to ComfyUI/custom_nodes/odori, and install the package configs/python
(pip install ./configs/python).  README.md describes the nodes.
"""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Dict, List, Mapping, Tuple

import numpy
import torch

import odori

try:  # the bar of a node, and the button that stops a run
    from comfy.model_management import throw_exception_if_processing_interrupted
    from comfy.utils import ProgressBar
except ImportError:
    ProgressBar = None

    def throw_exception_if_processing_interrupted() -> None:
        pass


Job = Mapping[str, Any]
CATEGORY = "odori"


def report(total: int) -> Callable[[odori.Progress], None]:
    """What shows the progress of a film, and ends it when the user stops the run."""
    bar = ProgressBar(total) if ProgressBar else None

    def show(progress: odori.Progress) -> None:
        throw_exception_if_processing_interrupted()
        if bar and progress.stage == "render" and progress.total:
            bar.update_absolute(progress.done, progress.total)

    return show


def image(pixels: Any) -> Any:
    """An IMAGE without its batch: float32 [rows, columns, 3] of 0..1, without alpha."""
    values = numpy.asarray(pixels, dtype=numpy.float32) / numpy.float32(255)
    if values.ndim == 2:  # grey
        values = numpy.stack([values] * 3, axis=-1)
    return torch.from_numpy(numpy.ascontiguousarray(values[..., :3]))


def depth_images(depths: List[Any], kind: str) -> List[Any]:
    """Grey images of distances, white where a film is nearest; the same scale for all frames."""
    seen = numpy.concatenate([d[numpy.isfinite(d)] for d in depths])
    if not seen.size:
        return [image(numpy.zeros(d.shape, numpy.uint8)) for d in depths]
    near, far = float(seen.min()), float(seen.max()) * 1.1
    images = []
    for depth in depths:
        if kind == "inverse":
            grey = (1 / depth - 1 / far) / (1 / near - 1 / far)
        else:
            grey = numpy.where(numpy.isfinite(depth), (far - depth) / (far - near), 0)
        images.append(image(numpy.clip(grey, 0, 1) * 255))
    return images


class OdoriJob:
    """A job from a model and its motion; or with a job file, which the other inputs are added to."""

    CATEGORY = CATEGORY
    FUNCTION = "make"
    RETURN_TYPES = ("ODORI_JOB",)
    RETURN_NAMES = ("job",)

    @classmethod
    def INPUT_TYPES(cls) -> Dict[str, Any]:
        path = ("STRING", {"default": ""})
        return {
            "required": {
                "model": path,
                "motion": path,
                "width": ("INT", {"default": 832, "min": 16, "max": 8192, "step": 16}),
                "height": ("INT", {"default": 480, "min": 16, "max": 8192, "step": 16}),
                "fps": ("INT", {"default": 16, "min": 1, "max": 240}),
            },
            "optional": {
                "camera_motion": path,
                "stage": path,
                "shot": (["full", "knee", "waist", "bust", "face"],),
                "more_keys": ("STRING", {"default": "{}", "multiline": True}),
            },
        }

    def make(
        self,
        model: str,
        motion: str,
        width: int,
        height: int,
        fps: int,
        camera_motion: str = "",
        stage: str = "",
        shot: str = "full",
        more_keys: str = "{}",
    ) -> Tuple[Job]:
        dancer: Dict[str, Any] = {"file": model}
        if motion:
            dancer["motions"] = [file.strip() for file in motion.split(",")]
        job: Dict[str, Any] = {
            "version": 1,
            "models": [dancer],
            "camera": {"motion": camera_motion} if camera_motion else {"shot": shot},
            "render": {"size": [width, height], "fps": fps},
        }
        if stage:
            job["stage"] = [{"file": stage}]
        for key, value in json.loads(more_keys or "{}").items():
            both = isinstance(value, dict) and isinstance(job.get(key), dict)
            job[key] = {**job[key], **value} if both else value
        return (job,)


class OdoriJobFile:
    """A job file (.yaml)."""

    CATEGORY = CATEGORY
    FUNCTION = "load"
    RETURN_TYPES = ("ODORI_JOB",)
    RETURN_NAMES = ("job",)

    @classmethod
    def INPUT_TYPES(cls) -> Dict[str, Any]:
        return {"required": {"file": ("STRING", {"default": ""})}}

    @classmethod
    def IS_CHANGED(cls, file: str) -> float:
        return os.path.getmtime(file) if os.path.exists(file) else float("nan")

    def load(self, file: str) -> Tuple[str]:
        return (file,)


class OdoriRender:
    """Renders frames of a job: pictures, and depth, pose, lines and mask of the same frames."""

    CATEGORY = CATEGORY
    FUNCTION = "render"
    RETURN_TYPES = ("IMAGE", "IMAGE", "IMAGE", "IMAGE", "MASK", "STRING", "FLOAT")
    RETURN_NAMES = ("image", "depth", "pose", "line", "mask", "keypoints", "fps")

    @classmethod
    def INPUT_TYPES(cls) -> Dict[str, Any]:
        return {
            "required": {
                "job": ("ODORI_JOB",),
                "first_frame": ("INT", {"default": 0, "min": 0, "max": 10000000}),
                "frames": ("INT", {"default": 81, "min": 1, "max": 100000}),
                "depth": (["inverse", "linear"],),
                "line": (["black on white", "white on black"],),
            },
            "optional": {"masked": ("STRING", {"default": ""})},
        }

    def render(
        self,
        job: Any,
        first_frame: int,
        frames: int,
        depth: str,
        line: str,
        masked: str = "",
    ) -> Tuple[Any, Any, Any, Any, Any, str, float]:
        """masked: the id of a model, for a mask of it alone; empty: of all models without stages."""
        passes = ["beauty", "depth", "pose", "line", "mask-model", "keypoints"]
        span = f"{first_frame}-{first_frame + frames - 1}"
        film = odori.frames(job, passes, frames=span, progress=report(frames))
        labels = film.labels["mask-model"]
        if masked and masked not in labels:
            film.close()
            raise ValueError(f"no model has the id '{masked}'; there are {', '.join(labels)}")
        wanted = [i + 1 for i, name in enumerate(labels) if self._is_wanted(name, masked)]
        pictures, depths, poses, lines, masks, people = [], [], [], [], [], []
        for frame in film:
            throw_exception_if_processing_interrupted()
            pictures.append(image(frame["beauty"]))
            depths.append(frame["depth"])
            poses.append(image(frame["pose"]))
            lines.append(image(frame["line"] if line == "black on white" else 255 - frame["line"]))
            found = numpy.isin(frame["mask-model"], wanted)
            masks.append(torch.from_numpy(found.astype(numpy.float32)))
            people.append(frame["keypoints"])
        grey = depth_images(depths, depth)
        batches = [torch.stack(list(batch)) for batch in (pictures, grey, poses, lines, masks)]
        return (*batches, json.dumps(people), float(film.fps))  # type: ignore[return-value]

    @staticmethod
    def _is_wanted(name: str, masked: str) -> bool:
        return name == masked if masked else not name.startswith("stage-")


NODE_CLASS_MAPPINGS = {
    "OdoriJob": OdoriJob,
    "OdoriJobFile": OdoriJobFile,
    "OdoriRender": OdoriRender,
}
NODE_DISPLAY_NAME_MAPPINGS = {
    "OdoriJob": "Odori: job of a model",
    "OdoriJobFile": "Odori: job file",
    "OdoriRender": "Odori: render",
}
