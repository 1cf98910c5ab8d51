# shellcheck shell=sh
# A job of a tenth of a second, for tests that draw it a thousand times; sourced after lib.sh.
# tiny_job makes tiny.yaml in the working folder: a board before a moving camera, 16 x 16 pixels,
# twenty pictures that differ but for two, and four seconds of sound.

tiny_wave() { # 8 kHz, one channel, 16 bits: 64000 bytes that sound of something
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

# same_files FOLDER FOLDER NAME...: both hold the same of these files, byte for byte, or neither does
same_files() {
    left=$1 right=$2
    shift 2
    for name; do cmp -s "$left/$name" "$right/$name" || return 1; done
}
