#!/bin/sh
# SPDX-License-Identifier: MIT
# Several sounds in a film: offsets, gains, fades, ranges, loudness.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
tiny_job
sed 's/file: film.mp4, gop: 5/file: film.mkv, gop: 5, audio_codec: pcm_f32le/' tiny.yaml >one.yaml

# The same sound twice at half the amplitude (-6.0206 dB) is the sound, up to the rounding of floats.
sed 's/^audio: .*/sounds: [ { file: noise.wav, gain_db: -6.020599913 }, { file: noise.wav, gain_db: -6.020599913 } ]/' one.yaml >two.yaml
run 0 render one.yaml -q -o one.mkv
run 0 render two.yaml -q -o two.mkv --set 'warnings.hide=[sound-length]'
run 0 compare one.mkv two.mkv --tolerance 0.2
run 0 render two.yaml -q -o loud.mkv --loudness -30
run 1 compare one.mkv loud.mkv --tolerance 0.01

# Half of it: the range begins at the offset.
sed 's/^audio: .*/sounds: [ { file: noise.wav, range_s: [0, 2] }, { file: noise.wav, range_s: [2, 0], offset_s: 2 } ]/' one.yaml >halves.yaml
run 0 render halves.yaml -q -o halves.mkv
run 0 compare two.mkv halves.mkv --tolerance 0.2

# Shards have the same sound.
mkdir shards
for part in 1/2 2/2; do run 0 render halves.yaml -q -o shards/halves.mkv --shard "$part"; done
run 0 join halves.yaml -q -o shards/halves.mkv
expect_same halves.mkv shards/halves.mkv

# The sound of a video, as an operand and in a job.
run 0 render one.yaml -q --overwrite -o sound.mkv --set audio=one.mkv --set 'warnings.hide=[sound-length]'
run 0 render board.x sound.mkv --dump-config
expect_text out 'sound.mkv'
run 0 info one.mkv
expect_text out 'channels'
run 2 render board.x camera.vmd absent.mp4
expect_text err 'did you mean -o absent.mp4?'

# Mistakes.
run 78 render halves.yaml --set 'sounds.0.range_s=[2, 1]'
expect_text err 'sounds.0.range_s: the end, 1 s, is not after the start, 2 s'
run 66 render halves.yaml --set sounds.0.file=missing.wav
expect_text err 'missing.wav'
run 65 render halves.yaml --set sounds.0.file=board.x
expect_text err 'not a supported sound file'
run 2 render one.yaml --loudness 3
expect_text err 'loudness_lufs: 3 is out of range (-70..-5)'
finish
