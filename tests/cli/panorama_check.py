#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks at frames in archives of arrays (.tar): where colors are, and how two frames differ."""
import sys
import tarfile


def frame(path):
    """The rows of the first picture, each a list of (r, g, b)."""
    with tarfile.open(path) as pack:
        name = next(n for n in pack.getnames() if n.endswith("beauty.npy"))
        data = pack.extractfile(name).read()
    shape = data.split(b"'shape': (")[1].split(b")")[0]
    height, width, channels = (int(n) for n in shape.split(b","))
    pixels = data[len(data) - height * width * channels:]
    row = width * channels
    return [[tuple(pixels[y * row + x:y * row + x + 3]) for x in range(0, row, channels)] for y in range(height)]


def is_color(pixel, wanted):
    return all((value > 60) == bool(w) for value, w in zip(pixel, wanted)) and max(pixel) > 60


def find(path, rows, color, left, right, top, bottom):
    """The mean place of the pixels of a color, '100' is red, in a part of the image."""
    wanted = [int(c) for c in color]
    places = [(x + 0.5, y + 0.5) for y in range(top, bottom) for x in range(left, right) if is_color(rows[y][x], wanted)]
    if not places:
        sys.exit("%s: no pixel of color %s" % (path, color))
    return [sum(p[i] for p in places) / len(places) for i in (0, 1)]


def at(path, *places):
    """FILE "COLOR X Y TOLERANCE [LEFT RIGHT TOP BOTTOM]"...: prints a line for each that is there"""
    rows = frame(path)
    for text in places:
        color, x, y, tolerance, *part = text.split()
        part = [int(n) for n in part] or [0, len(rows[0]), 0, len(rows)]
        place = find(path, rows, color, *part)
        if abs(place[0] - float(x)) > float(tolerance) or abs(place[1] - float(y)) > float(tolerance):
            sys.exit("%s: color %s is at %.2f %.2f instead of %s %s" % (path, color, *place, x, y))
        print("ok")


def middle(whole, half):
    """FILE FILE: the second image is the middle half of the first one."""
    rows, inner = frame(whole), frame(half)
    quarter = len(rows[0]) // 4
    if [row[quarter:-quarter] for row in rows] != inner:
        sys.exit("%s is not the middle of %s" % (half, whole))


def seams(path, turned):
    """FILE FILE: of 360 degrees; the second one was turned by 45 degrees.  The vertical seams of each are where the other one
    has none: differences there are those of the sampling elsewhere."""
    a, b = frame(path), frame(turned)
    width, beside, sums = len(a[0]), 2, {True: [0, 0], False: [0, 0]}
    eighth = width // 8
    for y, row in enumerate(a):
        for x, pixel in enumerate(row):
            difference = max(abs(p - q) for p, q in zip(pixel, b[y][(x + eighth) % width]))
            place = x % (2 * eighth) - eighth  # seams are at 1/8, 3/8, 5/8 and 7/8, of the other image at 0, 2/8, ...
            at_seam = -beside <= place < beside or place < -eighth + beside or place >= eighth - beside
            sums[at_seam][0] += difference
            sums[at_seam][1] += 1
    here, elsewhere = (sums[k][0] / sums[k][1] for k in (True, False))
    if elsewhere > 3 or here > 1.5 * elsewhere + 0.3:
        sys.exit("the mean difference is %.2f at seams, %.2f elsewhere" % (here, elsewhere))
    print("mean difference: %.2f at seams, %.2f elsewhere" % (here, elsewhere))


{"at": at, "middle": middle, "seams": seams}[sys.argv[1]](*sys.argv[2:])
