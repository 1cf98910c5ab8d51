#!/bin/sh
# SPDX-License-Identifier: MIT
# Lips that follow a voice: in films, shards, bakes and exported motions; vowels of a synthesizer.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

ln -s "$ODORI_DEMO" demo
# Two times 0.6 s of a at 150 Hz, as a sum of harmonics, from seconds 0.5 and 1.5 of 2.5 s.
python3 - <<'END'
import array, math, random, wave
def level(hz):
    return math.prod(f * f / math.hypot(f * f - hz * hz, 90 * hz) for f in (700, 1250, 2500)) / hz
parts = [(h, level(150 * h)) for h in range(1, 25)]
wave_ = [sum(a * math.sin(2 * math.pi * h * i / 80) for h, a in parts) for i in range(80)]
peak = max(map(abs, wave_))
tone = array.array("h", [int(20000 * wave_[i % 80] / peak) for i in range(7200)])
pause = lambda s: array.array("h", bytes(2 * int(12000 * s)))
voice = pause(0.5) + tone + pause(0.4) + tone + pause(0.4)
draw = random.Random(1)
chord = lambda i: sum(math.sin(2 * math.pi * hz * i / 12000) for hz in (131, 165, 196, 392, 494))
song = array.array("h", [int(v / 2 + 2000 * chord(i) + draw.uniform(-4000, 4000)) for i, v in enumerate(voice)])
for name, samples in ("voice.wav", voice), ("song.wav", song):
    with wave.open(name, "wb") as file:
        file.setnchannels(1), file.setsampwidth(2), file.setframerate(12000)
        file.writeframes(samples.tobytes())
END
cat >job.yaml <<'END'
version: 1
models:
  - { id: singer, file: demo/figure.pmx, face: voice.wav, physics: false }
camera: { fixed: { target: [0, 16.5, 0], distance: -8 } }
shadows: { ground: false, self: false }
render: { size: [32, 32], fps: 30, samples: 1, workers: 1, frames: 0-59 }
outputs: [ whole/film.sha256 ]
END

run 0 check job.yaml
expect_text out 'voice.wav: 1.2 s of voice move あ い う え お of singer; 1 blink'
run 0 check job.yaml --json
expect_text out '{"model":"singer","file":'

# The weight of あ, the first morph of the mouth, at a frame.
weight() { # FRAME ARGUMENT...
    frame=$1
    shift
    run 0 pose job.yaml --frames "$frame" "$@"
    python3 -c 'import json; d = json.load(open("out")); print(round(d["frames"][0]["morphs"][d["morphs"].index("あ")], 6))'
}
expect_weight() { # EXPECTED FRAME ARGUMENT...
    expected=$1
    shift
    got=$(weight "$@")
    if [ "$got" = "$expected" ]; then pass; else fail "weight $got instead of $expected: $*"; fi
}
# Frame 24 is second 0.8, in the first vowel; frame 39 between both.
expect_weight 1 24
expect_weight 0 39
expect_weight 0.4 24 --set models.0.face.strength=0.4
expect_weight 0 24 --set models.0.face.offset_s=2
expect_weight 1 84 --set models.0.face.offset_s=2
# The voice begins with the sound of the film, which it belongs to.
expect_weight 1 84 --set 'audio={file: voice.wav, offset_s: 2}'
expect_weight 1 24 --set 'audio={file: voice.wav, offset_s: 2}' --set models.0.face.offset_s=0
run 0 pose demo/figure.pmx --sing voice.wav --frames 24

# Without a motion the film is as long as the voice.
run 0 plan job.yaml --set render.frames=all
expect_text out '76 frames'

# The same frames in shards, after another range, and from a bake, which belongs to the voice and its offset.
run 0 render job.yaml -q
for shard in 2/2 1/2; do run 0 render job.yaml -q --shard $shard -o shards/film.sha256; done
run 0 join job.yaml -q -o shards/film.sha256
expect_same whole/film.sha256 shards/film.sha256
run 0 bake job.yaml -q -o states.bake
run 0 render job.yaml -q --set physics.bake=states.bake -o baked/film.sha256
expect_same whole/film.sha256 baked/film.sha256
run 65 render job.yaml -q --set physics.bake=states.bake --set 'audio={file: voice.wav, offset_s: 1}' -o other/film.sha256
expect_text err 'states.bake'

# A motion for other programs.
run 0 export job.yaml -q -o lips.vmd
run 0 info lips.vmd
expect_text out 'morphs: 1'

# Mistakes.
run 65 check job.yaml --set models.0.face=demo/tune.mid
expect_text err 'is a MIDI song, which has no voice'
run 65 check job.yaml --set models.0.face=demo/face.png
expect_text err 'is an image, not a sound'
run 66 check job.yaml --set models.0.face=none.wav
run 0 check job.yaml --set models.0.face=song.wav
expect_text err 'lips need a vocal stem'
run 78 check job.yaml --set 'models.0.face.rename={"ア": "あ"}'
expect_text err "no mouth shape 'ア' in face.rename"
run 78 check job.yaml --set 'models.0.face.rename={"あ": "ああ"}'
expect_text err "no morph 'ああ'"

if command -v espeak-ng >/dev/null && espeak-ng -v ja -q -x あ >/dev/null 2>&1; then
    if python3 "$here/../oracle/vowels.py" "$ODORI" demo/figure.pmx few >table; then pass; else fail "vowels: $(cat table)"; fi
else
    skip "espeak-ng is not installed"
fi
finish
