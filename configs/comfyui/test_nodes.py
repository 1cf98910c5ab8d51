# SPDX-License-Identifier: MIT
"""Tests of the nodes with the program in $ODORI, and stand-ins for ComfyUI, and for PyTorch if it is not installed.

usage: python3 test_nodes.py      in a directory with board.x (tests/cli/tiny.sh)
"""

import importlib.util
import json
import sys
import types
import unittest
from pathlib import Path

import numpy

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "python"))

try:
    import torch
except ImportError:  # arrays of NumPy are its tensors
    torch = types.ModuleType("torch")
    torch.from_numpy = lambda array: array
    torch.stack = numpy.stack
    sys.modules["torch"] = torch


class Stopped(Exception):
    """As comfy.model_management.InterruptProcessingException."""


class ProgressBar:
    steps = []

    def __init__(self, total):
        self.total = total

    def update_absolute(self, value, total=None):
        ProgressBar.steps.append((value, total or self.total))


def throw_exception_if_processing_interrupted():
    if comfy.stop:
        raise Stopped


comfy = types.ModuleType("comfy")
comfy.stop = False
comfy.utils = types.ModuleType("comfy.utils")
comfy.utils.ProgressBar = ProgressBar
comfy.model_management = types.ModuleType("comfy.model_management")
comfy.model_management.throw_exception_if_processing_interrupted = throw_exception_if_processing_interrupted
sys.modules.update({m.__name__: m for m in (comfy, comfy.utils, comfy.model_management)})

spec = importlib.util.spec_from_file_location("nodes", HERE / "__init__.py")
nodes = importlib.util.module_from_spec(spec)
spec.loader.exec_module(nodes)


def call(name, **inputs):
    """As ComfyUI calls a node: with the declared inputs, of which those with a default may be missing."""
    node = nodes.NODE_CLASS_MAPPINGS[name]
    declared = {**node.INPUT_TYPES()["required"], **node.INPUT_TYPES().get("optional", {})}
    assert set(inputs) <= set(declared), set(inputs) - set(declared)
    for key, kind in node.INPUT_TYPES()["required"].items():
        if key not in inputs:
            inputs[key] = kind[0][0] if isinstance(kind[0], list) else kind[1]["default"]
    result = getattr(node(), node.FUNCTION)(**inputs)
    assert len(result) == len(node.RETURN_TYPES) == len(node.RETURN_NAMES)
    return result


class Nodes(unittest.TestCase):
    def setUp(self):
        comfy.stop = False
        keys = {"camera": None, "shadows": {"ground": False}, "render": {"edges": False, "workers": 1}}
        keys["camera"] = {"fixed": {"target": [0, 10, 0], "rotation_deg": [0, 30, 0], "distance": -40, "fov_deg": 40}}
        (self.job,) = call("OdoriJob", model="board.x", width=64, height=32, fps=5, more_keys=json.dumps(keys))
        del self.job["camera"]["shot"]

    def test_batches(self):
        image, depth, pose, line, mask, keypoints, fps = call("OdoriRender", job=self.job, first_frame=0, frames=1)
        for batch in (image, depth, pose, line):
            self.assertEqual(tuple(batch.shape), (1, 32, 64, 3))
            self.assertEqual(str(batch.dtype).split(".")[-1], "float32")
            self.assertTrue(0 <= float(batch.min()) <= float(batch.max()) <= 1)
        self.assertEqual(tuple(mask.shape), (1, 32, 64))
        covered = numpy.asarray(mask[0]) > 0
        grey = numpy.asarray(depth[0])[..., 0]
        self.assertTrue(100 < covered.sum() < 400)
        self.assertEqual(float(grey.max()), 1)  # white where it is nearest, black where there is nothing
        self.assertTrue((grey[~covered] == 0).all() and (grey[covered] > 0).all())
        self.assertEqual(json.loads(keypoints)[0]["people"], [])
        self.assertEqual(fps, 5.0)
        self.assertEqual(ProgressBar.steps[-1], (1, 1))
        lines = {name: call("OdoriRender", job=self.job, frames=1, line=name)[3] for name in
                 ("black on white", "white on black")}
        black, white = (numpy.asarray(lines[name]) for name in ("black on white", "white on black"))
        self.assertTrue(numpy.allclose(black, 1 - white, atol=1e-6))

    def test_masks(self):
        self.job["models"].append({"id": "other", "file": "board.x", "position": [0, 0, 30]})
        self.job["models"][0]["id"] = "first"
        both = numpy.asarray(call("OdoriRender", job=self.job, frames=1)[4])
        one = numpy.asarray(call("OdoriRender", job=self.job, frames=1, masked="first")[4])
        self.assertTrue(0 < one.sum() < both.sum())
        with self.assertRaisesRegex(ValueError, "no model has the id 'third'; there are first, other"):
            call("OdoriRender", job=self.job, frames=1, masked="third")

    def test_stop_and_errors(self):
        comfy.stop = True
        with self.assertRaises(Stopped):
            call("OdoriRender", job=self.job)
        comfy.stop = False
        with self.assertRaisesRegex(nodes.odori.OdoriError, "missing.pmx"):
            call("OdoriRender", job=call("OdoriJob", model="missing.pmx")[0])
        self.assertEqual(call("OdoriJobFile", file="tiny.yaml"), ("tiny.yaml",))
        self.assertEqual(nodes.OdoriJobFile.IS_CHANGED("tiny.yaml"), Path("tiny.yaml").stat().st_mtime)

    def test_depths(self):
        depths = [numpy.array([[2.0, 4.0]], "float32"), numpy.array([[numpy.inf, 2.0]], "float32")]
        inverse = numpy.stack([numpy.asarray(d)[..., 0] for d in nodes.depth_images(depths, "inverse")])
        far = 4.4
        middle = (1 / 4 - 1 / far) / (1 / 2 - 1 / far)
        self.assertTrue(numpy.allclose(inverse, [[[1, middle]], [[0, 1]]], atol=1e-5))
        linear = numpy.stack([numpy.asarray(d)[..., 0] for d in nodes.depth_images(depths, "linear")])
        self.assertTrue(numpy.allclose(linear, [[[1, 0.4 / 2.4]], [[0, 1]]], atol=1e-5))


if __name__ == "__main__":
    unittest.main()
