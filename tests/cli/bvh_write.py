"""Writes a walk as motion capture does: names of Mixamo, T-pose, facing +z, centimetres, 120 frames a second.
The height of the hips keeps the lower foot on the floor."""
import math
import sys

order = []


def joint(name, offset, children, depth=0):
    pad = "  " * depth
    order.append(name)
    text = "%s%s mixamorig:%s\n%s{\n" % (pad, "JOINT" if depth else "ROOT", name, pad)
    text += "%s  OFFSET %g %g %g\n" % ((pad,) + offset)
    text += pad + ("  CHANNELS 3 " if depth else "  CHANNELS 6 Xposition Yposition Zposition ")
    text += "Zrotation Xrotation Yrotation\n"
    for child in children:
        text += joint(*child, depth=depth + 1)
    if not children:
        text += pad + "  End Site\n" + pad + "  {\n" + pad + "    OFFSET 0 -8 5\n" + pad + "  }\n"
    return text + pad + "}\n"


def leg(side, x):
    return (side + "UpLeg", (x, -5, 0), [(side + "Leg", (0, -42, 0), [(side + "Foot", (0, -40, 0), [])])])


def arm(side, x):
    return (side + "Shoulder", (6 * x, 15, 0), [(side + "Arm", (10 * x, 0, 0), [
        (side + "ForeArm", (27 * x, 0, 0), [(side + "Hand", (25 * x, 0, 0), [])])])])


spine = ("Spine", (0, 10, 0), [("Spine1", (0, 12, 0), [
    ("Neck", (0, 20, 0), [("Head", (0, 8, 0), [])]), arm("Left", 1), arm("Right", -1)])])
text = "HIERARCHY\n" + joint("Hips", (0, 0, 0), [leg("Left", 9), leg("Right", -9), spine])
text += "MOTION\nFrames: 241\nFrame Time: %.8f\n" % (1 / 120)
for k in range(241):
    swing = math.sin(2 * math.pi * k / 120)
    values, reach = [], []
    for side in (1, -1):
        hip, knee = math.radians(-35 * side * swing), math.radians(max(0, 40 * side * swing))
        reach.append(42 * math.cos(hip) + 40 * math.cos(hip + knee))
    for name in order:
        side = 1 if "Left" in name else -1
        turn = (0, 0, 0)
        if name == "Hips":
            values += [20 * k / 120, 13 + max(reach), 60 * k / 120]
        elif name.endswith("UpLeg"):
            turn = (0, -35 * side * swing, 0)
        elif name.endswith("Leg"):
            turn = (0, max(0, 40 * side * swing), 0)
        elif name.endswith("ForeArm"):
            turn = (0, 0, -30 * side)
        elif name.endswith("Arm"):
            turn = (-70 * side, 30 * side * swing, 0)
        values += turn
    text += " ".join("%.6f" % v for v in values) + "\n"
open(sys.argv[1], "w").write(text)
