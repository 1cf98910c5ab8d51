#!/bin/sh
# SPDX-License-Identifier: MIT
# Motions of a model one after another.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
tiny_job
ln -s "$ODORI_DEMO" demo
parts='{ file: demo/dance.vmd, to: 60 }, { file: demo/dance.vmd, from: 200, to: 260, fade: 15 }'
sed "s|models: .*|models: [ { file: demo/figure.pmx, motions: [ $parts ] } ]|; s/, frames: 0-19//; s/^camera: .*/camera: { fixed: {} }/" tiny.yaml >film.yaml

# 60 + 60 - 15 frames at 30 frames/s; a motion that follows another without any key is a part of the sequence, too.
run 0 export film.yaml -o film.vmd -q
run 0 info film.vmd
expect_text out 'last_frame: 105'
run 0 export film.yaml -o film.vmd -q -y --set models.0.motions.1.loop=2
run 0 info film.vmd
expect_text out 'last_frame: 165'

# Mistakes.
wrong() { # STATUS KEY=VALUE MESSAGE
    run "$1" check film.yaml --set "models.0.motions.1.$2"
    expect_text err "$3"
}
wrong 78 offset=5 'models.0.motions.1: offset cannot be combined with from, to, at, fade, loop or mirror'
wrong 78 speed=2 'models.0.motions.1: speed cannot be combined with from'
wrong 78 to=100 'models.0.motions.1.to: 100 is not after from, 200'
wrong 78 fade=70 'its fade is longer than the range of the motion'
run 78 check film.yaml --set models.0.motions.1.to=auto --set models.0.motions.1.from=9000
expect_text err "the range of the motion is empty"
echo 'memory_mib: 400' >limits.yaml # keys that would be too many are counted, not made
run 78 check film.yaml --limits limits.yaml --set 'models.0.motions=[{file: demo/dance.vmd, loop: 1000}]'
expect_text err 'the sequence of motions has more than 8 million keys'
finish
