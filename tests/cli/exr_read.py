# SPDX-License-Identifier: MIT
"""Reads OpenEXR files (one part, scanlines, ZIP or none) and Cryptomattes, with nothing but Python's library.

usage: exr_read.py FILE               names of the channels, then the texts of the header
       exr_read.py FILE CHANNEL       least, largest and mean value of a channel
       exr_read.py FILE CHANNEL X Y   one value
       exr_read.py FILE LAYER NAME    the sum of a name's coverage in a Cryptomatte, and its largest value
       exr_read.py --alpha FILE LAYER     mean difference of the sum of a Cryptomatte's coverages from alpha, where that is
                                          neither 0 nor 1, and the number of such pixels
       exr_read.py --camera FILE X Y Z...  points of the world, by the matrices of the header: the box around them in the
                                      image, the box of what is drawn (Z below 1e9), in pixels; then the largest difference of
                                      Z from the distance of those that are drawn; focal length, time code
       exr_read.py --check FILE       whether every id of every Cryptomatte is in its manifest, with the right hash
"""
import array
import json
import struct
import sys
import zlib


def text(data, at):
    end = data.index(0, at)
    return data[at:end].decode(), end + 1


def read_channels(value):
    at, channels = 0, []
    while value[at]:
        name, at = text(value, at)
        channels.append((name, struct.unpack_from("<i", value, at)[0]))
        at += 16
    return channels


def read_header(data):
    magic, version = struct.unpack_from("<II", data)
    assert magic == 20000630 and version == 2, "not a plain OpenEXR file"
    at, header = 8, {}
    while data[at]:
        name, at = text(data, at)
        kind, at = text(data, at)
        size = struct.unpack_from("<I", data, at)[0]
        value = data[at + 4:at + 4 + size]
        at += 4 + size
        header[name] = value.decode() if kind == "string" else read_channels(value) if kind == "chlist" else value
    return header, at + 1


def unpack(block):
    """Inflates, sums up the differences of bytes, and interleaves both halves."""
    packed = bytearray(zlib.decompress(block))
    value = packed[0]
    for i in range(1, len(packed)):
        value = (value + packed[i] - 128) & 255
        packed[i] = value
    half = (len(packed) + 1) // 2
    out = bytearray(len(packed))
    out[0::2], out[1::2] = packed[:half], packed[half:]
    return bytes(out)


