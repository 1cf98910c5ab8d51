# SPDX-License-Identifier: MIT
"""Reads the archive of arrays that `odori render -o - --output-format tar` writes.

It is a plain tar archive (ustar) of NumPy files (.npy, version 1.0) and JSON, so that other
programs can read it with `tar` and NumPy, or as a WebDataset.
"""

from __future__ import annotations

import ast
from typing import Any, Callable, Iterator, Tuple

try:
    import numpy
except ImportError:  # arrays are memoryviews then
    numpy = None  # type: ignore[assignment]

BLOCK = 512

#: A numpy.ndarray [rows, columns(, channels)], or without NumPy a memoryview of this shape.
Array = Any


def read_members(read: Callable[[int], bytearray]) -> Iterator[Tuple[str, bytearray]]:
    """Names and contents; read(n) returns exactly n bytes."""
    while True:
        header = read(BLOCK)
        if not any(header):
            return
        if header[257:262] != b"ustar":
            raise ValueError("not a tar archive")
        size = int(header[124:135], 8)
        data = read(size)
        read(-size % BLOCK)
        yield header[:100].rstrip(b"\0").decode(), data


def array_of(data: bytearray) -> Array:
    """The array of a NumPy file, without a copy."""
    start = 10 + int.from_bytes(data[8:10], "little")
    if data[:8] != b"\x93NUMPY\x01\x00" or start > len(data):
        raise ValueError("not an array of NumPy, version 1.0")
    header = ast.literal_eval(data[10:start].decode("latin-1"))
    kind, shape = header["descr"], header["shape"]
    if numpy is not None:
        return numpy.frombuffer(data, kind, offset=start).reshape(shape)
    return memoryview(data)[start:].cast({"|u1": "B", "<u2": "H", "<f4": "f"}[kind], list(shape))
