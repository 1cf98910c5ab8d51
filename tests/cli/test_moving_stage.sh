#!/bin/sh
# SPDX-License-Identifier: MIT
# A stage of which one bone turns gives the same pixels with any number of workers, in shards, after a kill, in a still,
# and among the models, where nothing of it is kept from frame to frame.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

ln -s "$ODORI_DEMO" demo
# A wall, a door before it that follows the bone 1, and a rail before a part of the door.
python3 - <<'EOF' || exit 1
import math
import struct

def text(s):
    return struct.pack("<I", len(s)) + s.encode()

vertices, faces, materials = [], [], []
for name, color, bone, left, right, low, high, z in (("wall", (0.8, 0.7, 0.6), 0, -14, 14, 0, 20, 8),
                                                     ("door", (0.5, 0.2, 0.1), 1, -4, 4, 2, 16, 6),
                                                     ("rail", (0.2, 0.3, 0.5), 0, -14, 14, 4, 6, 5)):
    at = len(vertices)
    for x, y in ((left, high), (right, high), (left, low), (right, low)):
        vertices.append(struct.pack("<8fBbf", x, y, z, 0, 0, -1, 0, 0, 0, bone, 1))
    faces += [at, at + 1, at + 2, at + 2, at + 1, at + 3]
    materials.append(text(name) * 2 + struct.pack("<4f3ff3fB5fbbBBbII", 0, 0, 0, 1, 0, 0, 0, 0, *color, 1, 0, 0, 0, 1, 1,
                                                  -1, -1, 0, 0, -1, 0, 6))
bones = [text(name) * 2 + struct.pack("<3fbIH3f", *at, parent, 0, 0x1e, 0, 1, 0)
         for name, at, parent in (("all", (0, 0, 0), -1), ("door", (-4, 9, 6), 0))]
with open("room.pmx", "wb") as out:
    out.write(b"PMX " + struct.pack("<f9B", 2, 8, 1, 0, 1, 1, 1, 1, 1, 1) + text("room") * 2 + text("") * 2)
    out.write(struct.pack("<I", len(vertices)) + b"".join(vertices))
    out.write(struct.pack("<I", len(faces)) + bytes(faces) + struct.pack("<I", 0))
    out.write(struct.pack("<I", len(materials)) + b"".join(materials))
    out.write(struct.pack("<I", len(bones)) + b"".join(bones) + bytes(16))

def key(frame, angle):
    return struct.pack("<15sI3f4f", b"door", frame, 0, 0, 0, 0, math.sin(angle / 2), 0, math.cos(angle / 2)) + bytes(
        [20, 20, 0, 0, 20, 20, 20, 20] + 8 * [107]) * 4

with open("door.vmd", "wb") as out: # turned by 60 degrees from frame 8 to 32
    out.write(struct.pack("<30s20sI", b"Vocaloid Motion Data 0002", b"room", 2) + key(8, 0) + key(32, math.pi / 3))
    out.write(bytes(16))
EOF
cat >job.yaml <<'EOF'
version: 1
models: [ { id: dancer, file: demo/figure.pmx, motions: [demo/dance.vmd], physics: false } ]
stage: [ { file: room.pmx, motions: [door.vmd] } ]
camera: { fixed: { target: [0, 9, 0], distance: -40, fov_deg: 35 } }
render: { size: [96, 54], frames: 0-39, workers: 1 }
EOF
outputs() { echo "outputs=[$1/%02d.png,$1/film.mp4]"; } # DIRECTORY

run 0 render job.yaml -q --set "$(outputs one)"
run 0 render job.yaml -q --set "$(outputs two)" -j 2
run 0 render job.yaml -q --set "$(outputs shards)" --shard 2/2
run 0 render job.yaml -q --set "$(outputs shards)" --shard 1/2
run 0 join job.yaml -q --set "$(outputs shards)"
setsid "$ODORI" render job.yaml -q --set "$(outputs killed)" >out 2>err </dev/null &
pid=$!
tries=0
until [ -e killed/15.png ] || ! kill -0 "$pid" 2>/dev/null || [ $tries = 2400 ]; do tries=$((tries + 1)) && sleep 0.05; done
kill -s KILL -- "-$pid" 2>/dev/null
wait "$pid" 2>/dev/null
run 0 render job.yaml -q --set "$(outputs killed)"
for other in two shards killed; do
    if diff -rq -x '.*' one "$other" >out; then pass; else fail "$other is not one run"; fi
done

run 0 render job.yaml -q -f 27 -o still.png
expect_same one/27.png still.png
run 0 render job.yaml -q -f 27 -o shut.png --set stage.0.motions=[]
if cmp -s still.png shut.png; then fail 'the door does not turn'; else pass; fi

# Among the models, in the same order and without shadows between them.
sed 's/^models: \[/models: [ { file: room.pmx, motions: [door.vmd] },/; /^stage:/d' job.yaml >models.yaml
for job in job models; do
    run 0 render $job.yaml -q -o $job.sha256 --set shadows.ground=false --set shadows.self=false
done
expect_same job.sha256 models.sha256
finish
