#!/bin/sh
# What the world does to a run: full disks, folders in the way, a killed worker, strange surroundings.
# Whatever happens, nothing half-written stays under the final name or beside it.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

ln -s "$ODORI_DEMO" demo
small='--set render.size=[64,36] --set render.samples=1 --workers 1 --progress none'

clean() { # FOLDER: no temporary lies there
    rest=$(find "$1" -name '.*.tmp')
    if [ -z "$rest" ]; then pass; else fail "left behind: $rest"; fi
}

one_error() {
    if [ "$(grep -c 'error:' err)" = 1 ]; then pass; else fail "not exactly one error"; fi
}

# shellcheck disable=SC2086
run 0 render demo/demo.yaml -f 0-1 $small -o calm.sha256

# Folders and names that cannot be written are refused before anything is drawn.
mkdir way.mp4 way way/00000.png
for target in way.mp4 way/%05d.png; do
    # shellcheck disable=SC2086
    run 73 render demo/demo.yaml -f 0-1 $small -o "$target"
    told err 'Is a directory'
    one_error
done
clean .
run 78 check demo/demo.yaml --set 'outputs=["%s.png"]'
told err 'one number such as %05d may stand in the name'
run 78 check demo/demo.yaml --set 'outputs=[o.png]'
told err 'the pictures would overwrite each other'
absent o.png

# What is odd and harmless is told once.
# shellcheck disable=SC2086
run 0 render demo/demo.yaml -f 0 $small -o silent.gif
told err 'a gif file holds no sound'
if [ "$(grep -c warning err)" = 1 ]; then pass; else fail "not exactly one warning"; fi
run 0 check demo/demo.yaml --set render.frames=0-1,900000
told err 'render.frames: 900000-900000 lie behind the last motion'

# A file that may not grow: the film and the pictures fail, and leave nothing.
for target in o.mp4 %d.png; do
    (
        ulimit -f 1 # 512 or 1024 bytes; what was said goes through a pipe
        # shellcheck disable=SC2086
        { "$ODORI" render demo/demo.yaml -f 0-1 $small -o "$target" 2>&1 || echo "ended with $?"; } | cat
    ) | cat >err
    told err 'File too large'
    told err 'ended with 74'
done
clean .
absent o.mp4
absent 0.png

# A full disk.
mkdir full
if mount -t tmpfs -o size=16k none full 2>/dev/null; then
    head -c 14000 /dev/zero >full/ballast
    for target in full/o.mp4 full/%d.png; do
        # shellcheck disable=SC2086
        run 74 render demo/demo.yaml -f 0-3 $small -o "$target" --set "render.size=[320,180]"
        told err 'No space left on device'
        one_error
    done
    for type in gif webp; do
        # shellcheck disable=SC2086
        run 74 preview demo/demo.yaml -f 0-3 $small --set "render.size=[320,180]" \
            --set "previews=[{type: $type, file: \"$PWD/full/a.$type\"}]"
        told err 'No space left on device'
        one_error
    done
    run 74 pose demo/demo.yaml --frames 0 --vertices full/v.f32
    clean full
    if [ "$(ls full)" = ballast ]; then pass; else fail "in the full folder: $(ls full)"; fi
    umount full
else
    skip "no tmpfs can be mounted here"
fi

# Calls that fail at their last step.
if command -v strace >/dev/null && strace -o trace true 2>/dev/null; then
    for fault in fsync:error=EIO rename:error=EXDEV; do
        # shellcheck disable=SC2086
        strace -f -o trace -e trace="${fault%%:*}" -e inject="$fault" \
            "$ODORI" render demo/demo.yaml -f 0 $small -o o.mp4 >out 2>err </dev/null
        got=$?
        if [ "$got" = 74 ]; then pass; else fail "$fault ended with $got, not 74"; fi
        one_error
        absent o.mp4
    done
    clean .
else
    skip "strace cannot be used here"
fi

# A driver's switches, the language and a missing home never reach a pixel.
# shellcheck disable=SC2086
LP_PERF=no_blend,no_depth GALLIUM_NOOP=1 GALLIUM_DRIVER=nope MESA_GL_VERSION_OVERRIDE=2.1 \
    GALLIVM_PERF=brilinear LC_ALL=tr_TR.UTF-8 HOME=/nonexistent TMPDIR=/nonexistent \
    "$ODORI" render demo/demo.yaml -f 0-1 $small -o odd.sha256 >out 2>err </dev/null
if cmp -s calm.sha256 odd.sha256; then pass; else fail "the environment changed the pictures"; fi

finish
