"""Directions of limbs of a BVH file and of `odori pose`: python3 limb_check.py FILE.bvh POSE.json SLIDE

Both are evaluated at 30 frames a second.  Limbs must agree within 0.5 degrees at every frame of the pose, and
the lower ankle of the model must stay within SLIDE units of its height when it stands.
"""
import json
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from export_check import Bvh  # noqa: E402

LIMBS = [("Arm", "ForeArm", "腕", "ひじ"), ("ForeArm", "Hand", "ひじ", "手首"),
         ("UpLeg", "Leg", "足", "ひざ"), ("Leg", "Foot", "ひざ", "足首")]


def direction(a, b):
    d = [y - x for x, y in zip(a, b)]
    length = math.hypot(*d)
    return [x / length for x in d]


def main():
    bvh = Bvh(sys.argv[1])
    pose = json.load(open(sys.argv[2], encoding="utf-8"))
    index = {b["name"]: b["i"] for b in pose["bones"]}
    step = (len(bvh.frames) - 1) // (int(pose["frames"][-1]["f"]) or 1)
    names = [j["name"] for j in bvh.joints]
    worst = 0
    heights = []
    for frame in pose["frames"]:
        at = dict(zip(names, bvh.positions(int(frame["f"]) * step, names)))
        for side, letter in (("Left", "左"), ("Right", "右")):
            for a, b, bone, end in LIMBS:
                want = direction(at["mixamorig:" + side + a], at["mixamorig:" + side + b])
                got = direction(frame["bones"][index[letter + bone]][:3], frame["bones"][index[letter + end]][:3])
                cosine = max(-1, min(1, sum(x * y for x, y in zip(want, got))))
                worst = max(worst, math.degrees(math.acos(cosine)))
        heights.append(min(frame["bones"][index[s + "足首"]][1] for s in "左右"))
    print("largest angle %.4f degrees, lower ankle %.3f to %.3f" % (worst, min(heights), max(heights)))
    return not (worst < 0.5 and max(heights) - min(heights) < float(sys.argv[3]))


sys.exit(main())
