# SPDX-License-Identifier: MIT
"""Compares the limbs of motion capture with those of `odori pose` of the model that it moves:

    python3 mocap_check.py SOURCE POSE.json [AXES [DEGREES [SLIDE]]]
    python3 mocap_check.py A.json B.json DEGREES

SOURCE is a .bvh, .vrma or .glb file, evaluated by this program.  AXES are the axes of the file that become +x, +y and +z of
MMD, such as x,y,-z.  Each limb and finger that both have must point the same way within DEGREES at every frame, and
the feet that stand in the source may slide at most SLIDE legs more than there.  Of two poses, the rotations of
torso, head, arms and legs are compared, which hold the roll of limbs, too.
"""
import json
import math
import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from export_check import Bvh, multiply, rotate  # noqa: E402

SIDES = (("left", "左"), ("right", "右"))
# Names of the joints of a limb in this order: VRM, Mixamo and CMU, other rigs of the tests; then the bones of MMD.
LIMBS = [("UpperArm LowerArm", "Arm ForeArm", "Shoulder Elbow", "腕 ひじ"), ("LowerArm Hand", "ForeArm Hand", "Elbow Wrist", "ひじ 手首"),
         ("UpperLeg LowerLeg", "UpLeg Leg", "Hip Knee", "足 ひざ"), ("LowerLeg Foot", "Leg Foot", "Knee Ankle", "ひざ 足首")]
for vrm, other, mmd in (("Index", "Index", "人指"), ("Middle", "Middle", "中指"), ("Ring", "Ring", "薬指"), ("Little", "Pinky", "小指")):
    LIMBS.append(("%sProximal %sIntermediate" % (vrm, vrm), "Hand%s1 Hand%s2" % (other, other), "- -", "%s１ %s２" % (mmd, mmd)))
    LIMBS.append(("%sIntermediate %sDistal" % (vrm, vrm), "Hand%s2 Hand%s3" % (other, other), "- -", "%s２ %s３" % (mmd, mmd)))
LIMBS.append(("ThumbProximal ThumbDistal", "HandThumb2 HandThumb3", "- -", "親指１ 親指２"))


class Gltf:
    """Linear keys without gaps, of 32-bit floats or normalized shorts, as exporters write them."""
    frame_s = 1 / 30

    def __init__(self, path):
        data = open(path, "rb").read()
        size = struct.unpack_from("<I", data, 12)[0]
        self.json, self.bin = json.loads(data[20:20 + size]), 28 + size
        self.data = data
        self.bones = {}
        animation = self.json.get("extensions", {}).get("VRMC_vrm_animation")
        for name, bone in animation["humanoid"]["humanBones"].items() if animation else ():
            self.bones[name] = bone["node"]
        for i, node in enumerate([] if animation else self.json["nodes"]):
            name = node.get("name", "-").split(":")[-1].split("_")[-1]
            self.bones.setdefault(name[0].lower() + name[1:], i)
        self.parents = {c: i for i, n in enumerate(self.json["nodes"]) for c in n.get("children", [])}
        takes = self.json["animations"]
        animation = next((a for a in takes if a.get("name") == os.environ.get("TAKE")), next(a for a in takes if a["channels"]))
        self.tracks = {}
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            self.tracks[channel["target"]["node"], channel["target"]["path"]] = (
                self.values(sampler["input"]), self.values(sampler["output"]), sampler.get("interpolation", "LINEAR"))
        self.end = max(t[0][-1][0] for t in self.tracks.values())

    def values(self, index):
        a = self.json["accessors"][index]
        view = self.json["bufferViews"][a["bufferView"]]
        assert a["componentType"] in (5122, 5126) and "byteStride" not in view
        n = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
        start = self.bin + view.get("byteOffset", 0) + a.get("byteOffset", 0)
        numbers = struct.unpack_from("<%d%s" % (n * a["count"], "f" if a["componentType"] == 5126 else "h"), self.data, start)
        if a["componentType"] == 5122:
            numbers = [v / 32767 for v in numbers]
        return [numbers[i:i + n] for i in range(0, len(numbers), n)]

    def sample(self, node, path, default, seconds):
        if (node, path) not in self.tracks:
            return list(default)
        times, values, mode = self.tracks[node, path]
        after = next((i for i, t in enumerate(times) if t[0] > seconds), len(times))
        first, second = max(0, after - 1), min(after, len(times) - 1)
        if first == second or mode == "STEP":
            return list(values[first])
        t = (seconds - times[first][0]) / (times[second][0] - times[first][0])
        a, b = values[first], values[second]
        sign = -1 if len(a) == 4 and sum(x * y for x, y in zip(a, b)) < 0 else 1
        mixed = [x + t * (sign * y - x) for x, y in zip(a, b)]
        if len(a) == 4:
            length = math.hypot(*mixed)
            mixed = [x / length for x in mixed]
        return mixed

    def world(self, node, seconds, cache):
        if node not in cache:
            n = self.json["nodes"][node]
            offset = self.sample(node, "translation", n.get("translation", (0, 0, 0)), seconds)
            turn = self.sample(node, "rotation", n.get("rotation", (0, 0, 0, 1)), seconds)
            scale = n.get("scale", (1, 1, 1))
            if node in self.parents:
                at, own, by = self.world(self.parents[node], seconds, cache)
                offset = [a + b for a, b in zip(at, rotate(own, [x * y for x, y in zip(by, offset)]))]
                turn = multiply(own, turn)
                scale = [x * y for x, y in zip(by, scale)]
            cache[node] = offset, turn, scale
        return cache[node]

    def at(self, seconds):
        cache = {}
        return {name: self.world(node, seconds, cache)[0] for name, node in self.bones.items()}


