#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes avatars with spring bones, colliders, node constraints and expressions: spring1.vrm (VRM 1.0), spring0.vrm (0.x), both with a triangle on the head."""
import json
import math
import struct


def turn(axis, degrees):
    half = math.radians(degrees) / 2
    return [a * math.sin(half) for a in axis] + [math.cos(half)]


TARGETS = 8
nodes, index = [], {}


def node(name, parent, at, rotation=None):
    index[name] = len(nodes)
    nodes.append({"name": name, "translation": at})
    if rotation:
        nodes[-1]["rotation"] = rotation
    if parent:
        nodes[index[parent]].setdefault("children", []).append(index[name])


def chain(name, parent, at, steps, count, rotation=None):
    names = []
    for i in range(count):
        names.append("%s %d" % (name, i))
        node(names[-1], names[-2] if i else parent, steps if i else at, None if i else rotation)
    return names


def skeleton(face):
    """face: 1 if the figure looks along +z (VRM 1.0), -1 along -z (0.x)."""
    nodes.clear()
    index.clear()
    node("root", None, [0, 0, 0])
    for name, parent, at in (("hips", "root", [0, 1, 0]), ("spine", "hips", [0, .1, 0]), ("chest", "spine", [0, .15, 0]),
                             ("neck", "chest", [0, .2, 0]), ("head", "neck", [0, .1, 0])):
        node(name, parent, at)
    for side, s in (("left", face), ("right", -face)):
        for name, parent, at in (("UpperArm", "chest", [.15 * s, .15, 0]), ("LowerArm", "UpperArm", [.25 * s, 0, 0]),
                                 ("Hand", "LowerArm", [.25 * s, 0, 0]), ("UpperLeg", "hips", [.1 * s, -.05, 0]),
                                 ("LowerLeg", "UpperLeg", [0, -.4, 0]), ("Foot", "LowerLeg", [0, -.45, 0])):
            node(side + name, parent if parent in index else side + parent, at)
    human = list(index)[1:]
    return human


def pack(path, extensions):
    values = struct.pack("<9f", 0, 1.6, 0, .1, 1.6, 0, 0, 1.7, 0)
    for k in range(TARGETS):  # each moves one coordinate of one vertex by 0.1 m
        values += struct.pack("<9f", *(.1 if i == k else 0 for i in range(9)))
    nodes.append({"name": "face", "mesh": 0})
    root = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, len(nodes) - 1]}], "nodes": nodes,
            "materials": [{"name": "skin"}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "targets": [{"POSITION": 1 + k} for k in range(TARGETS)], "material": 0}]}],
            "buffers": [{"byteLength": len(values)}], "bufferViews": [{"buffer": 0, "byteLength": len(values)}],
            "accessors": [{"bufferView": 0, "byteOffset": 36 * i, "componentType": 5126, "count": 3, "type": "VEC3",
                           "min": [-2, -2, -2], "max": [2, 2, 2]} for i in range(1 + TARGETS)],
            "extensionsUsed": list(extensions), "extensions": extensions}
    text = json.dumps(root).encode()
    text += b" " * (-len(text) % 4)
    with open(path, "wb") as out:
        out.write(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(values)))
        out.write(struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(values), b"BIN\0") + values)


