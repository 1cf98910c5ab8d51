# SPDX-License-Identifier: MIT
"""Writes a project of MikuMikuDance from the motions of the demo: python3 pmm_write.py DEMO OUT.pmm [full]

The first model is C:\\Users\\author\\Desktop\\MMD\\Model\\FIGURE.pmx with the keys of DEMO/dance.vmd; camera
and light keys are those of DEMO/camera.vmd.  `full` adds a second model that the hand and then the
head of the first carries, an accessory with keys, a camera that the head carries, and keys of gravity.
Written from format/README.md, apart from the program.
"""
import struct
import sys


def text(data, size):
    return data[:size].ljust(size, b"\0")


def word(data):
    return bytes([len(data)]) + data


def i32(*values):
    return struct.pack("<%di" % len(values), *values)


def f32(*values):
    return struct.pack("<%df" % len(values), *values)


class Vmd:
    def __init__(self, path):
        self.data, self.at = open(path, "rb").read(), 50
        self.bones, self.morphs, self.cameras, self.lights = {}, {}, [], []
        for _ in range(self.count()):
            record = self.take(111)
            frame = struct.unpack_from("<I", record, 15)[0]
            self.bones.setdefault(record[:15].split(b"\0")[0], {})[frame] = record
        for _ in range(self.count()):
            record = self.take(23)
            frame = struct.unpack_from("<I", record, 15)[0]
            self.morphs.setdefault(record[:15].split(b"\0")[0], {})[frame] = record[19:]
        for _ in range(self.count()):
            self.cameras.append(self.take(61))
        for _ in range(self.count()):
            self.lights.append(self.take(28))

    def take(self, size):
        self.at += size
        return self.data[self.at - size:self.at]

    def count(self):
        return struct.unpack("<I", self.take(4))[0] if self.at < len(self.data) else 0


def bone_body(record):
    vector, easing = record[19:47], record[47:63]
    curves = b"".join(bytes([easing[0 + c], easing[4 + c], easing[8 + c], easing[12 + c]]) for c in range(4))
    if record[49:51] == b"\x63\x0f":  # physics off is stored in two bytes of the curves
        row = record[63:79]
        curves = b"".join(bytes([(row[-1 + c] if c > 1 else easing[c]), easing[4 + c], easing[8 + c],
                                 easing[12 + c]]) for c in range(4))
    return curves + vector + b"\0\0"


def track(keys, body, first, numbers, rest):
    """The first key and the linked others of one object."""
    frames = sorted(keys)
    if not frames or frames[0] != 0:
        frames = [0] + frames
    ids = [0] + [numbers + k for k in range(len(frames) - 1)]
    out = []
    for k, frame in enumerate(frames):
        following = ids[k + 1] if k + 1 < len(frames) else 0
        before = 0 if k == 0 else (first if k == 1 else ids[k - 1])
        data = body(keys[frame]) if frame in keys else rest
        out.append((ids[k], i32(frame, before, following) + data))
    return out[0][1], [i32(n) + record for n, record in out[1:]]


def tracks(objects, body, rest):
    firsts, others, number = b"", [], len(objects)
    for index, keys in enumerate(objects):
        first, more = track(keys, body, index, number, rest)
        number += len(more)
        firsts += first
        others += more
    return firsts + i32(len(others)) + b"".join(reversed(others))


demo, out = sys.argv[1:3]
full = sys.argv[3:] == ["full"]
dance, camera = Vmd(demo + "/dance.vmd"), Vmd(demo + "/camera.vmd")
bones, morphs = sorted(dance.bones), sorted(dance.morphs)
linear = bytes([20, 20, 107, 107])
data = text(b"Polygon Movie maker 0002", 30) + i32(64, 36, 200) + f32(30) + bytes(7)
hand, head = bones.index("右手首".encode("cp932")), bones.index("頭".encode("cp932"))
data += b"\0" + (b"\2" if full else b"\1")
data += b"\0" + word("踊り子".encode("cp932")) + word(b"dancer")
data += text(b"C:\\Users\\author\\Desktop\\MMD\\Model\\FIGURE.pmx", 256) + b"\3"
data += i32(len(bones)) + b"".join(map(word, bones)) + i32(len(morphs)) + b"".join(map(word, morphs))
data += i32(0) + i32(0) + b"\0\1" + bytes(20) + b"\0" + bytes(8)
data += tracks([dance.bones[b] for b in bones], bone_body, linear * 4 + f32(0, 0, 0, 0, 0, 0, 1) + b"\0\0")
data += tracks([dance.morphs[m] for m in morphs], lambda w: w + b"\0", f32(0) + b"\0")
data += i32(0, 0, 0) + b"\1\0" + i32(0)
data += bytes(31 * len(bones) + 4 * len(morphs)) + b"\0" + f32(1) + b"\0\0"


