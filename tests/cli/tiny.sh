# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# A job that is rendered in about 0.1 s, for tests that run it many times; sourced after lib.sh.
# tiny_job creates tiny.yaml in the current directory: a board in front of a moving camera, 16 x 16 pixels,
# 20 frames, of which two are equal, and 4 s of sound.

tiny_wave() { # 8 kHz, mono, 16 bits: 64000 bytes of samples that are not silent
    printf 'RIFF\044\372\000\000WAVEfmt \020\000\000\000\001\000\001\000'
    printf '\100\037\000\000\200\076\000\000\002\000\020\000data\000\372\000\000'
    seq 20000 | head -c 64000
}

tiny_job() {
    cat >board.x <<'END'
xof 0302txt 0032
Mesh {
 4; -0.5;0.3;0;, 0.5;0.3;0;, 0.5;1.8;0;, -0.5;1.8;0;;
 2; 4;0,1,2,3;, 4;3,2,1,0;;
 MeshNormals { 1; 0;0;-1;; 2; 4;0,0,0,0;, 4;0,0,0,0;; }
 MeshMaterialList { 2; 2; 0, 1;;
  Material { 0.9;0.4;0.2;1.0;; 5.0; 0.2;0.2;0.2;; 0.3;0.1;0.1;; }
  Material { 0.2;0.4;0.9;1.0;; 5.0; 0.2;0.2;0.2;; 0.0;0.0;0.1;; }
 }
}
END
    cp "$ODORI_DEMO/camera.vmd" camera.vmd
    tiny_wave >noise.wav
    cat >tiny.yaml <<'END'
version: 1
name: tiny
models: [board.x]
camera: { motion: camera.vmd }
audio: noise.wav
shadows: { ground: false, self: false, map_size: 256 }
render: { size: [16, 16], samples: 1, fps: 5, frames: 0-19, workers: 1 }
outputs: [ { file: film.mp4, gop: 5 } ]
END
}

# The same without sound: the libraries that decode it take longer to load than the frames to draw.
silent_job() {
    tiny_job
    sed -i '/^audio:/d' tiny.yaml
}

# same_files DIRECTORY DIRECTORY NAME...: succeeds if all these files exist in both directories and are equal
same_files() {
    left=$1 right=$2
    shift 2
    for name; do cmp -s "$left/$name" "$right/$name" || return 1; done
}