def read(path):
    """Header and {channel: (width, rows of numbers)}; floats and the bits of floats."""
    with open(path, "rb") as file:
        data = file.read()
    header, at = read_header(data)
    left, top, right, bottom = struct.unpack("<iiii", header["dataWindow"])
    width, height = right - left + 1, bottom - top + 1
    lines = {0: 1, 2: 1, 3: 16}[header["compression"][0]]
    sizes = [2 if kind == 1 else 4 for _, kind in header["channels"]]
    planes = {name: [b""] * height for name, _ in header["channels"]}
    for offset in struct.unpack_from("<%dQ" % -(-height // lines), data, at):
        y, size = struct.unpack_from("<iI", data, offset)
        count = min(lines, top + height - y)
        block = data[offset + 8:offset + 8 + size]
        if size < sum(sizes) * width * count:
            block = unpack(block)
        place = 0
        for row in range(count):
            for (name, _), bytes_each in zip(header["channels"], sizes):
                planes[name][y - top + row] = block[place:place + bytes_each * width]
                place += bytes_each * width
    return header, width, height, {name: b"".join(rows) for name, rows in planes.items()}


def values(header, planes, name):
    kind = dict(header["channels"])[name]
    return struct.unpack("<%d%s" % (len(planes[name]) // (2 if kind == 1 else 4), " ef"[kind]), planes[name])


def murmur(name):
    """MurmurHash3_x86_32 of the UTF-8 name, seed 0; from the description of the algorithm."""
    data, mask = name.encode(), 0xFFFFFFFF
    blocks = [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]
    result = 0
    for i, block in enumerate(blocks):
        block = block * 0xCC9E2D51 & mask
        result ^= (block << 15 | block >> 17) * 0x1B873593 & mask
        if 4 * i + 4 <= len(data):
            result = ((result << 13 | result >> 19) * 5 + 0xE6546B64) & mask
    result ^= len(data)
    result = (result ^ result >> 16) * 0x85EBCA6B & mask
    result = (result ^ result >> 13) * 0xC2B2AE35 & mask
    return result ^ result >> 16


def identity(name):
    value = murmur(name)
    return value ^ 1 << 23 if value >> 23 & 255 in (0, 255) else value


def layers(header):
    """{name of a Cryptomatte: its manifest}"""
    found = {}
    for key, value in header.items():
        if key.startswith("cryptomatte/") and key.endswith("/name"):
            prefix = key[:-len("name")]
            assert prefix == "cryptomatte/%s/" % ("%08x" % murmur(value))[:7], prefix
            assert header[prefix + "hash"] == "MurmurHash3_32" and header[prefix + "conversion"] == "uint32_to_float32"
            found[value] = json.loads(header[prefix + "manifest"])
    return found


def ranks(header, planes, layer):
    """Bits of ids, and coverages, rank by rank."""
    result = []
    for i in range(99):
        if "%s%02d.R" % (layer, i) not in planes:
            break
        for identifier, coverage in ("RG", "BA"):
            ids = array.array("I", planes["%s%02d.%s" % (layer, i, identifier)])
            result.append((ids, values(header, planes, "%s%02d.%s" % (layer, i, coverage))))
    assert result, "no Cryptomatte " + layer
    return result


def matte(header, planes, layer, name):
    wanted = int(layers(header)[layer][name], 16)
    total = [0.0] * len(ranks(header, planes, layer)[0][0])
    for ids, coverages in ranks(header, planes, layer):
        for i, found in enumerate(ids):
            if found == wanted:
                total[i] += coverages[i]
    return total


def check(header, planes):
    for layer, manifest in layers(header).items():
        assert all(int(value, 16) == identity(name) for name, value in manifest.items()), layer + ": manifest"
        known, sums, before = {int(value, 16) for value in manifest.values()}, None, None
        for ids, coverages in ranks(header, planes, layer):
            assert all((found in known) if coverage else not found for found, coverage in zip(ids, coverages)), layer
            assert before is None or all(a >= b for a, b in zip(before, coverages)), layer + ": order of ranks"
            sums, before = [a + b for a, b in zip(sums or [0.0] * len(ids), coverages)], coverages
        assert max(sums) <= 1.0, layer + ": more than a pixel"
    print("good:", *sorted(layers(header)))


def transform(matrix, point):
    """A row vector times a matrix of rows."""
    row = (*point, 1.0)
    x, y, z, w = (sum(row[i] * matrix[4 * i + c] for i in range(4)) for c in range(4))
    return x / w, y / w, z / w


def camera(header, width, height, planes, points):
    ndc, world = (struct.unpack("<16f", header[name]) for name in ("worldToNDC", "worldToCamera"))
    depth = values(header, planes, "Z")
    places = [(x * width, y * height) for x, y, _ in (transform(ndc, p) for p in points)]
    drawn = [(i % width, i // width) for i, z in enumerate(depth) if z < 1e9]
    away = []
    for (x, y), point in zip(places, points):
        if (int(x), int(y)) in drawn:
            away.append(abs(depth[int(y) * width + int(x)] - transform(world, point)[2]))
    for box in (places, drawn):
        least, most = [min(c) for c in zip(*box)], [max(c) + (box is drawn) for c in zip(*box)]
        print("%.2f %.2f %.2f %.2f" % (*least, *most))
    focal, pitch = (struct.unpack("<f", header[name])[0] for name in ("pinholeFocalLength", "sensorPhotositePitch"))
    code = struct.unpack("<I", header["timeCode"][:4])[0]
    print("%.4f" % max(away))
    print("%.3f mm, %.3f pixels, window %.4f, time code %08x" %
          (focal, focal * 1000 / pitch, struct.unpack("<f", header["screenWindowWidth"])[0], code))


def main(arguments):
    if arguments[0] == "--camera":
        header, width, height, planes = read(arguments[1])
        numbers = [float(a) for a in arguments[2:]]
        camera(header, width, height, planes, list(zip(numbers[0::3], numbers[1::3], numbers[2::3])))
        return
    if arguments[0] == "--check":
        header, _, _, planes = read(arguments[1])
        check(header, planes)
        return
    if arguments[0] == "--alpha":
        header, _, _, planes = read(arguments[1])
        sums = [sum(pixel) for pixel in zip(*(coverages for _, coverages in ranks(header, planes, arguments[2])))]
        soft = [abs(a - b) for a, b in zip(values(header, planes, "A"), sums) if 0 < a < 1]
        print("%.6g %d" % (sum(soft) / len(soft), len(soft)))
        return
    header, width, _, planes = read(arguments[0])
    if len(arguments) == 1:
        print(*planes, *("%s: %s" % item for item in header.items() if isinstance(item[1], str)), sep="\n")
    elif len(arguments) == 2:
        numbers = values(header, planes, arguments[1])
        print("%.9g %.9g %.9g" % (min(numbers), max(numbers), sum(numbers) / len(numbers)))
    elif len(arguments) == 4:
        print("%.9g" % values(header, planes, arguments[1])[int(arguments[3]) * width + int(arguments[2])])
    else:
        total = matte(header, planes, arguments[1], arguments[2])
        print("%.6g %.6g" % (sum(total), max(total)))


if __name__ == "__main__":
    main(sys.argv[1:])
