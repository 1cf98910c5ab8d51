#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a room with a textured floor, a mirrored box and a mask: room.glb, room.gltf with 'room data.bin', room.obj with room.mtl, and the room as avatar.vrm."""
import json
import struct
import zlib

data, views, accessors = b"", [], []


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(size, pixel):
    rows = b"".join(b"\0" + bytes(v for x in range(size) for v in pixel(x, y)) for y in range(size))
    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def view(body):
    global data
    data += b"\0" * (-len(data) % 4)
    views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(body)})
    data += body
    return len(views) - 1


def accessor(values, kind, component=5126):
    body = struct.pack("<%d%s" % (len(values), "f" if component == 5126 else "H"), *values)
    count = len(values) // {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[kind]
    accessors.append({"bufferView": view(body), "componentType": component, "count": count, "type": kind})
    return len(accessors) - 1


def box():
    points, normals, faces = [], [], []
    for axis in range(3):
        for side in (1, -1):
            n, u, v = ([0, 0, 0] for _ in range(3))
            n[axis], u[(axis + 1) % 3], v[(axis + 2) % 3] = side, 1, side
            first = len(points) // 3
            for p, q in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                points += [0.5 * (n[k] + p * u[k] + q * v[k]) for k in range(3)]
                normals += n
            faces += [first, first + 1, first + 2, first, first + 2, first + 3]
    return points, normals, faces


square = {"POSITION": accessor([-1, 0, 1, 1, 0, 1, 1, 0, -1, -1, 0, -1], "VEC3"), "NORMAL": accessor([0, 1, 0] * 4, "VEC3"),
          "TEXCOORD_0": accessor([0, 0, 1, 0, 1, 1, 0, 1], "VEC2")}
corners = accessor([0, 1, 2, 0, 2, 3], "SCALAR", 5123)
points, normals, faces = box()
cube = {"POSITION": accessor(points, "VEC3"), "NORMAL": accessor(normals, "VEC3")}
cube_faces = accessor(faces, "SCALAR", 5123)
board = view(png(8, lambda x, y: (220, 220, 220, 255) if (x + y) % 2 else (90, 60, 40, 0)))
room = {
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1, 2, 3]}],
    "nodes": [{"mesh": 0, "scale": [3, 1, 3]}, {"mesh": 1, "translation": [0.5, 0.5, -1], "scale": [1, 1, -1]},
              {"mesh": 2, "translation": [-1, 1, 0], "rotation": [0.5 ** 0.5, 0, 0, 0.5 ** 0.5]}, {"camera": 0}],
    "cameras": [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}],
    "meshes": [{"primitives": [{"attributes": square, "indices": corners, "material": 0}]},
               {"primitives": [{"attributes": cube, "indices": cube_faces, "material": 1}]},
               {"primitives": [{"attributes": square, "indices": corners, "material": 2}]}],
    "materials": [{"name": "floor", "normalTexture": {"index": 0}, "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}},
                  {"name": "red", "pbrMetallicRoughness": {"baseColorFactor": [0.8, 0.05, 0.05, 1]}},
                  {"name": "leaf", "alphaMode": "MASK", "doubleSided": True, "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
    "textures": [{"source": 0, "sampler": 0}], "samplers": [{"wrapS": 33648, "wrapT": 10497}], "images": [{"bufferView": board, "mimeType": "image/png"}],
    "bufferViews": views, "accessors": accessors, "buffers": [{"byteLength": len(data)}]}
text = json.dumps(room).encode()
text += b" " * (-len(text) % 4)
data += b"\0" * (-len(data) % 4)
with open("room.glb", "wb") as out:
    out.write(struct.pack("<IIIII", 0x46546C67, 2, 28 + len(text) + len(data), len(text), 0x4E4F534A) + text)
    out.write(struct.pack("<II", len(data), 0x4E4942) + data)
human = {name: {"node": node} for node, name in enumerate(["hips", "spine", "head"])}
avatar = dict(room, extensions={"VRMC_vrm": {"meta": {"name": "Box", "authors": ["me"]}, "humanoid": {"humanBones": human}}})
avatar_text = json.dumps(avatar).encode()
avatar_text += b" " * (-len(avatar_text) % 4)
with open("avatar.vrm", "wb") as out:
    out.write(struct.pack("<IIIII", 0x46546C67, 2, 28 + len(avatar_text) + len(data), len(avatar_text), 0x4E4F534A))
    out.write(avatar_text + struct.pack("<II", len(data), 0x4E4942) + data)
room["buffers"][0]["uri"] = "room%20data.bin"
with open("room data.bin", "wb") as out:
    out.write(data)
with open("room.gltf", "w", encoding="utf-8") as out:
    json.dump(room, out)
with open("room.mtl", "w", encoding="utf-8") as out:
    out.write("newmtl wood\nKd 0.8 0.5 0.2\n")
with open("room.obj", "w", encoding="utf-8") as out:
    out.write("mtllib room.mtl\nusemtl wood\n")
    out.writelines("v %g %g %g\n" % tuple(points[i:i + 3]) for i in range(0, len(points), 3))
    out.writelines("f %d %d %d %d\n" % (i, i + 1, i + 2, i + 3) for i in range(1, 25, 4))