class Capture(Bvh):
    def at(self, seconds):
        frame = min(len(self.frames) - 1, round(seconds / self.frame_s))
        found, at = {}, 0
        self.positions(frame, [])
        for joint in self.joints:
            name = joint["name"].split(":")[-1].replace("_", "")
            found.setdefault(name[0].lower() + name[1:], joint["world"])
        return found


def direction(a, b):
    d = [y - x for x, y in zip(a, b)]
    length = math.hypot(*d)
    return [x / length for x in d]


def angle(a, b):
    cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    return math.degrees(math.atan2(math.hypot(*cross), sum(x * y for x, y in zip(a, b))))


def find_limb(joints, rows):
    """The names of both ends in the source, for one side, or None."""
    for side in rows[0]:
        for names in rows[1]:
            ends = [side + n for n in names.split()]
            if all(e in joints for e in ends):
                return ends
    return None


def compare_poses(a, b, degrees):
    a, b = (json.load(open(path, encoding="utf-8")) for path in (a, b))
    parts = "上半身 上半身2 首 頭 下半身".split() + [s + n for s in "左右" for n in "肩 腕 ひじ 足 ひざ 足首".split()]
    worst = max((2 * math.degrees(math.acos(min(1, abs(sum(x * y for x, y in zip(p[3:7], q[3:7])))))), a["bones"][i]["name"])
                for f, g in zip(a["frames"], b["frames"]) for i, (p, q) in enumerate(zip(f["bones"], g["bones"])) if a["bones"][i]["name"] in parts)
    print("largest difference of rotations %.4f degrees (%s)" % worst)
    return not worst[0] <= degrees


def main():
    if sys.argv[1].endswith(".json"):
        return compare_poses(*sys.argv[1:3], float(sys.argv[3]))
    path, pose = sys.argv[1], json.load(open(sys.argv[2], encoding="utf-8"))
    axes = (sys.argv[3:4] or ["x,y,-z"])[0].split(",")
    degrees = float((sys.argv[4:5] or [0.5])[0])
    slide = float((sys.argv[5:6] or ["inf"])[0])
    source = Gltf(path) if path.endswith((".vrma", ".glb")) else Capture(path)
    index = {b["name"]: b["i"] for b in pose["bones"]}

    def mmd(v):
        return [(-1 if a[0] == "-" else 1) * v["xyz".index(a[-1])] for a in axes]

    limbs = []
    joints = source.at(0)
    for english, japanese in SIDES:
        for row in LIMBS:
            ends = find_limb(joints, ((english, english[0]), row[:3]))
            bones = [japanese + n for n in row[3].split()]
            if ends and all(b in index for b in bones):
                limbs.append((ends, bones))
    worst, where = 0, None
    feet = {s: [] for s in "左右"}
    for frame in pose["frames"]:
        seconds = frame["f"] / 30
        if abs(seconds / source.frame_s - round(seconds / source.frame_s)) > 0.01:
            continue  # between two frames of the source
        now = source.at(seconds)
        bones = frame["bones"]
        for ends, names in limbs:
            want = direction(mmd(now[ends[0]]), mmd(now[ends[1]]))
            got = direction(bones[index[names[0]]][:3], bones[index[names[1]]][:3])
            difference = angle(want, got)
            if difference > worst:
                worst, where = difference, (names[0], frame["f"])
            if names[1][1:] == "足首":
                feet[names[1][0]].append((mmd(now[ends[1]]), bones[index[names[1]]][:3]))
    legs = [0, 0]
    first = pose["frames"][0]
    now = source.at(0)
    for ends, names in limbs:
        if names[1][1:] in ("ひざ", "足首"):
            legs[0] += math.dist(now[ends[0]], now[ends[1]]) / 2
            legs[1] += math.dist(first["bones"][index[names[0]]][:3], first["bones"][index[names[1]]][:3]) / 2
    lower = sorted(min(l[0][1], r[0][1]) for l, r in zip(feet["左"], feet["右"]))
    floor = lower[len(lower) // 20]
    moved, count = [0, 0], 0
    heights = []
    for track in feet.values():
        for a, b in zip(track, track[1:]):
            step = math.hypot(b[0][0] - a[0][0], b[0][2] - a[0][2]) / legs[0]
            if max(a[0][1], b[0][1]) - floor > 0.03 * legs[0] or step > 0.01:
                continue
            moved[0] += step
            moved[1] += math.hypot(b[1][0] - a[1][0], b[1][2] - a[1][2]) / legs[1]
            count += 1
            heights.append(b[1][1] / legs[1] - (b[0][1] - floor) / legs[0])
    print("%d limbs, %d frames: largest angle %.4f degrees (%s); %d steps of standing feet slide %.3f legs, in the source "
          "%.3f; ankles %.4f to %.4f legs high" % (len(limbs), len(pose["frames"]), worst, where, count, moved[1], moved[0],
                                           min(heights, default=0), max(heights, default=0)))
    return not (limbs and worst <= degrees and moved[1] <= moved[0] + slide)


sys.exit(main())
