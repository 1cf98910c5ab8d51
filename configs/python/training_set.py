# SPDX-License-Identifier: MIT
"""A training set: 100 pictures of a dance, and depth, pose, lines, a mask and labels of each.

usage: training_set.py MODEL MOTION DIRECTORY      needs NumPy and Pillow
"""
import json, pathlib, sys
import numpy, odori
from PIL import Image

model, motion, directory = sys.argv[1:4]
out = pathlib.Path(directory)
out.mkdir(parents=True, exist_ok=True)
job = {
    "version": 1,
    "models": [{"file": model, "motions": [motion]}],
    "camera": {"shot": ["full", "knee", "waist", "bust"], "cuts": "1s"},  # another for each frame
    "render": {"size": [512, 512], "fps": 1},  # a frame for each second of the dance
    "passes": {"keypoints": "wholebody"},
}
for frame in odori.frames(job, ["beauty", "depth", "pose", "line", "mask-model", "keypoints"], frames="0-99"):
    near = 1 / frame["depth"]  # 0 where there is nothing
    images = {name: frame[name] for name in ("beauty", "pose", "line")}
    images["depth"] = numpy.interp(near, [0.9 * near[near > 0].min(), near.max()], [0, 255]).astype("uint8")
    images["mask"] = (255 * (frame["mask-model"] > 0)).astype("uint8")
    for name, pixels in images.items():
        Image.fromarray(pixels).save(out / f"{frame.number:05}.{name}.png")
    (out / f"{frame.number:05}.json").write_text(json.dumps(frame["keypoints"]["annotations"]))
