# SPDX-License-Identifier: MIT
"""Tests of the package with the program in $ODORI, and with programs that misbehave.

usage: python3 -m unittest discover configs/python/tests      in a directory with tiny.yaml (tests/cli/tiny.sh)
"""

import io
import json
import os
import signal
import struct
import sys
import tarfile
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import odori  # noqa: E402
from odori import process, stream  # noqa: E402

JOB = {
    "version": 1,
    "models": [{"id": "board", "file": "board.x"}],
    "camera": {"fixed": {"target": [0, 10, 0], "distance": -40, "fov_deg": 40}},
    "shadows": {"ground": False, "self": False},
    "render": {"size": [64, 32], "fps": 5, "frames": "0-2", "workers": 1, "edges": False},
}


def values(array):
    """All values of an array, with or without NumPy."""
    return memoryview(array).cast("B").cast(memoryview(array).format).tolist()


class Frames(unittest.TestCase):
    def test_pictures_are_those_of_other_formats(self):
        with tempfile.TemporaryDirectory() as out:
            raw = Path(out, "film.rgb")
            job = {**JOB, "outputs": [{"file": raw, "format": "rawvideo"}]}
            written = odori.render(job)
            self.assertEqual([(o.file, o.bytes) for o in written], [(str(raw), 3 * 64 * 32 * 3)])
            film = odori.frames(JOB)
            self.assertEqual((film.width, film.height, film.fps, len(film)), (64, 32, 5, 3))
            frames = list(film)
            self.assertEqual([(f.number, f.time_s) for f in frames], [(0, 0), (1, 0.2), (2, 0.4)])
            self.assertEqual(b"".join(bytes(f["beauty"]) for f in frames), raw.read_bytes())

    def test_passes(self):
        seen = []
        names = [name for name in odori.PASSES if name != "pose"]
        film = odori.frames(JOB, names, frames="1", progress=seen.append, settings={"render.size": [60, 30]})
        (frame,) = film
        self.assertEqual(film.passes, names)
        self.assertEqual(memoryview(frame["depth"]).shape, (30, 60))
        self.assertEqual(memoryview(frame["motion"]).shape, (30, 60, 4))
        self.assertEqual(memoryview(frame["normal"]).shape, (30, 60, 3))
        # The board is at right angles to the view, 40 units away; it is 10 of 60 and 15 of 30 units large.
        depth = [z for z in values(frame["depth"]) if z != float("inf")]
        self.assertTrue(all(abs(z - 40) < 1e-4 for z in depth))
        self.assertAlmostEqual(len(depth) / (60 * 30), 10 * 15 / (2 * 29.118 * 29.118), delta=0.02)
        labels = values(frame["mask-model"])
        self.assertEqual(set(labels), {0, 1})
        self.assertEqual(labels.count(1), len(depth))
        self.assertEqual(film.labels["mask-model"], ["board"])
        self.assertEqual(len(film.labels["mask-material"]), 2)
        self.assertEqual(frame["keypoints"]["people"], [])
        self.assertEqual(set(values(frame["motion"])), {0.0})
        row = [sum(v * m for v, m in zip((0, 10, 0, 1), c)) for c in zip(*frame["camera"]["world_to_ndc"])]
        self.assertAlmostEqual(row[0] / row[3], 0.5, 5)
        self.assertAlmostEqual(row[1] / row[3], 0.5, 5)
        self.assertEqual((seen[-1].stage, seen[-1].done, seen[-1].total), ("render", 1, 1))

    def test_alpha(self):
        job = {**JOB, "background": {"alpha": True}}
        (frame,) = odori.frames(job, frames="0")
        self.assertEqual(memoryview(frame["beauty"]).shape, (32, 64, 4))
        alphas = values(frame["beauty"])[3::4]
        self.assertEqual((alphas[0], alphas[16 * 64 + 32]), (0, 255))

    def test_files_and_directories(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            here = os.getcwd()
            os.chdir(elsewhere)
            try:
                (frame,) = odori.frames(JOB, frames="0", directory=here)
                (same,) = odori.frames([Path(here, "board.x")], frames="0", settings={"render.size": [64, 32]})
            finally:
                os.chdir(here)
        self.assertEqual(memoryview(frame["beauty"]).shape, memoryview(same["beauty"]).shape)
        (tiny,) = odori.frames("tiny.yaml", frames="3")
        self.assertEqual(tiny.number, 3)

    def test_abandoned(self):
        film = odori.frames({**JOB, "render": {**JOB["render"], "frames": "0-5000"}})
        for frame in film:
            break
        del frame
        self.assertIsNotNone(film._process._child.returncode)
        with odori.frames(JOB) as film:
            pass
        self.assertIsNotNone(film._process._child.returncode)

    def test_the_archive_is_a_plain_one(self):
        with tempfile.TemporaryDirectory() as out:
            file = Path(out, "film.tar")
            odori.render({**JOB, "outputs": [{"file": file, "passes": ["depth", "camera"]}]})
            with tarfile.open(file) as archive:
                names = archive.getnames()
                self.assertEqual(names[:3], ["__film__", "00000.depth.npy", "00000.camera.json"])
                self.assertEqual(len(names), 1 + 2 * 3)
                data = archive.extractfile("00002.depth.npy").read()
            self.assertEqual(len(data), 128 + 4 * 64 * 32)
            self.assertEqual(struct.unpack_from("<f", data, 128 + 4 * (16 * 64 + 32))[0], 40)


class Errors(unittest.TestCase):
    def test_job(self):
        job = {"version": 1, "models": [{"file": "board.x"}], "render": {"sise": 3}}
        with self.assertRaises(odori.OdoriError) as caught:
            odori.frames(job)
        error = caught.exception
        text = json.dumps(job, indent=1).split("\n")
        self.assertEqual((error.status, error.file), (78, "<stdin>"))
        self.assertIn("sise", text[error.line - 1])
        self.assertEqual(error.problems[0].hint, "did you mean 'size'?")
        self.assertEqual(error.problems[0].code, "job")
        self.assertIn("unknown key 'render.sise'", str(error))

    def test_file(self):
        with tempfile.TemporaryDirectory() as out:
            file = Path(out, "job.yaml")
            file.write_text("version: 1\nmodels:\n  - missing.pmx\noutputs: [ { file: x.mp4 } ]\n")
            with self.assertRaises(odori.OdoriError) as caught:
                odori.render(file)
            self.assertEqual(caught.exception.status, 66)
            self.assertEqual((caught.exception.file, caught.exception.line), (str(file), 3))
            problems = odori.check(file)
        self.assertEqual([(p.severity, p.code, p.line) for p in problems], [("error", "missing", 3)])
        self.assertEqual([p for p in odori.check("tiny.yaml") if p.severity == "error"], [])

    def test_arguments(self):
        with self.assertRaisesRegex(ValueError, "depht"):
            odori.frames(JOB, ["depht"])
        with self.assertRaisesRegex(FileNotFoundError, "no-such-program"):
            odori.frames(JOB, program="no-such-program")
        self.assertIn("odori", odori.version())


class OtherPrograms(unittest.TestCase):
    """Programs that are not odori: the process is read and ended all the same."""

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        grace = process.GRACE_S
        self.addCleanup(lambda: setattr(process, "GRACE_S", grace))

    def program(self, text):
        file = Path(self.directory.name, "program")
        file.write_text("#!/bin/sh\n" + text)
        file.chmod(0o755)
        return file

    def archive(self, **members):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for name, data in members.items():
                info = tarfile.TarInfo(name.replace("_DOT_", "."))
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
        file = Path(self.directory.name, "archive.tar")
        file.write_bytes(out.getvalue())
        return file

    def film(self, frames):
        text = {"width": 2, "height": 1, "fps": [24, 1], "frames": frames}
        text["passes"] = [{"name": "depth", "extension": "npy"}]
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }".ljust(118)
        npy = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack("<2f", 1.5, -2)
        return self.archive(__film__=json.dumps(text).encode(), **{"00007_DOT_depth_DOT_npy": npy})

    def test_many_messages_block_nothing(self):
        flood = "head -c 3000000 /dev/zero | tr '\\0' 'x' >&2; echo >&2; "
        program = self.program(f"{flood} head -c 4096 '{self.film(1)}'; {flood} tail -c +4097 '{self.film(1)}'\n")
        (frame,) = odori.frames({}, program=program)
        self.assertEqual((frame.number, values(frame["depth"])), (7, [1.5, -2.0]))

    def test_failures(self):
        with self.assertRaisesRegex(odori.OdoriError, "it hurts") as caught:
            odori.frames({}, program=self.program("echo it hurts >&2; exit 3\n"))
        self.assertEqual(caught.exception.status, 3)
        film = odori.frames({}, program=self.program(f"head -c 2048 '{self.film(2)}'; kill -9 $$\n"))
        with self.assertRaises(odori.OdoriError) as caught:
            list(film)
        self.assertEqual(caught.exception.status, -signal.SIGKILL)
        film = odori.frames({}, program=self.program(f"head -c 2048 '{self.film(2)}'\n"))
        with self.assertRaisesRegex(odori.OdoriError, "ends too early"):
            list(film)
        with self.assertRaisesRegex(ValueError, "not a tar archive"):
            odori.frames({}, program=self.program("head -c 600 /dev/zero | tr '\\0' x\n"))

    def test_a_program_that_does_not_stop_is_killed(self):
        process.GRACE_S = 0.2
        program = self.program(f"trap '' TERM\ncat '{self.film(2)}'\nwhile :; do sleep 0.05; done\n")
        start = time.monotonic()
        film = odori.frames({}, program=program)
        film.close()
        film.close()
        self.assertEqual(film._process._child.returncode, -signal.SIGKILL)
        self.assertLess(time.monotonic() - start, 60)

    def test_a_callback_that_fails_ends_the_program(self):
        line = json.dumps({"v": 1, "event": "stage", "stage": "load", "total": 0, "skipped": 0})
        line = line.replace('{"v": 1,', '{"v":1,')

        def fail(_):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            odori.frames({}, program=self.program(f"echo '{line}' >&2; sleep 100\n"), progress=fail)


class Arrays(unittest.TestCase):
    def test_damaged(self):
        with self.assertRaises(ValueError):
            stream.array_of(bytearray(b"\x93NUMPY\x02\x00" + bytes(100)))
        with self.assertRaises(ValueError):
            stream.array_of(bytearray(b"\x93NUMPY\x01\x00\xff\xff" + bytes(100)))


if __name__ == "__main__":
    unittest.main()