def second_model():
    """Its bone センター is carried by the hand, from frame 31 on by the head."""
    rest = linear * 4 + f32(0, 0, 0, 0, 0, 0, 1) + b"\0\0"
    model = b"\1" + word("二".encode("cp932")) + word(b"second")
    model += text(b"E:\\dance\\Model\\Figure.PMX", 256) + b"\3"
    model += i32(1) + word("センター".encode("cp932")) + i32(0) + i32(0) + i32(1, 0)
    model += b"\1\1" + bytes(20) + b"\0" + bytes(8)
    model += i32(0, 0, 0) + rest + i32(0) + i32(0)
    model += i32(0, 0, 1) + b"\1" + i32(0, hand) + b"\0"
    model += i32(1) + i32(1, 31, 0, 0) + b"\1" + i32(0, head) + b"\0"
    return model + bytes(31 + 16) + b"\0" + f32(1) + b"\0\1"


def accessory_key(frame, opacity, model, bone, y, scale, shadow):
    return i32(frame, 0, 0) + bytes([(100 - opacity) << 1 | 1]) + i32(model, bone) \
        + f32(0, y, 0) + f32(0, 0, 0) + f32(scale) + bytes([shadow, 0])


def accessories():
    data = b"\1" + text(b"hat", 100) + b"\0" + text(b"hat", 100)
    data += text("UserFile\\Accessory\\帽子.x".encode("cp932"), 256) + b"\0"
    data += accessory_key(0, 100, 0, head, 4, 1, 1) + i32(2)
    data += i32(1) + accessory_key(31, 80, 1, 0, 9, 2, 0)
    data += i32(2) + accessory_key(41, 30, 1, 0, 10, 1, 0)
    return data + bytes(39)


if full:
    data += second_model()


def camera_body(record):
    frame, = struct.unpack_from("<I", record)
    curves = b"".join(bytes([record[32 + 4 * c], record[34 + 4 * c], record[33 + 4 * c], record[35 + 4 * c]])
                      for c in range(6))
    fov = struct.unpack_from("<I", record, 56)[0]
    return frame, record[4:32] + (i32(0, head) if full else i32(-1, -1)) + curves + bytes([record[60]]) + i32(fov) + b"\0"


keys = dict(map(camera_body, camera.cameras))
data += tracks([keys], lambda b: b, b"")
data += bytes(37)
light = f32(0.6, 0.6, 0.6, -0.5, -1, 0.5) + b"\0"
data += i32(0, 0, 0) + light + i32(0) + bytes(24)
data += bytes(5) + (accessories() if full else b"\0")
data += bytes(18) + b"\1\1" + i32(30, 32) + b"\1" + text(b"D:\\sound\\TUNE.wav", 256)
data += bytes(12) + bytes(256) + i32(0) + bytes(12) + bytes(256) + b"\0"
data += bytes(2) + b"\1" + f32(30) + bytes(12) + b"\1\1"
data += bytes(21) + i32(0, 0, 0) + b"\0" + i32(10) + f32(9.8, 0, -1, 0) + b"\0" + i32(2 if full else 0)
if full:
    data += i32(1, 10, 0, 2) + b"\0" + i32(10) + f32(9.8, 0, -1, 0) + b"\0"
    data += i32(2, 30, 1, 0) + b"\1" + i32(1) + f32(5, 1, -1, 0) + b"\0"
data += b"\1" + f32(0.01125) + i32(0, 0, 0) + b"\1" + f32(0.01125) + b"\0" + i32(0)
data += i32(0, 0, 0) + b"\0" + bytes(80)
open(out, "wb").write(data)
