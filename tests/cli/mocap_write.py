# SPDX-License-Identifier: MIT
"""Writes a walk as motion capture of seven rigs does: python3 mocap_write.py RIG FILE

mixamo   BVH, T-pose, +y up, facing +z, centimetres, names of Mixamo, fingers, 120 frames a second
hanging  BVH, arms hang and legs are apart at rest, +z up, facing -y, inches, names of SMPL, 30 frames a second
folded   BVH, all limbs along x at rest, +y up, names of Rokoko, fingers, 60 frames a second
vrm      VRMA, T-pose of joints with any roll, below a node that is turned, moved and scaled, fingers, 30 frames a second
fbx      FBX, binary with zipped arrays or, of a file *.text.fbx, text: bind pose as in vrm, models in the pose of the
         first frame, rotations before and after, two orders of angles, names of MotionBuilder, 30 frames a second

glb      GLB without a humanoid: nodes as in vrm, but in the pose of the first frame; a skin with the T-pose, in a mesh with
         +z up and other units; names of MotionBuilder, fingers, rotations of 16 bits; a take that moves nothing before it

smpl     NPZ of AMASS: the neutral body of SMPL, whose limbs are not straight at rest, +z up, no fingers, 120 frames a second

All seven are the same movement: world rotations `Q` of joints since a T-pose, in metres, +y up, facing +z.  The frame
`F` that a joint has in the T-pose is what differs: an offset is F^-1 d, a local rotation (Q F of the parent)^-1 Q F.
"""
import json
import math
import os
import struct
import sys
import zipfile
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from export_check import axis_angle, multiply, rotate  # noqa: E402

ONE = [0, 0, 0, 1]
RIG, PATH = sys.argv[1:3]
RATE = {"mixamo": 120, "hanging": 30, "folded": 60, "vrm": 30, "fbx": 30, "glb": 30, "smpl": 120}[RIG]
FRAMES = 2 * RATE + 1


def inverse(q):
    return [-q[0], -q[1], -q[2], q[3]]


def turn(axis, degrees):
    return axis_angle("xyz".index(axis), degrees)


# ---- the skeleton in its T-pose: name, parent, offset from it ----
joints = [("hips", None, (0, 0.93, 0)), ("spine", "hips", (0, 0.1, 0)), ("chest", "spine", (0, 0.2, 0)),
          ("neck", "chest", (0, 0.2, 0)), ("head", "neck", (0, 0.1, 0))]
FINGERS = ("Thumb", "Index", "Middle", "Ring", "Little") if RIG not in ("hanging", "smpl") else ()
for side, x in (("left", 1), ("right", -1)):
    def limb(name, parent, offset):
        joints.append((side + name, parent if parent in ("chest", "hips") else side + parent,
                       (x * offset[0], offset[1], offset[2])))
    limb("Shoulder", "chest", (0.05, 0.15, 0))
    limb("UpperArm", "Shoulder", (0.12, 0, 0))
    limb("LowerArm", "UpperArm", (0.27, 0, 0))
    limb("Hand", "LowerArm", (0.25, 0, 0))
    for k, finger in enumerate(FINGERS):
        first = (0.02, -0.01, 0.03) if finger == "Thumb" else (0.09, 0, 0.045 - 0.02 * k)
        limb(finger + "1", "Hand", first)
        for n in (2, 3):
            limb(finger + str(n), finger + str(n - 1), (0.02, 0, 0.025) if finger == "Thumb" else (0.03, 0, 0))
    limb("UpperLeg", "hips", (0.09, -0.05, 0))
    limb("LowerLeg", "UpperLeg", (0, -0.42, 0))
    limb("Foot", "LowerLeg", (0, -0.38, 0))
    limb("Toes", "Foot", (0, -0.06, 0.13))
parents = {name: parent for name, parent, _ in joints}
offsets = {name: offset for name, _, offset in joints}


