# SPDX-License-Identifier: MIT
"""Lets all materials of a .pmx file cast and receive self-shadows, as those of every .pmd stage do:

    python3 shadow_flags.py FROM TO
"""
import struct
import sys

CAST_AND_RECEIVE = 0x0C
# Bytes of a vertex's weights without the indices of bones, and their number, by the type of deformation.
WEIGHTS = {0: (0, 1), 1: (4, 2), 2: (16, 4), 3: (40, 2), 4: (16, 4)}


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 8
        count = self.byte()
        self.sizes = data[self.at:self.at + count]  # encoding, UV, index sizes: vertex, texture, material, bone
        self.at += count

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def count(self):
        self.at += 4
        return struct.unpack_from("<I", self.data, self.at - 4)[0]

    def skip(self, size):
        self.at += size

    def texts(self, number):
        for _ in range(number):
            self.skip(self.count())


def main():
    with open(sys.argv[1], "rb") as source:
        file = Reader(bytearray(source.read()))
    _, uv, vertex, texture, _, bone = file.sizes[:6]
    file.texts(4)
    for _ in range(file.count()):
        file.skip(32 + 16 * uv)
        weights, bones = WEIGHTS[file.byte()]
        file.skip(weights + bones * bone + 4)
    file.skip(vertex * file.count())
    file.texts(file.count())
    for _ in range(file.count()):
        file.texts(2)
        file.skip(44)  # colors
        file.data[file.at] |= CAST_AND_RECEIVE
        file.skip(21 + 2 * texture + 1)  # flags, edge, texture, sphere map and its mode
        file.skip(1 if file.byte() else texture)
        file.texts(1)
        file.skip(4)
    with open(sys.argv[2], "wb") as out:
        out.write(file.data)


main()
