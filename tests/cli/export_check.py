# SPDX-License-Identifier: MIT
"""Compares exported files with the output of `odori pose`: python3 export_check.py POSE.json FILE [KEYPOINTS]

FILE is another pose (.json), a binary glTF (.glb) or a BVH file, which are read here on their own:
world positions of all bones, in MMD units, must agree within 0.01 at every frame of the pose.
KEYPOINTS is the output of `odori pose --format openpose` for the same frames: the elbows, seen by the
camera of the glTF, must be there within a hundredth of a pixel.
"""
import json
import math
import struct
import sys

LIMIT = 0.01


def rotate(q, v):
    x, y, z, w = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2],
            v[2] + w * t[2] + x * t[1] - y * t[0]]


def multiply(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]


def axis_angle(axis, degrees):
    half = math.radians(degrees) / 2
    q = [0, 0, 0, math.cos(half)]
    q[axis] = math.sin(half)
    return q


class Glb:
    def __init__(self, path):
        data = open(path, "rb").read()
        magic, version, size = struct.unpack_from("<4sII", data)
        assert (magic, version, size) == (b"glTF", 2, len(data))
        length, kind = struct.unpack_from("<I4s", data, 12)
        assert kind == b"JSON"
        self.doc = json.loads(data[20:20 + length])
        self.binary = data[28 + length:]
        self.parents = {c: i for i, n in enumerate(self.doc["nodes"]) for c in n.get("children", [])}
        self.channels = {}
        animation = self.doc["animations"][0]
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            self.channels[channel["target"]["node"], channel["target"]["path"]] = sampler["output"]
        self.cache = {}

    def vectors(self, index):
        if index not in self.cache:
            accessor = self.doc["accessors"][index]
            assert accessor["componentType"] == 5126
            width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
            offset = self.doc["bufferViews"][accessor["bufferView"]]["byteOffset"]
            flat = struct.unpack_from("<%df" % (width * accessor["count"]), self.binary, offset)
            self.cache[index] = [flat[i:i + width] for i in range(0, len(flat), width)]
        return self.cache[index]

    def value(self, node, path, frame):
        output = self.channels.get((node, path))
        return self.vectors(output)[frame] if output is not None else self.doc["nodes"][node][path]

    def world(self, node, frame):
        rotation, position = [0, 0, 0, 1], [0, 0, 0]
        while node is not None:
            own = self.value(node, "rotation", frame)
            scale = self.value(node, "scale", frame)[0] if "scale" in self.doc["nodes"][node] else 1
            moved = rotate(own, [scale * c for c in position])
            position = [a + b for a, b in zip(self.value(node, "translation", frame), moved)]
            rotation = multiply(own, rotation)
            node = self.parents.get(node)
        return [position[0] / 0.08, position[1] / 0.08, -position[2] / 0.08]

    def positions(self, frame, names):
        nodes = self.doc["nodes"]
        for skin in self.doc["skins"]:
            if [nodes[node]["name"] for node in skin["joints"]] == names:
                return [self.world(node, frame) for node in skin["joints"]]
        raise SystemExit("no skin has these bones")


    def project(self, position, frame, size):
        """A point in MMD units, in pixels of an image of the camera."""
        nodes = self.doc["nodes"]
        node, = [i for i, n in enumerate(nodes) if "camera" in n]
        assert node in self.doc["scenes"][0]["nodes"]
        lens = self.doc["cameras"][nodes[node]["camera"]]["perspective"]
        assert abs(lens["aspectRatio"] - size[0] / size[1]) < 1e-6
        x, y, z, w = self.value(node, "rotation", frame)
        eye = self.value(node, "translation", frame)
        point = [0.08 * position[0], 0.08 * position[1], -0.08 * position[2]]
        seen = rotate([-x, -y, -z, w], [a - b for a, b in zip(point, eye)])
        half = math.tan(lens["yfov"] / 2) * -seen[2]
        return [size[0] / 2 + seen[0] / half * size[1] / 2, size[1] / 2 - seen[1] / half * size[1] / 2]


