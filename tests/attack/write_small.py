#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: write_small.py FORMAT   writes a file of at most 10,000 bytes that takes as much as its format allows, and what uses it (up.*), into the current directory."""
import binascii
import io
import json
import struct
import sys
import zipfile
import zlib

SIZE = 10_000


def largest(make, high):
    """The largest of make(1) to make(high) within SIZE bytes; their sizes rise."""
    low = 1
    while low < high:
        middle = (low + high + 1) // 2
        if len(make(middle)) <= SIZE:
            low = middle
        else:
            high = middle - 1
    return make(low)


def repeated(head, item, tail=b""):
    return head + item * ((SIZE - len(head) - len(tail)) // len(item)) + tail


def png(bits):
    """A square of zeros: bits for each pixel, 1 or 8."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", binascii.crc32(kind + data))

    def make(side):
        row = b"\0" * (1 + (side * bits + 7) // 8)
        stream = zlib.compressobj(9)
        data = b"".join(stream.compress(row) for _ in range(side)) + stream.flush()
        return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, bits, 0, 0, 0, 0)) +
                chunk(b"IDAT", data) + chunk(b"IEND", b""))
    return largest(make, 8192)


def gif():
    """A square of one color, whose codes stand for longer and longer runs."""
    def codes(count):
        out, held, bits, width, following, run = bytearray(), 0, 0, 3, 6, 1

        def put(code):
            nonlocal held, bits
            held |= code << bits
            bits += width
            while bits >= 8:
                out.append(held & 255)
                held >>= 8
                bits -= 8
        put(4)
        put(0)
        count -= 1
        while count > run:
            put(following)
            run, following = run + 1, following + 1
            count -= run
            if following == 1 << width and width < 12:
                width += 1
            if following == 4095:
                put(4)
                width, following, run = 3, 6, 1
                put(0)
                count -= 1
        put(5)
        out.append(held & 255)
        return b"".join(bytes([len(out[i:i + 255])]) + out[i:i + 255] for i in range(0, len(out), 255)) + b"\0"

    def make(side):
        return (b"GIF89a" + struct.pack("<HHBBB", side, side, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff" + b"\x2c" +
                struct.pack("<HHHHB", 0, 0, side, side, 0) + b"\2" + codes(side * side) + b";")
    return largest(make, 4000)


def bmp():
    """Rows of 8192 pixels in runs of 255."""
    def make(rows):
        data = (b"\xff\0" * (8192 // 255) + bytes([8192 % 255, 0]) + b"\0\0") * rows + b"\0\1"
        return (b"BM" + struct.pack("<IHHI", 62 + len(data), 0, 0, 62) +
                struct.pack("<IiiHHIIiiII", 40, 8192, rows, 1, 8, 1, len(data), 0, 0, 2, 0) + b"\0\0\0\0\xff\xff\xff\0" + data)
    return largest(make, 8192)


def tga():
    """Rows of 512 pixels of 32 bits in runs of 128."""
    return largest(lambda rows: struct.pack("<BBBHHBHHHHBB", 0, 0, 10, 0, 0, 0, 0, 0, 512, rows, 32, 8) +
                   b"\xff\1\2\3\4" * (rows * 4), 8192)


def flac():
    """Frames of 65,535 equal samples of 8 channels."""
    def crc(data, polynomial, width):
        value, top = 0, 1 << (width - 1)
        for byte in data:
            value ^= byte << (width - 8)
            for _ in range(8):
                value = (value << 1 ^ polynomial if value & top else value << 1) & (2 * top - 1)
        return value

    def frame(index):
        head = b"\xff\xf8\x74\x78" + chr(index).encode() + struct.pack(">H", 65534)
        head += bytes([crc(head, 7, 8)]) + b"\0\0\0" * 8
        return head + struct.pack(">H", crc(head, 0x8005, 16))
    frames = b"".join(frame(i) for i in range(270))
    info = struct.pack(">HH", 65535, 65535) + b"\0" * 6 + (8000 << 44 | 7 << 41 | 15 << 36 | 270 * 65535).to_bytes(8, "big") + b"\0" * 16
    return b"fLaC\x80" + len(info).to_bytes(3, "big") + info + frames


def lha():
    """Method -lh5-: blocks of 65,535 copies of 256 bytes, whose only codes take no bits."""
    blocks = SIZE // 6 - 60
    bits = (format(65535, "016b") + "0" * 19 + format(509, "09b") + "0" * 8) * blocks
    bits += "0" * (-len(bits) % 8)
    data = int(bits, 2).to_bytes(len(bits) // 8, "big")[:SIZE - 100]
    head = b"-lh5-" + struct.pack("<IIIBBB", len(data), 0xFFFFFFF0, 0, 0x20, 0, 5) + b"a.png\0\0"
    return bytes([len(head), sum(head) & 255]) + head + data + b"\0"


def zipped(method):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr("a.pmx", b"\0" * (9_000_000 if method == zipfile.ZIP_DEFLATED else 60_000_000))
    return out.getvalue()


def ass(text):
    head = ("[Script Info]\nScriptType: v4.00+\nPlayResX: 64\nPlayResY: 36\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\n"
            "Style: D,sans,20\n[Events]\nFormat: Layer, Start, End, Style, Text\n")
    return repeated(head.encode(), ("Dialogue: 0,0:00:00.00,9:00:00.00,D,%s\n" % text).encode())


def bvh():
    joints = 120
    head = ("HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation Zrotation\n" +
            "".join("JOINT b%d\n{\nOFFSET 0 1 0\nCHANNELS 0\n" % i for i in range(joints)) + "End Site\n{\nOFFSET 0 1 0\n}\n" + "}\n" * (joints + 1))
    rows = (SIZE - len(head) - 60) // 12
    return (head + "MOTION\nFrames: %d\nFrame Time: 0.001\n" % rows + "0 0 0 0 0 0\n" * rows).encode()


def pmx(list_index, item):
    """One of the nine lists of a model has items: vertices, faces, textures, materials, bones, morphs, frames, bodies, joints."""
    head = b"PMX " + struct.pack("<f", 2.0) + bytes([8, 1, 0, 1, 1, 1, 1, 1, 1]) + b"\0" * 16 + b"\0\0\0\0" * list_index
    tail = b"\0\0\0\0" * (8 - list_index)
    count = (SIZE - len(head) - len(tail) - 4) // len(item)
    return head + struct.pack("<i", count) + item * count + tail


def vmd():
    count = (SIZE - 62) // 111
    keys = (struct.pack("<15sI7f", b"b%d" % i, 0xFFFFFF00 + i % 200, 0, 0, 0, 0, 0, 0, 1) + b"\x14" * 64 for i in range(count))
    return b"Vocaloid Motion Data 0002" + b"\0" * 25 + struct.pack("<I", count) + b"".join(keys) + b"\0" * 20


def glb(scene):
    text = json.dumps(scene, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    return struct.pack("<III", 0x46546C67, 2, 20 + len(text)) + struct.pack("<II", len(text), 0x4E4F534A) + text


def scene(**more):
    return dict({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}]}, **more)


def sparse(uses):
    return glb(scene(nodes=[{"mesh": 0}], meshes=[{"primitives": [{"attributes": {"POSITION": 0}}] * uses}],
                     accessors=[{"componentType": 5126, "count": 2_000_000, "type": "VEC3"}]))


def vrm(joints):
    names = ("hips", "spine", "head", "leftUpperArm", "leftLowerArm", "leftHand", "rightUpperArm", "rightLowerArm", "rightHand", "leftUpperLeg",
             "leftLowerLeg", "leftFoot", "rightUpperLeg", "rightLowerLeg", "rightFoot")
    springs = [{"joints": [{"node": i % 15} for i in range(joints)]}]
    return glb(scene(nodes=[{"name": n, "children": [i + 1]} for i, n in enumerate(names[:-1])] + [{}],
                     extensions={"VRMC_vrm": {"specVersion": "1.0", "humanoid": {"humanBones": {n: {"node": i} for i, n in enumerate(names)}}},
                                 "VRMC_springBone": {"springs": springs}}))


def vrma(channels):
    return glb(scene(nodes=[{"name": "hips"}], extensions={"VRMC_vrm_animation": {"specVersion": "1.0", "humanoid": {"humanBones": {"hips": {"node": 0}}}}},
                     accessors=[{"componentType": 5126, "count": 2_000_000, "type": "SCALAR"}, {"componentType": 5126, "count": 2_000_000, "type": "VEC4"}],
                     animations=[{"channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}] * channels,
                                  "samplers": [{"input": 0, "output": 1}]}]))


JOB = """version: 1
models: [%s]
%srender: { size: [64, 36], samples: 1, fps: 30, frames: 0-1, workers: 1 }
shadows: { ground: false, self: false, map_size: 256 }
outputs: [o/a.mp4]
"""
BOARD = """xof 0303txt 0032
Mesh { 4; -9;0;0;, 9;0;0;, 9;18;0;, -9;18;0;; 2; 4;0,1,2,3;, 4;3,2,1,0;;
MeshNormals { 1; 0;0;-1;; 2; 4;0,0,0,0;, 4;0,0,0,0;; }
MeshMaterialList { 1; 2; 0, 0; Material { 1;1;1;1;; 5; 0;0;0;; 0;0;0;; %s } } }
"""


def write(name, data):
    with open(name, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())


def uses(model, keys="", texture=""):
    write("board.x", BOARD % ('TextureFilename { "%s"; }' % texture if texture else ""))
    write("up.yaml", JOB % (model, keys))


def as_model(name): uses(name)
def as_texture(name): uses("board.x", texture=name)
def as_motion(name): uses("{ file: board.x, motions: [%s] }" % name)
def as_sound(name): uses("board.x", "audio: { file: %s }\n" % name)
def as_subtitles(name): uses("board.x", "subtitles: %s\n" % name)
def as_lut(name): uses("board.x", "look: { grade: { lut: %s } }\n" % name)
def as_it_is(_name): pass


BONE = struct.pack("<ii3fbiH3f", 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0)
SUBTITLE = "1\n00:00:00,000 --> 99:00:00,000\n<font size=1000>あ</font>\n\n".encode()
SMALL = {
    "png-1": ("t.png", lambda: png(1), as_texture),
    "png-8": ("t.png", lambda: png(8), as_texture),
    "gif": ("t.gif", gif, as_texture),
    "bmp": ("t.bmp", bmp, as_texture),
    "tga": ("t.tga", tga, as_texture),
    "flac": ("t.flac", flac, as_sound),
    "midi": ("t.mid", lambda: b"MThd" + struct.pack(">IHHH", 6, 0, 1, 96) + b"MTrk" + struct.pack(">I", 9604) + b"\0\x90\x3c\x40" * 2400 + b"\0\xff\x2f\0", as_sound),
    "cube": ("t.cube", lambda: repeated(b"LUT_3D_SIZE 256\n", b"0 0 0\n"), as_lut),
    "srt": ("t.srt", lambda: repeated(b"", SUBTITLE), as_subtitles),
    "ass": ("t.ass", lambda: ass("{\\fs20000\\blur100\\bord100}あ"), as_subtitles),
    "ass-drawing": ("t.ass", lambda: ass("{\\p1\\fscx100000\\fscy100000}m 0 0 l 9999 0 9999 9999 0 9999"), as_subtitles),
    "bvh": ("t.bvh", bvh, as_motion),
    "vmd": ("t.vmd", vmd, as_motion),
    "vrma": ("t.vrma", lambda: vrma(180), as_motion),
    "pmx-bones": ("t.pmx", lambda: pmx(4, BONE), as_model),
    "pmx-morphs": ("t.pmx", lambda: pmx(5, struct.pack("<iibbi", 0, 0, 1, 1, 0)), as_model),
    "x": ("t.x", lambda: repeated(b"xof 0303txt 0032\n", b"Mesh{1;0;0;0;;1;3;0,0,0;;}"), as_model),
    "glb-nodes": ("t.glb", lambda: glb(scene(nodes=[{}] * 3000)), as_model),
    "glb-sparse": ("t.glb", lambda: sparse(290), as_model),
    "vrm-joints": ("t.vrm", lambda: vrm(600), as_model),
    "zip": ("t.zip", lambda: zipped(zipfile.ZIP_DEFLATED), as_model),
    "zip-lzma": ("t.zip", lambda: zipped(zipfile.ZIP_LZMA), as_model),
    "lha": ("t.lzh", lha, as_model),
    "pmm": ("up.pmm", lambda: b"Polygon Movie maker 0002\0\0\0\0\0\0" + struct.pack("<ii", 1920, 1080) + b"\x7f" * 9000, as_it_is),
    "yaml": ("up.yaml", lambda: repeated(b"version: 1\noutputs: [a.mp4]\nmodels: [", b"{file: a.pmx},", b"]\n"), as_it_is),
}
if len(sys.argv) == 1:
    print(*SMALL)
else:
    file, make, how = SMALL[sys.argv[1]]
    content = make()
    assert len(content) <= SIZE, len(content)
    how(file)
    write(file, content)
