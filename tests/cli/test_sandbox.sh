#!/bin/sh
# SPDX-License-Identifier: MIT
# Confined processes render the same bytes as unconfined ones, and the flag, the variable and the key that decide it.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"

"$ODORI" version >out
line=$(grep '^sandbox: ' out)
case $line in
"sandbox: Landlock "*", seccomp") mode=require ;;
*)
    skip "the kernel or this build has no complete sandbox: $line"
    mode=auto
    ;;
esac
tiny_job

# ---- equal bytes: film with sound, stills, sheet, GIF, background video, bake, preview, shards, resume ----
cat >more.yaml <<'END'
version: 1
name: more
models: [board.x]
camera: { motion: camera.vmd }
audio: noise.wav
background: { video: back.mkv }
shadows: { ground: false, self: false, map_size: 256 }
render: { size: [16, 16], samples: 1, fps: 5, frames: 0-9, workers: 2 }
outputs: [ { file: new/directory/film.mkv, gop: 5 }, { file: "new/still/%03d.png" } ]
previews: [ { type: sheet, file: new/sheet.png, cells: [2, 2], width: 16 }, { type: gif, file: new/film.gif, width: 16 } ]
END
for kind in off "$mode"; do
    mkdir "$kind" && cp board.x camera.vmd noise.wav tiny.yaml more.yaml "$kind" && cd "$kind" || exit 1
    run 0 render tiny.yaml --sandbox "$kind" -q
    run 0 render tiny.yaml --sandbox "$kind" -q -o back.mkv --set audio=null
    run 0 render more.yaml --sandbox "$kind" -q
    run 0 preview more.yaml --sandbox "$kind" -q -o picture.png --summary page/summary.md
    "$ODORI" render tiny.yaml --sandbox "$kind" -q -o hevc.mp4 --set outputs.0.codec=h265 -f 0-1 >out 2>err </dev/null
    case $? in
    0) expect_empty err ;;
    69) skip "no encoder for H.265" && : >hevc.mp4 ;;
    *) fail "exit status of a film of H.265" ;;
    esac
    run 0 bake tiny.yaml --sandbox "$kind" -q -o baked/tiny.bake
    run 0 render tiny.yaml --sandbox "$kind" -q -o baked.mp4 --set physics.bake=baked/tiny.bake
    for shard in 1 2; do run 0 render tiny.yaml --sandbox "$kind" -q -o parts.mp4 --shard $shard/2; done
    run 0 join tiny.yaml --sandbox "$kind" -q -o parts.mp4
    run 75 render tiny.yaml --sandbox "$kind" -q -o resumed.mp4 --set limits.total_timeout_s=0.001
    run 0 render tiny.yaml --sandbox "$kind" -q -o resumed.mp4
    run 0 verify tiny.yaml --sandbox "$kind"
    run 0 status tiny.yaml --sandbox "$kind"
    run 0 check more.yaml --sandbox "$kind"
    run 0 info board.x noise.wav --sandbox "$kind"
    run 0 plan tiny.yaml --sandbox "$kind" --try
    run 0 compare film.mp4 parts.mp4 --sandbox "$kind" -o difference/worst.png
    run 0 pose tiny.yaml --sandbox "$kind" --frames 0 --vertices corners/board.bin
    run 0 plot tiny.yaml --sandbox "$kind" --bone センター -o plots/center.svg
    cd ..
done
for file in film.mp4 hevc.mp4 back.mkv new/directory/film.mkv new/still/000.png new/still/009.png new/sheet.png new/film.gif picture.png \
    page/summary.md baked/tiny.bake baked.mp4 parts.mp4 resumed.mp4 corners/board.bin; do
    if cmp -s "off/$file" "$mode/$file"; then pass; else fail "$file differs in a sandbox"; fi
done

# ---- converters of text that iconv unloads while a texture is looked for, and that a worker needs ----
mkdir names && touch names/衣.png names/髪.png names/靴.png
sed 's/0.3;0.1;0.1;;/& TextureFilename { "absent.png"; }/' board.x >names/board.x
run 0 render tiny.yaml -q --set models.0.file=names/board.x --set 'outputs=[{ file: "mask/%d.png", pass: mask-model }]' -f 0 --sandbox "$mode"

# ---- a failed run leaves no directory, and a missing input is reported as without a sandbox ----
run 66 render tiny.yaml -q -o not/yet/there.mp4 --set audio.file=absent.wav
expect_text err "cannot open 'absent.wav': No such file or directory"
if [ -e not ]; then fail "a directory was left"; else pass; fi
# The process that writes files cannot start.
(
    # shellcheck disable=SC3045 # dash and bash have it
    ulimit -n 4
    exec "$ODORI" plot tiny.yaml --bone root -o not/yet/there.svg --sandbox auto
) 2>err && fail "plot without a file descriptor"
if [ -e not ]; then fail "a directory was left by plot"; else pass; fi

# ---- a root directory without /proc ----
if unshare -m sh -c 'umount -l /proc' 2>/dev/null; then
    # shellcheck disable=SC2016 # the inner shell expands it
    if unshare -m sh -c 'umount -l /proc && exec "$0" "$@"' "$ODORI" render tiny.yaml -q -o bare.mp4 --sandbox "$mode" >out 2>err; then
        pass
    else
        fail "no film without /proc"
    fi
    expect_same bare.mp4 "$mode/parts.mp4"
else
    skip "no right to unmount /proc"
fi

# ---- who decides ----
active="sandbox: files restricted"
inactive="sandbox: off"
if [ $mode = require ]; then
    run 0 check tiny.yaml --sandbox off
    run 0 render tiny.yaml -o null: --set audio=null -f 0 -v
    expect_text err "$active"
    run 0 render tiny.yaml -o null: --set audio=null -f 0 -v --sandbox off
    expect_text err "$inactive"
    ODORI_SANDBOX=off run 0 render tiny.yaml -o null: --set audio=null -f 0 -v
    expect_text err "$inactive"
    ODORI_SANDBOX=off run 0 render tiny.yaml -o null: --set audio=null -f 0 -v --sandbox require
    expect_text err "$active"
    run 0 render tiny.yaml -o null: --set audio=null -f 0 -v --set limits.sandbox=off
    expect_text err "$active"
    expect_text err "limits.sandbox: a job cannot turn the sandbox off; use --sandbox off"
    ODORI_SANDBOX=off run 0 render tiny.yaml -o null: --set audio=null -f 0 -v --set limits.sandbox=require
    expect_text err "$inactive"
else
    run 69 render tiny.yaml -o null: --set audio=null -f 0 --sandbox require
    expect_text err "limits.sandbox: the sandbox cannot be entered"
fi

finish
