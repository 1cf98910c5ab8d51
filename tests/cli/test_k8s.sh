#!/bin/sh
# SPDX-License-Identifier: MIT
# The manifests of k8s, run by a stand-in for the Job controller: pods are killed, and the film is that of one run.
# shellcheck source=tests/cli/lib.sh disable=SC2154  # which sets here and work
. "$(dirname "$0")/lib.sh"
if ! command -v python3 >/dev/null; then
    skip "python3 is not installed"
    finish
    exit
fi

mkdir bin volume
ln -s "$ODORI" bin/odori
PATH=$work/bin:$PATH
cat >volume/film.yaml <<END
version: 1
models: [ { file: $ODORI_DEMO/figure.pmx, motions: [$ODORI_DEMO/dance.vmd] } ]
shadows: { self: false, map_size: 256 }
render: { size: [64, 36], samples: 1, fps: 30, frames: 0-59, workers: 1 }
outputs: [ film.mp4 ]
END
mkdir once && cp volume/film.yaml once
run 0 render once/film.yaml -q
cd volume || exit 1
run 0 submit --to k8s film.yaml --shards 2 --image odori:1 --claim films --mount "$work/volume"
mv out ../manifest.yaml
rm -f err
cd ..
if python3 "$here/k8s_controller.py" manifest.yaml >out 2>err; then pass; else fail "a stage fails"; fi
expect_text out '2 pods killed'
expect_same once/film.mp4 volume/film.mp4

# The checks of the controller notice what a stricter cluster refuses.
sed '/runAsNonRoot/d' manifest.yaml >root.yaml
if python3 "$here/k8s_controller.py" root.yaml >out 2>err; then fail "a pod as root"; else expect_text err 'not restricted'; fi
finish