def newer(path):
    human = skeleton(1)
    chains = {"hair": chain("hair", "head", [0, .1, -.1], [0, -.08, -.02], 5),
              "skirt": chain("skirt", "hips", [.05, -.05, .1], [.1, -.05, 0], 4, turn([.6, 0, .8], -50)),
              "sleeve": chain("sleeve", "leftHand", [.05, -.02, 0], [.05, -.05, .01], 3),
              "tail": chain("tail", "hips", [0, 0, -.1], [0, -.05, -.1], 4)}
    node("twist", "leftUpperArm", [.12, 0, 0], turn([1, 0, 0], 20))
    node("copy", "head", [0, .2, 0], turn([0, 1, 0], 35))
    node("aim", "chest", [0, .1, .2], turn([0, .6, .8], 25))
    chains["ribbon"] = chain("ribbon", "aim", [0, .02, .05], [0, -.06, .02], 3)

    def constrain(name, kind, source, **more):
        nodes[index[name]]["extensions"] = {"VRMC_node_constraint": {
            "specVersion": "1.0", "constraint": {kind: dict(more, source=index[source])}}}

    constrain("twist", "roll", "leftLowerArm", rollAxis="X", weight=.7)
    constrain("copy", "rotation", "rightUpperArm", weight=.5)
    constrain("aim", "aim", "rightHand", aimAxis="PositiveZ", weight=.8)

    def collider(name, **shape):
        return {"node": index[name], "shape": shape}

    def extended(name, **shape):
        out = collider(name, sphere={"radius": 0})
        out["extensions"] = {"VRMC_springBone_extended_collider": {"specVersion": "1.0", "shape": shape}}
        return out

    colliders = [collider("head", sphere={"offset": [0, .05, 0], "radius": .12}),
                 collider("leftUpperLeg", capsule={"offset": [0, 0, 0], "tail": [0, -.4, 0], "radius": .08}),
                 extended("hips", plane={"offset": [0, -.1, -.1], "normal": [0, 1, -.5]}),
                 extended("chest", sphere={"offset": [0, 0, 0], "radius": .4, "inside": True}),
                 extended("hips", capsule={"offset": [0, .2, 0], "tail": [0, -.5, 0], "radius": .35, "inside": True})]
    settings = {"hair": (1.0, .4, .5, [0, -1, 0], .02), "skirt": (.8, .3, .3, [0, -1, 0], .03), "sleeve": (.5, .2, 1, [0, -1, 0], .01),
                "tail": (1.5, .4, .1, [.3, -.9, .2], .02), "ribbon": (.6, .5, .4, [0, -1, 0], .01)}
    groups = {"hair": [0], "skirt": [1, 3], "sleeve": [], "tail": [2], "ribbon": [2, 0]}
    springs = []
    for name, joints in chains.items():
        stiffness, drag, power, down, radius = settings[name]
        spring = {"name": name, "colliderGroups": groups[name],
                  "joints": [{"node": index[j], "hitRadius": radius, "stiffness": stiffness, "dragForce": drag, "gravityPower": power,
                              "gravityDir": down} for j in joints]}
        if name == "tail":
            spring["center"] = index["hips"]
        springs.append(spring)
    spring_bone = {"specVersion": "1.0", "colliders": colliders, "springs": springs,
                   "colliderGroups": [{"colliders": [0]}, {"colliders": [1]}, {"colliders": [2]}, {"colliders": [3, 4]}]}
    names = ("aa", "blink", "lookLeft", "lookRight", "lookUp", "lookDown", "happy", "sad")
    preset = {name: {"morphTargetBinds": [{"node": len(nodes), "index": k, "weight": 1}]} for k, name in enumerate(names)}
    preset["happy"].update({"isBinary": True, "overrideBlink": "block"})
    preset["sad"].update({"overrideMouth": "blend", "overrideBlink": "blend", "overrideLookAt": "block"})
    ranges = {"rangeMap" + key: {"inputMaxValue": angle, "outputScale": scale}
              for key, angle, scale in (("HorizontalInner", 30, 1), ("HorizontalOuter", 40, .8), ("VerticalDown", 20, 1), ("VerticalUp", 25, .9))}
    vrm = {"specVersion": "1.0", "meta": {"name": "Springs", "authors": ["me"], "licenseUrl": "https://vrm.dev/licenses/1.0/"},
           "humanoid": {"humanBones": {name: {"node": index[name]} for name in human}},
           "lookAt": dict(ranges, type="expression", offsetFromHeadBone=[0, .06, 0]), "expressions": {"preset": preset}}
    pack(path, {"VRMC_vrm": vrm, "VRMC_springBone": spring_bone, "VRMC_node_constraint": {}})


def older(path):
    human = skeleton(-1)
    hair = chain("hair", "head", [0, .1, .1], [0, -.08, .02], 5)
    node("fringe", hair[1], [.05, -.05, 0])
    skirt = chain("skirt", "hips", [.05, -.05, -.1], [.03, -.12, -.02], 4)

    def vector(x, y, z):
        return {"x": x, "y": y, "z": z}

    groups = [{"node": index["head"], "colliders": [{"offset": vector(0, .05, .02), "radius": .12}]},
              {"node": index["leftUpperLeg"], "colliders": [{"offset": vector(0, -.1 * i, 0), "radius": .09} for i in range(4)]}]
    bones = [{"stiffiness": .9, "gravityPower": .4, "gravityDir": vector(0, -1, 0), "dragForce": .4, "center": -1, "hitRadius": .02,
              "bones": [index[hair[0]]], "colliderGroups": [0]},
             {"stiffiness": .6, "gravityPower": .2, "gravityDir": vector(.1, -1, .2), "dragForce": .3, "center": index["hips"], "hitRadius": .03,
              "bones": [index[skirt[0]]], "colliderGroups": [1]}]
    vrm = {"specVersion": "0.0", "exporterVersion": "test", "meta": {"title": "Springs", "author": "me", "licenseName": "CC0"}, "firstPerson": {},
           "humanoid": {"humanBones": [{"bone": name, "node": index[name]} for name in human]},
           "blendShapeMaster": {"blendShapeGroups": []}, "materialProperties": [{"name": "skin", "shader": "VRM_USE_GLTFSHADER", "floatProperties": {},
                                 "vectorProperties": {}, "textureProperties": {}, "keywordMap": {}, "tagMap": {}, "renderQueue": 2000}],
           "secondaryAnimation": {"boneGroups": bones, "colliderGroups": groups}}
    pack(path, {"VRM": vrm})


newer("spring1.vrm")
older("spring0.vrm")
