# SPDX-License-Identifier: MIT
"""Checks avatars that `odori export` wrote: python3 vrm_check.py FILE.vrm FILM.json DANCED.json

The parts that the specification requires are there and name each other; and the bones of the
humanoid, danced by the PMX (FILM) and by the avatar (DANCED), are within 0.01 MMD units.
"""
import json
import math
import struct
import sys

LIMIT = 0.01
REQUIRED = ["hips", "spine", "head"] + [
    side + part for side in ("left", "right")
    for part in ("UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot")]
BONES = ["上半身", "上半身2", "首", "頭"] + [
    side + part for side in "左右"
    for part in ("肩", "腕", "ひじ", "手首", "足", "ひざ", "足首", "つま先", "人指１", "目")]


def read_json(path):
    data = open(path, "rb").read()
    magic, version, size = struct.unpack_from("<4sII", data)
    assert (magic, version, size) == (b"glTF", 2, len(data))
    length, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    return json.loads(data[20:20 + length])


def check_humanoid(doc, nodes):
    assert all(name in nodes for name in REQUIRED), "required bones"
    assert len(set(nodes.values())) == len(nodes), "a node is two bones"
    parents = {c: i for i, n in enumerate(doc["nodes"]) for c in n.get("children", [])}

    def is_below(node, above):
        while node in parents and node != above:
            node = parents[node]
        return node == above

    for name in REQUIRED[1:]:
        assert is_below(nodes[name], nodes["hips"]), name + " is not below the hips"
    for i, node in enumerate(doc["nodes"]):
        assert node.get("rotation", [0, 0, 0, 1]) == [0, 0, 0, 1], "node %d is turned" % i


def check_arms(doc, nodes):
    parents = {c: i for i, n in enumerate(doc["nodes"]) for c in n.get("children", [])}

    def place(node):
        at = [0, 0, 0]
        while node is not None:
            at = [a + b for a, b in zip(at, doc["nodes"][node].get("translation", [0, 0, 0]))]
            node = parents.get(node)
        return at

    for side in ("left", "right"):
        arm, hand = place(nodes[side + "UpperArm"]), place(nodes[side + "Hand"])
        assert abs(arm[1] - hand[1]) < 1e-5, "the %s arm is not horizontal" % side
    return place(nodes["leftHand"])[0]


def check_binds(doc, binds, key):
    for bind in binds:
        mesh = bind[key] if key == "mesh" else doc["nodes"][bind[key]]["mesh"]
        assert bind["index"] < len(doc["meshes"][mesh]["primitives"][0]["targets"])
        assert 0 < bind["weight"] <= (100 if key == "mesh" else 1)


def check_1(doc):
    vrm, springs = doc["extensions"]["VRMC_vrm"], doc["extensions"]["VRMC_springBone"]
    assert vrm["specVersion"] == springs["specVersion"] == "1.0"
    assert vrm["meta"]["name"] and vrm["meta"]["authors"]
    assert vrm["meta"]["licenseUrl"] == "https://vrm.dev/licenses/1.0/"
    nodes = {name: bone["node"] for name, bone in vrm["humanoid"]["humanBones"].items()}
    check_humanoid(doc, nodes)
    assert check_arms(doc, nodes) > 0
    for name in ("aa", "ih", "ou", "ee", "oh", "blink"):
        assert vrm["expressions"]["preset"][name]["morphTargetBinds"], name
    for group in vrm["expressions"].values():
        for expression in group.values():
            check_binds(doc, expression["morphTargetBinds"], "node")
    seen = set()
    for spring in springs["springs"]:
        joints = [joint["node"] for joint in spring["joints"]]
        assert len(joints) > 1 and not seen & set(joints), "a joint of two springs"
        seen |= set(joints)
        for a, b in zip(joints, joints[1:]):
            assert b in doc["nodes"][a]["children"], "a chain that is no chain"
        assert all(0 <= g < len(springs["colliderGroups"]) for g in spring.get("colliderGroups", []))
    assert len(springs["springs"]) >= 4 and springs["colliders"]
    for material in doc["materials"]:
        assert material["extensions"]["VRMC_materials_mtoon"]["specVersion"] == "1.0"


def check_0(doc):
    vrm = doc["extensions"]["VRM"]
    bones = vrm["humanoid"]["humanBones"]
    nodes = {bone["bone"]: bone["node"] for bone in bones}
    assert len(nodes) == len(bones) and "neck" in nodes and "chest" in nodes
    check_humanoid(doc, nodes)
    assert check_arms(doc, nodes) < 0
    groups = {g["presetName"]: g for g in vrm["blendShapeMaster"]["blendShapeGroups"]}
    assert all(groups[name]["binds"] for name in ("a", "i", "u", "e", "o", "blink"))
    for group in groups.values():
        check_binds(doc, group["binds"], "mesh")
    assert len(vrm["materialProperties"]) == len(doc["materials"])
    assert all(m["shader"] == "VRM/MToon" for m in vrm["materialProperties"])
    secondary = vrm["secondaryAnimation"]
    assert secondary["boneGroups"] and secondary["colliderGroups"]
    for group in secondary["boneGroups"]:
        assert all(0 <= g < len(secondary["colliderGroups"]) for g in group["colliderGroups"])


def poses(path):
    doc = json.load(open(path))
    names = [bone["name"] for bone in doc["bones"]]
    return [{n: b[:3] for n, b in zip(names, f["bones"]) if n in BONES} for f in doc["frames"]]


def main():
    doc = read_json(sys.argv[1])
    (check_1 if "VRMC_vrm" in doc["extensions"] else check_0)(doc)
    film, danced = poses(sys.argv[2]), poses(sys.argv[3])
    assert len(film) == len(danced)
    for i, (a, b) in enumerate(zip(film, danced)):
        for name in BONES:
            assert math.dist(a[name], b[name]) < LIMIT, "frame %d: %s is elsewhere" % (i, name)


main()