# ---- the movement ----
def local(name, phase):
    """The rotation of a joint against its parent, since the T-pose."""
    x = 1 if name.startswith("left") else -1
    swing = math.sin(phase)
    part = name[4:] if x > 0 and name != "hips" else name[5:]
    if name == "hips":
        return multiply(turn("y", 40 + 10 * swing), turn("x", 5))
    if name in ("spine", "chest"):
        return multiply(turn("y", -5 * swing), turn("x", 3 * math.cos(phase)))
    if name == "head":
        return turn("x", 10 * swing)
    if part == "UpperArm":
        return multiply(turn("x", -30 * x * swing), turn("z", -70 * x))
    if part == "LowerArm":
        return turn("y", -x * (25 + 15 * swing))
    if part == "Hand":
        return multiply(turn("x", 15 * swing), turn("z", -10 * x))
    if part.startswith("Thumb"):
        return turn("y", x * (5 + 5 * swing))
    if part[:-1] in FINGERS:
        return turn("z", -x * (20 + 15 * swing))
    if part == "UpperLeg":
        return multiply(turn("x", -28 * x * swing), turn("z", 4 * x))
    if part == "LowerLeg":
        return turn("x", 20 + 18 * x * swing)
    if part == "Foot":  # about flat
        return turn("x", 10 * x * swing - 25)
    return ONE


def rotations(phase):
    """World rotations since the T-pose, and places with the hips at 0."""
    turns, places = {None: ONE}, {None: [0, 0, 0]}
    for name, parent, offset in joints:
        turns[name] = multiply(turns[parent], local(name, phase))
        if parent:
            offset = [a + b for a, b in zip(places[parent], rotate(turns[parent], offset))]
        places[name] = list(offset) if parent else [0, 0, 0]
    return turns, places