class Bvh:
    def __init__(self, path):
        words = iter(open(path, encoding="utf-8").read().split())
        self.joints, stack, joint = [], [], None
        for word in words:
            if word in ("ROOT", "JOINT"):
                joint = {"name": next(words), "parent": stack[-1] if stack else None}
                self.joints.append(joint)
            elif word == "End":
                joint = {}
            elif word == "{":
                stack.append(joint)
            elif word == "}":
                stack.pop()
            elif word == "OFFSET":
                stack[-1]["offset"] = [float(next(words)) for _ in range(3)]
            elif word == "CHANNELS":
                stack[-1]["channels"] = [next(words) for _ in range(int(next(words)))]
            elif word == "Time:":
                self.frame_s = float(next(words))
                break
        numbers = [float(w) for w in words]
        width = sum(len(j["channels"]) for j in self.joints)
        self.frames = [numbers[i:i + width] for i in range(0, len(numbers), width)]

    def positions(self, frame, names):
        at, found = 0, {}
        for joint in self.joints:
            offset, rotation = list(joint["offset"]), [0, 0, 0, 1]
            for channel in joint["channels"]:
                value = self.frames[frame][at]
                at += 1
                axis = "XYZ".index(channel[0])
                if channel.endswith("position"):
                    offset[axis] = value
                else:
                    rotation = multiply(rotation, axis_angle(axis, value))
            parent = joint["parent"]
            if parent:
                offset = [a + b for a, b in zip(parent["world"], rotate(parent["turn"], offset))]
                rotation = multiply(parent["turn"], rotation)
            joint["world"], joint["turn"] = offset, rotation
            found.setdefault(joint["name"], [offset[0] / 8, offset[1] / 8, -offset[2] / 8])
        return [found[name.replace(" ", "_") or "bone"] for name in names]


class Pose:
    def __init__(self, path):
        self.frames = {f["f"]: f for f in json.load(open(path, encoding="utf-8"))["frames"]}

    def positions(self, frame, names):
        return [bone[:3] for bone in self.frames[frame]["bones"]]


def check_camera(glb, pose, names, lines):
    for frame, line in zip(pose["frames"], lines):
        seen = json.loads(line)
        points = seen["people"][0]["pose_keypoints_2d"]
        for number, bone in ((3, "右ひじ"), (6, "左ひじ")):
            at = glb.project(frame["bones"][names.index(bone)], int(frame["f"]),
                             (seen["canvas_width"], seen["canvas_height"]))
            error = math.dist(at, points[3 * number:3 * number + 2])
            assert error < 0.01, "%s at frame %g: %s, not %s" % (bone, frame["f"], at, points[9:11])


def main():
    pose = json.load(open(sys.argv[1], encoding="utf-8"))
    names = [bone["name"] for bone in pose["bones"]]
    readers = {"json": Pose, "glb": Glb, "bvh": Bvh}
    other = readers[sys.argv[2].rsplit(".", 1)[1]](sys.argv[2])
    if isinstance(other, Bvh):
        assert abs(other.frame_s - 1 / 30) < 1e-6
    if len(sys.argv) > 3:
        check_camera(other, pose, names, open(sys.argv[3], encoding="utf-8"))
    worst, where = -1, None
    for frame in pose["frames"]:
        for name, bone, position in zip(names, frame["bones"], other.positions(int(frame["f"]), names)):
            distance = math.dist(bone[:3], position)
            if not distance <= worst:
                worst, where = distance, (name, frame["f"])
        if isinstance(other, Pose):
            for a, b in zip(frame["morphs"], other.frames[frame["f"]]["morphs"]):
                assert abs(a - b) < 1e-5, "a morph differs at frame %g" % frame["f"]
    print("largest distance %.6f at %s" % (worst, where))
    return not 0 <= worst < LIMIT


if __name__ == "__main__":
    sys.exit(main())
