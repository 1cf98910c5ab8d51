#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes pairs of scenes that look the same, NAME-a.glb and NAME-b.glb: one has what is tested, the other does without it."""
import json
import struct
import zlib


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(size, pixel):
    rows = b"".join(b"\0" + bytes(v for x in range(size) for v in pixel(x, y)) for y in range(size))
    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def colors(x, y):
    return 30 * x + 20, 250 - 28 * y, 40 * ((x + 2 * y) % 6) + 10


def turn(u, v):  # KHR_texture_transform of the second pair
    return 0.25 + 0.5 * v, -0.75 * u


class Scene:
    def __init__(self):
        self.data, self.views, self.accessors, self.images = b"", [], [], []

    def view(self, body):
        self.data += b"\0" * (-len(self.data) % 4)
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(body)})
        self.data += body
        return len(self.views) - 1

    def vectors(self, values):
        kind = {2: "VEC2", 3: "VEC3", 4: "VEC4"}[len(values[0])]
        body = b"".join(struct.pack("<%df" % len(v), *v) for v in values)
        self.accessors.append({"bufferView": self.view(body), "componentType": 5126, "count": len(values), "type": kind})
        return len(self.accessors) - 1

    def picture(self, size, pixel):
        self.images.append({"bufferView": self.view(png(size, pixel)), "mimeType": "image/png"})

    def square(self, low=0, high=1, other=None):
        """Seen from +z; its coordinates are from low to high, and those of the second set as `other` makes of them."""
        uv = [(low, high), (high, high), (high, low), (low, high), (high, low), (low, low)]
        attributes = {"POSITION": self.vectors([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, -1, 0), (1, 1, 0), (-1, 1, 0)]),
                      "NORMAL": self.vectors([(0, 0, 1)] * 6), "TEXCOORD_0": self.vectors(uv)}
        if other:
            attributes["TEXCOORD_1"] = self.vectors([other(*at) for at in uv])
        return {"attributes": attributes, "material": 0}

    def write(self, name, primitive, material, nodes=None, sampler=None):
        gltf = {"asset": {"version": "2.0"}, "nodes": nodes or [{"mesh": 0}], "meshes": [{"primitives": [primitive]}], "materials": [material],
                "textures": [{"source": i, "sampler": 0} for i in range(len(self.images))], "samplers": [sampler or {}], "images": self.images,
                "accessors": self.accessors, "bufferViews": self.views, "buffers": [{"byteLength": len(self.data)}]}
        text = json.dumps(gltf).encode()
        text += b" " * (-len(text) % 4)
        data = self.data + b"\0" * (-len(self.data) % 4)
        with open(name + ".glb", "wb") as out:
            out.write(struct.pack("<IIIII", 0x46546C67, 2, 28 + len(text) + len(data), len(text), 0x4E4F534A) + text)
            out.write(struct.pack("<II", len(data), 0x4E4942) + data)


def unlit(**info):
    return {"extensions": {"KHR_materials_unlit": {}}, "pbrMetallicRoughness": {"baseColorTexture": dict(index=0, **info)}}


def emitting(**info):
    return {"pbrMetallicRoughness": {"baseColorFactor": [0, 0, 0, 1]}, "emissiveFactor": [1, 1, 1], "emissiveTexture": dict(index=0, **info)}


def pair(name, first, second, coordinates_a=(0, 1), coordinates_b=(0, 1), size_b=8, pixel_b=colors, other=None, sampler=None):
    for end, material, coordinates, size, pixel, wrap in ("a", first, coordinates_a, 8, colors, sampler), ("b", second, coordinates_b, size_b, pixel_b, None):
        scene = Scene()
        scene.picture(size, pixel)
        scene.write(name + "-" + end, scene.square(*coordinates, other=other if end == "a" else None), material, None, wrap)


pair("emission", emitting(), unlit())
pair("second set", emitting(texCoord=1), unlit(), coordinates_a=(0, 0.3), other=lambda u, v: (u / 0.3, v / 0.3))
transform = {"offset": [0.25, 0], "scale": [0.75, 0.5], "rotation": 1.5707963267948966}
scene = Scene()
scene.picture(8, colors)
scene.write("transform-a", scene.square(), emitting(extensions={"KHR_texture_transform": transform}))
scene = Scene()
scene.picture(8, colors)
square = scene.square(other=turn)
square["attributes"]["TEXCOORD_0"] = square["attributes"].pop("TEXCOORD_1")
scene.write("transform-b", square, unlit())
inside = (8 / 32, 24 / 32)  # of a picture that goes on beyond what is seen, so that it need not repeat


def mirror(x):
    return min((x - 8) % 16, 15 - (x - 8) % 16)


def clamp(x):
    return min(max(x - 8, 0), 7)


pair("mirrored", unlit(), unlit(), coordinates_a=(0, 2), coordinates_b=inside, size_b=32, sampler={"wrapS": 33648, "wrapT": 33648},
     pixel_b=lambda x, y: colors(mirror(x), mirror(y)))
pair("clamped", unlit(), unlit(), coordinates_a=(-0.5, 1.5), coordinates_b=(4 / 32, 20 / 32), size_b=32,
     sampler={"wrapS": 33071, "wrapT": 33071}, pixel_b=lambda x, y: colors(clamp(x), clamp(y)))
pair("mirrored emission", emitting(), unlit(), coordinates_a=(0, 2), coordinates_b=inside, size_b=32,
     sampler={"wrapS": 33648, "wrapT": 33071}, pixel_b=lambda x, y: colors(mirror(x), clamp(y)))
# On a back without direct light, all that a surface has is the light from everywhere, which an occlusion of 0 takes away.
dark = {"occlusionTexture": {"index": 0}}, {"pbrMetallicRoughness": {"baseColorFactor": [0, 0, 0, 1]}}
for end, material in zip("ab", dark):
    scene = Scene()
    scene.picture(2, lambda x, y: (0, 255, 255))
    scene.write("occlusion-" + end, scene.square(), dict(material, doubleSided=True), [{"mesh": 0, "rotation": [0, 1, 0, 0]}])
for end in "ab":
    scene = Scene()
    scene.picture(8, colors)
    square = scene.square()
    places = [(-0.5, -0.5, 0), (0.5, 0.25, -1), (0, 0.5, 0.5)]
    turns = [(0, 0, 0, 1), (0, 0.6, 0, 0.8), (0, 0, 0.8, 0.6)]
    sizes = [(0.5, 0.5, 0.5), (0.25, 0.5, 1), (0.3, 0.3, 0.3)]
    attributes = {"TRANSLATION": scene.vectors(places), "ROTATION": scene.vectors(turns), "SCALE": scene.vectors(sizes)}
    nodes = [{"mesh": 0, "scale": [0.8, 0.8, 0.8], "extensions": {"EXT_mesh_gpu_instancing": {"attributes": attributes}}}]
    if end == "b":
        nodes = [{"scale": [0.8, 0.8, 0.8], "children": [1, 2, 3]}]
        nodes += [{"mesh": 0, "translation": p, "rotation": t, "scale": s} for p, t, s in zip(places, turns, sizes)]
    scene.write("instances-" + end, square, unlit(), nodes)
