#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: write_inputs.py NAME   writes the files of one dear input, with a job j.yaml (or a manifest b.yaml), into the current directory."""
import json
import struct
import sys

JOB = """version: 1
models: [%s]
render: { size: [%d, %d], samples: 1, fps: 30, frames: 0-1, workers: 1 }
shadows: { ground: false, self: false, map_size: 256 }
outputs: [o/a.mp4]
"""


def job(model, size=(64, 36)):
    with open("j.yaml", "w") as f:
        f.write(JOB % (model, *size))


def obj(faces, corners):
    with open("m.obj", "w") as f:
        count = max(corners, 3)
        for i in range(count):
            f.write("v %d %d 0\n" % (i % 100, i // 100))
        line = "f " + " ".join(str(i + 1) for i in range(corners)) + "\n"
        for at in range(0, faces, 100000):
            f.write(line * min(100000, faces - at))
    job("m.obj")


def glb(name, scene, data=b""):
    text = json.dumps(scene).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942) + data
    with open(name, "wb") as f:
        f.write(struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks)


TRIANGLE = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)


def scene(nodes, roots):
    return {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": roots}], "nodes": nodes,
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"byteLength": 36}]}


def deep_nodes(count, cycle):
    nodes = [{"children": [i + 1]} for i in range(count - 1)] + [{"mesh": 0}]
    if cycle:
        nodes[-1]["children"] = [count // 2]
    glb("m.glb", scene(nodes, [0]), TRIANGLE)
    job("m.glb")


BONES = ("hips", "spine", "chest", "neck", "head", "leftUpperArm", "leftLowerArm", "leftHand", "rightUpperArm", "rightLowerArm", "rightHand",
         "leftUpperLeg", "leftLowerLeg", "leftFoot", "rightUpperLeg", "rightLowerLeg", "rightFoot")


def springs(count):
    nodes = [{"name": bone, "translation": [0.01 * i, 0.1, 0]} for i, bone in enumerate(BONES)]
    for i in range(len(BONES) - 1):
        nodes[i]["children"] = [i + 1]
    nodes[0]["mesh"] = 0
    first = len(nodes)
    nodes += [{"translation": [0, -.01, 0], "children": [first + i + 1]} for i in range(count - 1)] + [{"translation": [0, -.01, 0]}]
    nodes[4].setdefault("children", []).append(first)
    model = scene(nodes, [0])
    model["extensionsUsed"] = ["VRMC_vrm", "VRMC_springBone"]
    model["extensions"] = {
        "VRMC_vrm": {"specVersion": "1.0", "meta": {"name": "a", "authors": ["a"], "licenseUrl": "https://vrm.dev/licenses/1.0/"},
                     "humanoid": {"humanBones": {bone: {"node": i} for i, bone in enumerate(BONES)}}},
        "VRMC_springBone": {"specVersion": "1.0", "springs": [{"joints": [{"node": first + i} for i in range(count)]}]}}
    glb("m.vrm", model, TRIANGLE)
    job("m.vrm")


EFFECT = """%s
technique Main < string MMDPass = "object"; > {
%s
}
"""
VERTEX = "float4x4 M : WORLDVIEWPROJECTION;\nfloat4 VS(float4 p : POSITION) : POSITION { return mul(p, M); }\n"
PASS = "pass P%d { VertexShader = compile vs_3_0 VS(); PixelShader = compile ps_3_0 PS(); }\n"


def effect(head, passes=1, script=""):
    with open("board.x", "w") as f:
        f.write("xof 0303txt 0032\nMesh { 4; -9;0;0;, 9;0;0;, 9;18;0;, -9;18;0;; 2; 4;0,1,2,3;, 4;3,2,1,0;; "
                "MeshMaterialList { 1; 2; 0, 0; Material { 1;1;1;1;; 5; 0;0;0;; 0;0;0;; } } }\n")
    text = EFFECT % (VERTEX + head, "".join(PASS % i for i in range(passes)))
    if script:
        text = text.replace('MMDPass = "object";', 'MMDPass = "object"; string Script = "%s";' % script)
    with open("board.fx", "w") as f:
        f.write(text)
    job("{ file: board.x, effect: board.fx }", (1920, 1080))


WHITE = "float4 PS() : COLOR0 { return 1; }\n"
SIZED = 'texture T%d : RENDERCOLORTARGET < int Width = 8192; int Height = 8192; string Format = "A32B32G32R32F"; >;\n'


def yaml_anchors():
    text = "version: 1\nx0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
    text += "".join("x%d: &a%d [%s]\n" % (i, i, ", ".join(["*a%d" % (i - 1)] * 9)) for i in range(1, 30))
    with open("j.yaml", "w") as f:
        f.write(text)


def yaml_large():
    with open("j.yaml", "w") as f:
        f.write("version: 1\nname: &n x\nlist:\n" + "- *n\n- &m {a: *n, b: [*n, *n]}\n" * 280000)


def manifest(axes, values):
    obj(1, 3)
    with open("b.yaml", "w") as f:
        f.write("version: 1\nbase: j.yaml\nout: 'o/{name}.mp4'\nmatrix:\n")
        for axis in range(axes):
            f.write("  n%d: { %s }\n" % (axis, ", ".join("v%d: { render.fps: %d }" % (i, i + 1) for i in range(values))))


INPUTS = {
    "obj-faces": lambda: obj(10_000_000, 3),
    "obj-corners": lambda: obj(100, 100_000),
    "vrm-joints": lambda: springs(100_000),
    "nodes-deep": lambda: deep_nodes(100_000, False),
    "nodes-cycle": lambda: deep_nodes(100_000, True),
    "manifest": lambda: manifest(6, 10),
    "yaml-anchors": yaml_anchors,
    "yaml-large": yaml_large,
    "fx-targets": lambda: effect("".join(SIZED % i for i in range(200)) + WHITE, 1,
                                 "".join("RenderColorTarget0=T%d; Clear=Color; Pass=P0; " % i for i in range(200))),
    "fx-unroll": lambda: effect("float4 PS() : COLOR0 { float x = 0; [unroll] for (int i = 0; i < 1000000; i++) { [unroll] for (int k = 0; k < 1000; k++)"
                                " x = sin(x + i * k); } return x; }\n"),
    "fx-nested": lambda: effect("".join("float f%d(float x) { return %s; }\n" % (i, "sin(x)" if not i else "f%d(x) + f%d(x + 1) * f%d(x * x)" % (i - 1, i - 1, i - 1))
                                        for i in range(30)) + "float4 PS() : COLOR0 { return f29(1); }\n"),
    "fx-passes": lambda: effect(WHITE, 10_000),
    "fx-samplers": lambda: effect("".join("texture T%d : RENDERCOLORTARGET; sampler S%d = sampler_state { texture = <T%d>; };\n" % (i, i, i) for i in range(1000)) +
                                  "float4 PS() : COLOR0 { float4 c = 0; " + "".join("c += tex2D(S%d, float2(0, 0)); " % i for i in range(1000)) + "return c; }\n"),
    "fx-endless": lambda: effect("float Far; float4 PS(float4 p : POSITION) : COLOR0 { float x = 1; for (int i = 0; i < 2000000000; i++) x = sin(x) + 1.5;"
                                 " return x; }\n"),
    "fx-macros": lambda: effect("#define A0 1\n" + "".join("#define A%d A%d + A%d + A%d\n" % (i, i - 1, i - 1, i - 1) for i in range(1, 40)) +
                                "float4 PS() : COLOR0 { return A39; }\n"),
}
INPUTS[sys.argv[1]]()