def walk():
    """For each frame the rotations, and the place of the hips that keeps the lower foot where it is."""
    fine, hips, before, found = 120, [0, 0, 0], None, []
    for k in range(2 * fine + 1):
        turns, places = rotations(2 * math.pi * k / fine)
        foot = min(("leftFoot", "rightFoot"), key=lambda name: places[name][1])
        if before:
            hips = [h - b + a for h, b, a in zip(hips, places[foot], before[foot])]
        hips[1] = 0.08 - places[foot][1]
        before = places
        if k % (fine // RATE) == 0:
            found.append((turns, list(hips)))
    return found


# ---- the frames of joints in the T-pose ----
def along_x(name):
    """x along the limb and z the axis about which it bends, as in rigs whose rest pose is folded."""
    x = 1 if name.startswith("left") else -1
    part = name[4:] if x > 0 else name[5:]
    if name == "hips":
        return ONE
    if name in ("spine", "chest", "neck", "head"):
        return turn("z", 90)
    if part in ("UpperLeg", "LowerLeg"):
        return multiply(turn("z", -90), turn("x", 90))
    if part in ("Foot", "Toes"):
        return multiply(turn("y", -90), turn("x", 90))
    return multiply(turn("y", 0 if x > 0 else 180), turn("x", -90 * x))


def frame_of(name):
    x = 1 if name.startswith("left") else -1
    part = name[4:] if x > 0 else name[5:]
    if RIG == "hanging" and part in ("UpperArm", "LowerArm", "Hand"):
        return turn("z", 90 * x)
    if RIG == "hanging" and part in ("UpperLeg", "LowerLeg"):
        return turn("z", -15 * x)
    if RIG == "folded":
        return along_x(name)
    if RIG in ("vrm", "fbx", "glb"):
        return multiply(turn("x", 50 + 7 * len(name)), turn("y", -130 * x))
    return ONE


frames = {name: frame_of(name) for name in parents}
frames[None] = ONE


def in_frame(name):
    return rotate(inverse(frames[parents[name]]), offsets[name])


def local_rotation(name, turns):
    parent = parents[name]
    above = multiply(turns[parent], frames[parent])
    return multiply(inverse(above), multiply(turns[name], frames[name]))


# ---- BVH ----
MIXAMO = {"hips": "Hips", "spine": "Spine", "chest": "Spine1", "neck": "Neck", "head": "Head", "UpperArm": "Arm",
          "LowerArm": "ForeArm", "UpperLeg": "UpLeg", "LowerLeg": "Leg", "Toes": "ToeBase"}
SMPL = {"hips": "Pelvis", "spine": "Spine1", "chest": "Spine3", "neck": "Neck", "head": "Head", "Shoulder": "Collar",
        "UpperArm": "Shoulder", "LowerArm": "Elbow", "Hand": "Wrist", "UpperLeg": "Hip", "LowerLeg": "Knee",
        "Foot": "Ankle", "Toes": "Foot"}


def bvh_name(name):
    side = "left" if name.startswith("left") else "right" if name.startswith("right") else ""
    part = name[len(side):]
    if RIG == "hanging":
        return side[:1].upper() + ("_" if side else "") + SMPL[part]
    if part[:-1] in FINGERS:
        part = "Hand" + part.replace("Little", "Pinky")
    return ("mixamorig:" if RIG == "mixamo" else "") + side.capitalize() + MIXAMO.get(part, part)


UNIT = {"mixamo": 100, "hanging": 39.37, "folded": 100}.get(RIG, 1)


def to_file(v):
    """Metres, +y up, to the axes of the file."""
    v = [UNIT * a for a in v]
    return [v[0], -v[2], v[1]] if RIG == "hanging" else v


def euler(q, xyz=RIG == "folded"):
    """Angles a, b, c with q = Rz(a) Rx(b) Ry(c); of folded limbs, which would need b = 90, Rz(a) Ry(b) Rx(c)."""
    x, y, z, w = q
    if xyz:
        b = math.asin(max(-1, min(1, 2 * (w * y - z * x))))
        a = math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        c = math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
        return [math.degrees(v) for v in (a, b, c)]
    b = math.asin(max(-1, min(1, 2 * (y * z + x * w))))
    a = math.atan2(-2 * (x * y - z * w), 1 - 2 * (x * x + z * z))
    c = math.atan2(-2 * (x * z - y * w), 1 - 2 * (x * x + y * y))
    return [math.degrees(v) for v in (a, b, c)]


def hierarchy(name, depth):
    pad = "  " * depth
    children = [c for c, p, _ in joints if p == name]
    order.append(name)
    offset = to_file((0, 0, 0) if name == "hips" else in_frame(name))
    text = "%s%s %s\n%s{\n" % (pad, "JOINT" if depth else "ROOT", bvh_name(name), pad)
    text += "%s  OFFSET %.6f %.6f %.6f\n" % ((pad,) + tuple(offset))
    text += pad + ("  CHANNELS 3 " if depth else "  CHANNELS 6 Xposition Yposition Zposition ")
    text += "Zrotation Yrotation Xrotation\n" if RIG == "folded" else "Zrotation Xrotation Yrotation\n"
    for child in children:
        text += hierarchy(child, depth + 1)
    if not children:
        end = to_file(rotate(inverse(frames[name]), [0.5 * v for v in offsets[name]]))
        text += "%s  End Site\n%s  {\n%s    OFFSET %.6f %.6f %.6f\n%s  }\n" % ((pad,) * 3 + tuple(end) + (pad,))
    return text + pad + "}\n"


def write_bvh():
    text = "HIERARCHY\n" + hierarchy("hips", 0) + "MOTION\nFrames: %d\nFrame Time: %.8f\n" % (FRAMES, 1 / RATE)
    for turns, place in walk():
        values = to_file(place)
        for name in order:
            q = local_rotation(name, turns)
            if RIG == "hanging":  # as a vector, the axis turns with the file
                q = [q[0], -q[2], q[1], q[3]]
            values += euler(q)
        text += " ".join("%.6f" % v for v in values) + "\n"
    open(PATH, "w").write(text)


# ---- VRMA, GLB ----
ROOT_SCALE = 2.0


def vrm_name(name):
    if name[-1] not in "123":
        return name
    thumb = "Thumb" in name
    return name[:-1] + (("Metacarpal", "Proximal", "Distal") if thumb else ("Proximal", "Intermediate", "Distal"))[int(name[-1]) - 1]


def tpose(name):
    """The place of a joint in the T-pose."""
    return [0, 0, 0] if name is None else [a + b for a, b in zip(tpose(parents[name]), offsets[name])]


def inverse_bind(name):
    """By columns, of a mesh in inches with +z up: (F s)^-1 (M v - p), with the scale s of the root and M = Rx(-90) / 39.37."""
    scale, turned = 0.0254 / ROOT_SCALE, turn("x", 90)
    back = multiply(inverse(frames[name]), inverse(turned))
    columns = [rotate(back, [scale * (i == k) for i in range(3)]) + [0] for k in range(3)]
    return sum(columns, []) + [-a / ROOT_SCALE for a in rotate(inverse(frames[name]), tpose(name))] + [1]


def write_gltf():
    """Nodes after their children, so that a reader has to sort them."""
    plain, poses = RIG == "glb", walk()
    names = [name for name, _, _ in joints][::-1] + ["root"]
    root_turn, root_scale = turn("y", 30), ROOT_SCALE
    nodes, data, views, accessors, samplers, channels = [], b"", [], [], [], []
    for name in names:
        children = [i for i, n in enumerate(names) if n != "root" and (parents[n] or "root") == name]
        if name == "root":
            nodes.append({"name": "root", "children": children, "rotation": root_turn, "scale": [root_scale] * 3, "translation": [1, 0, 2]})
            continue
        at = in_frame(name) if parents[name] else rotate(inverse(root_turn), offsets[name])
        at = [a / root_scale for a in at] if not parents[name] else at
        rest = multiply(inverse(frames[parents[name]]), frames[name])
        if not parents[name]:
            rest = multiply(inverse(root_turn), rest)
        if plain:
            rest = local_rotation(name, poses[0][0])
            rest = rest if parents[name] else multiply(inverse(root_turn), rest)
        nodes.append({"name": fbx_name(name) if plain else "node of " + name, "translation": at if not parents[name] else [a / root_scale for a in at],
                      "rotation": rest, "children": children})

    def accessor(rows, kind):
        nonlocal data
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": 4 * len(rows) * len(rows[0])})
        accessors.append({"bufferView": len(views) - 1, "componentType": 5126, "count": len(rows), "type": kind})
        if plain and kind == "VEC4":
            accessors[-1].update(componentType=5122, normalized=True)
            views[-1]["byteLength"] //= 2
            data += b"".join(struct.pack("<4h", *(round(32767 * a) for a in r)) for r in rows)
        else:
            data += b"".join(struct.pack("<%df" % len(r), *r) for r in rows)
        return len(accessors) - 1

    times = accessor([[k / RATE] for k in range(FRAMES)], "SCALAR")

    def channel(name, path, rows, kind):
        samplers.append({"input": times, "output": accessor(rows, kind)})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": names.index(name), "path": path}})

    for name in parents:
        rows = [local_rotation(name, turns) for turns, _ in poses]
        if not parents[name]:
            rows = [multiply(inverse(root_turn), q) for q in rows]
            channel(name, "translation", [[a / root_scale for a in rotate(inverse(root_turn), place)] for _, place in poses], "VEC3")
        channel(name, "rotation", rows, "VEC4")
    document = {"asset": {"version": "2.0"}, "nodes": nodes, "animations": [{"name": "walk", "samplers": samplers, "channels": channels}]}
    if plain:
        document["animations"].insert(0, {"name": "still", "samplers": [], "channels": []})
        document["skins"] = [{"joints": [names.index(n) for n in parents if n], "inverseBindMatrices": accessor(
            [inverse_bind(n) for n in parents if n], "MAT4")}]
    else:
        document.update(extensionsUsed=["VRMC_vrm_animation"], extensions={"VRMC_vrm_animation": {"specVersion": "1.0", "humanoid": {
            "humanBones": {vrm_name(n): {"node": names.index(n)} for n in parents}}}})
    document.update(bufferViews=views, accessors=accessors, buffers=[{"byteLength": len(data)}])
    if PATH.endswith(".gltf"):
        document["buffers"][0]["uri"] = "walk%20data.bin"
        open("walk data.bin", "wb").write(data)
        json.dump(document, open(PATH, "w"))
        return
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    size = 28 + len(text) + len(data)
    open(PATH, "wb").write(struct.pack("<5I", 0x46546C67, 2, size, len(text), 0x4E4F534A) + text +
                           struct.pack("<2I", len(data), 0x004E4942) + data)


# ---- FBX ----
SECOND = 46186158000


def fbx_name(name):
    side = "left" if name.startswith("left") else "right" if name.startswith("right") else ""
    part = name[len(side):]
    if part[:-1] in FINGERS:
        part = "Hand" + part.replace("Little", "Pinky")
    return "Character1_" + side.capitalize() + MIXAMO.get(part, part)


def as_text(node, depth=0):
    """A record is (name, values, children); an array is (type, numbers)."""
    name, values, children = node
    words = []
    for v in values:
        if isinstance(v, tuple):
            words.append("*%d {\n a: %s\n}" % (len(v[1]), ",".join("%.9g" % x if v[0] in "fd" else str(x) for x in v[1])))
        elif isinstance(v, bytes):
            words.append('"%s"' % v.decode())
        else:
            words.append(repr(v))
    text = "\t" * depth + name + ": " + ", ".join(words)
    return text + (" {\n" + "".join(as_text(c, depth + 1) for c in children) + "\t" * depth + "}" if children else "") + "\n"


def as_binary(node, at):
    name, values, children = node
    data = b""
    for v in values:
        if isinstance(v, tuple):
            packed = zlib.compress(struct.pack("<%d%s" % (len(v[1]), v[0].replace("l", "q")), *v[1]))
            data += v[0].encode() + struct.pack("<3I", len(v[1]), 1, len(packed)) + packed
        elif isinstance(v, bytes):
            v = b"\0\1".join(v.split(b"::")[::-1])
            data += b"S" + struct.pack("<I", len(v)) + v
        elif isinstance(v, float):
            data += b"D" + struct.pack("<d", v)
        else:
            data += b"L" + struct.pack("<q", v)
    body = name.encode() + data
    size = 13 + len(body)
    below = b""
    for child in children:
        below += as_binary(child, at + size + len(below))
    below += bytes(13) if children else b""
    return struct.pack("<3IB", at + size + len(below), len(values), len(data), len(name)) + body + below


def write_fbx():
    poses = walk()
    names = [name for name, _, _ in joints][::-1]  # children first
    objects, links, bind, ids = [], [], [], {n: 1000 + i for i, n in enumerate(names)}
    times = ("l", [SECOND * k // RATE for k in range(FRAMES)])

    def p(name, *values):
        return ("P", [name, b"", b"", b""] + list(values), [])

    def curves(target, prop, rows, label):
        node = 2000 + len(objects)
        objects.append(("AnimationCurveNode", [node, b"AnimCurveNode::" + label, b""], []))
        links.append(("C", [b"OO", node, 1], []))
        links.append(("C", [b"OP", node, target, prop], []))
        for axis, values in zip((b"d|X", b"d|Y", b"d|Z"), zip(*rows)):
            curve = 2000 + len(objects)
            objects.append(("AnimationCurve", [curve, b"AnimCurve::", b""], [
                ("KeyTime", [times], []), ("KeyValueFloat", [("f", list(values))], []), ("KeyAttrFlags", [("i", [4])], []),
                ("KeyAttrDataFloat", [("f", [0, 0, 0, 0])], []), ("KeyAttrRefCount", [("i", [FRAMES])], [])]))
            links.append(("C", [b"OP", curve, node, axis], []))

    where = {None: [0, 0, 0]}
    for name, parent, offset in joints:
        where[name] = [a + b for a, b in zip(where[parent], offset)]
    for k, name in enumerate(names):
        xyz = k % 2 == 0
        before, after = turn("x", 20 + k), turn("z", 35)
        rows = []
        for turns, _ in poses:
            q = multiply(multiply(inverse(before), local_rotation(name, turns)), after)
            a, b, c = euler(q, xyz)
            rows.append([c, b, a] if xyz else [b, c, a])
        places = [[100 * v for v in (place if name == "hips" else in_frame(name))] for _, place in poses]
        objects.append(("Model", [ids[name], b"Model::" + fbx_name(name).encode(), b"LimbNode"], [("Properties70", [], [
            p(b"RotationOrder", 0 if xyz else 3), p(b"RotationActive", 1), p(b"PreRotation", 20.0 + k, 0.0, 0.0),
            p(b"PostRotation", 0.0, 0.0, 35.0), p(b"Lcl Translation", *map(float, places[0])),
            p(b"Lcl Rotation", *map(float, rows[0]))])]))
        links.append(("C", [b"OO", ids[name], ids.get(parents[name], 0)], []))
        curves(ids[name], b"Lcl Rotation", rows, b"R")
        if name == "hips":
            curves(ids[name], b"Lcl Translation", places, b"T")
        columns = [rotate(frames[name], v) + [0] for v in ([1, 0, 0], [0, 1, 0], [0, 0, 1])]
        matrix = sum(columns, []) + [100 * v for v in where[name]] + [1]
        bind.append(("PoseNode", [], [("Node", [ids[name]], []), ("Matrix", [("d", [float(v) for v in matrix])], [])]))
    objects += [("Model", [900, b"Model::Body", b"Mesh"], []), ("Pose", [901, b"Pose::bind", b"BindPose"], bind),
                ("AnimationStack", [2, b"AnimStack::walk", b""], []), ("AnimationLayer", [1, b"AnimLayer::base", b""], [])]
    links += [("C", [b"OO", 1, 2], []), ("C", [b"OO", 900, 0], [])]
    settings = [p(b"UpAxis", 1), p(b"FrontAxis", 2), p(b"CoordAxis", 0), p(b"TimeMode", 6)]
    text = PATH.endswith(".text.fbx")
    version = 7100 if text else 7400
    records = [("FBXHeaderExtension", [], [("FBXVersion", [version], [])]), ("GlobalSettings", [], [("Properties70", [], settings)]),
               ("Objects", [], objects), ("Connections", [], links)]
    if text:
        data = ("; FBX 7.1.0 project file\n" + "".join(map(as_text, records))).encode()
    else:
        data = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", version)
        for record in records:
            data += as_binary(record, len(data))
        data += bytes(13)
    open(PATH, "wb").write(data)


# ---- SMPL ----
SMPL_JOINTS = ("hips leftUpperLeg rightUpperLeg spine leftLowerLeg rightLowerLeg - leftFoot rightFoot chest leftToes rightToes neck "
               "leftShoulder rightShoulder head leftUpperArm rightUpperArm leftLowerArm rightLowerArm leftHand rightHand").split()
SMPL_PARENTS = (-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19)
# From a joint to the next one at rest, in metres: smpl_humanoid.xml of PHC.
SMPL_LIMBS = {"leftShoulder": (0.091, 0.0305, -0.0089), "rightShoulder": (-0.096, 0.0326, -0.0091),
              "leftUpperLeg": (0.0343, -0.3752, -0.0045), "rightUpperLeg": (-0.0383, -0.3826, -0.0089),
              "leftLowerLeg": (-0.0136, -0.398, -0.0437), "rightLowerLeg": (0.0158, -0.3984, -0.0423),
              "leftUpperArm": (0.2596, -0.0128, -0.0275), "rightUpperArm": (-0.2537, -0.0133, -0.0214),
              "leftLowerArm": (0.2492, 0.009, -0.0012), "rightLowerArm": (-0.2553, 0.0078, -0.0056)}


def straighten(name):
    """The shortest rotation from a limb of the body at rest to that of the T-pose."""
    name = name.replace("Hand", "LowerArm")
    if name not in SMPL_LIMBS:
        return ONE
    a = [v / math.hypot(*SMPL_LIMBS[name]) for v in SMPL_LIMBS[name]]
    b = [0, -1, 0] if name.endswith("Leg") else [math.copysign(1, a[0]), 0, 0]
    q = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], 1 + sum(x * y for x, y in zip(a, b))]
    return [v / math.hypot(*q) for v in q]


def array(name, shape, values):
    header = "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }" % (shape,)
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return name + ".npy", b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<%dd" % len(values), *values)


def write_smpl():
    poses, trans = [], []
    for turns, place in walk():
        worlds = []
        for k, name in enumerate(SMPL_JOINTS):
            own = turns["spine"] if name == "-" else multiply(turns[name], straighten(name))
            worlds.append(own)
            q = multiply(inverse(worlds[SMPL_PARENTS[k]]), own) if k else multiply(turn("x", 90), own)
            q = q if q[3] >= 0 else [-v for v in q]
            size = math.hypot(*q[:3])
            poses += [v * 2 * math.atan2(size, q[3]) / (size or 1) for v in q[:3]]
        trans += [place[0], -place[2], place[1]]
    with zipfile.ZipFile(PATH, "w", zipfile.ZIP_DEFLATED) as file:
        for entry in (array("poses", (FRAMES, 66), poses), array("trans", (FRAMES, 3), trans), array("mocap_framerate", (), [RATE])):
            file.writestr(*entry)


order = []
if RIG == "fbx":
    write_fbx()
elif RIG == "smpl":
    write_smpl()
elif RIG in ("vrm", "glb"):
    write_gltf()
else:
    write_bvh()
