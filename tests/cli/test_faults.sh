#!/bin/sh
# What the world does to a run: full disks, folders in the way, no memory, killed children, two at once,
# strange surroundings.  Whatever happens, nothing half-written stays under the final name or beside it,
# and the same command makes the same bytes afterwards.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/cli/kill.sh
. "$here/kill.sh"

ln -s "$ODORI_DEMO" demo
tiny_job
kinds='film.mp4 film.sha256 %03d.png'

clean() { # FOLDER...: no temporary lies there
    rest=$(find "$@" -name '.*.tmp')
    if [ -z "$rest" ]; then pass; else fail "left behind: $rest"; fi
}

one_error() {
    if [ "$(grep -c 'error:' err)" = 1 ]; then pass; else fail "not exactly one error"; fi
}

draw() { # FILE WORD...: behind these words
    file=$1
    shift
    "$@" "$ODORI" render tiny.yaml --progress none -o "$file" >out 2>err </dev/null
}

ended() { # WHAT STATUS WANTED...: one of them
    what=$1 got=$2
    shift 2
    for wanted; do
        if [ "$got" = "$wanted" ]; then pass && return; fi
    done
    fail "$what ended with $got, not one of: $*"
}

same() { # FOLDER WHAT: as drawn undisturbed, in o/
    if diff -r -x '.*.odori' calm "$1" >different 2>&1; then pass; else fail "$2: $(head -n 5 different)"; fi
    clean "$1"
}

part() { # FOLDER WHAT: what stands there is whole
    clean "$1"
    wrong=$(diff -rq -x '.*' calm "$1" 2>/dev/null | grep -v '^Only in calm')
    if [ -z "$wrong" ]; then pass; else fail "$2: $wrong"; fi
}

for kind in $kinds; do draw "calm/$kind" || fail "$kind: the calm run ended with $?"; done
again() { # FOLDER WHAT: drawn again there, without trouble
    for kind in $kinds; do draw "$1/$kind" || fail "$2: $kind, drawn again, ended with $?"; done
    same "$1" "$2, drawn again"
}

# ---- where to write -------------------------------------------------------------------------------

# Folders and names that cannot be written are refused before anything is drawn.
mkdir way.mp4 way way/000.png
for target in way.mp4 way/%03d.png; do
    run 73 render tiny.yaml --progress none -o "$target"
    expect_text err 'Is a directory'
    one_error
done
run 78 check tiny.yaml --set 'outputs=["%s.png"]'
expect_text err 'the name must contain one number such as %05d'
run 78 check tiny.yaml --set 'outputs=[o.png]'
expect_text err 'the images would overwrite each other'
expect_no_file o.png

# What is odd and harmless is told once.
run 0 render tiny.yaml --progress none -f 0 -o silent.gif
expect_text err 'a gif file cannot contain sound'
if [ "$(grep -c warning err)" = 1 ]; then pass; else fail "not exactly one warning"; fi
run 0 check demo/demo.yaml --set render.frames=0-1,900000
expect_text err 'render.frames: 900000-900000 lie behind the last motion'

# A file that may not grow.
for kind in $kinds; do
    (
        ulimit -f 1 # 512 or 1024 bytes; what was said goes through a pipe
        { "$ODORI" render tiny.yaml --progress none -o "limit/$kind" --set 'render.size=[256,256]' 2>&1 || echo "ended with $?"; } | cat
    ) | cat >err
    expect_text err 'File too large'
    expect_text err 'ended with 74'
done
if [ -z "$(find limit -type f ! -path '*.odori/*')" ]; then pass; else fail "limit: $(find limit -type f)"; fi
clean limit

# A full disk, one that cannot be written, and one that is not the one of TMPDIR.
mkdir full
if mount -t tmpfs -o size=64k none full 2>/dev/null; then
    head -c 60000 /dev/zero >full/ballast
    for kind in $kinds; do
        run 74 render tiny.yaml --progress none -o "full/$kind" --set 'render.size=[256,256]'
        expect_text err 'No space left on device'
        one_error
    done
    run 74 pose demo/demo.yaml --frames 0 --vertices full/v.f32
    clean full
    rest=$(find full -type f ! -path '*.odori/*' ! -name '???.png')
    if [ "$rest" = full/ballast ]; then pass; else fail "in the full folder: $rest"; fi
    rm -r full/* full/.*.odori
    mount -o remount,size=1m full
    again full "a full disk that has room again"
    rm -r full/* full/.*.odori
    mount -o remount,ro full
    for kind in $kinds; do
        run 73 render tiny.yaml --progress none -o "full/$kind"
        expect_text err 'Read-only file system'
        one_error
    done
    umount full
else
    skip "no tmpfs can be mounted here"
fi
"$ODORI" info demo/face.png >/dev/full 2>err
ended "info into a full device" $? 74
expect_text err 'No space left on device'

# ---- less than was asked --------------------------------------------------------------------------

# Reads and writes that do a part of their work, and interrupted ones.
shim() { # FAULT: for `draw`, in a process of its own
    export LD_PRELOAD="$SHIM" ODORI_FAULT="$1" ODORI_FAULT_UNDER="$work"
}
for seed in 1 2; do
    for kind in $kinds; do
        (shim "short:$seed" && draw "short$seed/$kind") || fail "short:$seed: $kind ended with $?"
    done
    same "short$seed" "short reads and writes"
done

# Limits of memory.  (test_memory.sh lets single allocations fail.)
mkdir memory files
for kib in 200000 300000 350000; do
    draw memory/film.mp4 prlimit --as=$((kib * 1024))
    ended "$kib KiB of memory" $? 0 69
    part memory "$kib KiB of memory"
done
again memory "with memory"
for files in 4 7 12 20; do
    draw files/film.mp4 prlimit --nofile="$files"
    ended "$files open files" $? 0 69 74 127
    part files "$files open files"
done

# ---- who is killed, stopped, or not alone ---------------------------------------------------------

long() { # FOLDER: 400 pictures, in a group of their own
    setsid "$ODORI" render tiny.yaml --progress none -o "$1/%03d.png" -j 2 -f 0-399 \
        --set render.fps=60 --set limits.frame_timeout_s=1 >out 2>err </dev/null &
    group=$!
}
long long-calm
wait "$group" || fail "the long job ended with $?"
until_drawn() { # FOLDER: something is
    for _ in $(seq 200); do
        if [ -e "$1/003.png" ]; then return; fi
        sleep 0.01
    done
}
for child in odori-worker odori-spawner odori-encoder; do
    rm -rf long
    case $child in
    odori-encoder) setsid "$ODORI" render tiny.yaml --progress none -o long/film.mp4 -f 0-399 \
        --set render.fps=60 >out 2>err </dev/null & group=$! ;;
    *) long long && until_drawn long ;;
    esac
    kill_one "$(pids_named "$group" $child)"
    wait "$group" 2>/dev/null
    status=$?
    case $child in
    odori-worker) ended "a run whose worker was killed" $status 0 && expect_text err 'a worker died (Killed)' ;;
    *) ended "a run whose $child was killed" $status 0 70 ;;
    esac
    clean long
done

rm -rf long
long long
until_drawn long
kill -s STOP -- "-$group"
sleep 1.2
kill -s CONT -- "-$group"
wait "$group"
ended "stopped for longer than a frame may take" $? 0
if diff -r -x '.*.odori' long long-calm >different; then pass; else fail "stopped and gone on: $(cat different)"; fi

mkdir both
for kind in $kinds; do
    (draw "both/$kind"; echo $? >first) &
    first=$!
    draw "both/$kind"
    second=$?
    wait "$first"
    ended "the second of two" "$second" 0 75
    ended "the first of two" "$(cat first)" 0 75
    if [ "$(cat first)$second" != 7575 ]; then pass; else fail "neither of two did it"; fi
done
same both "two at once"

# ---- surroundings ---------------------------------------------------------------------------------

# A driver's switches, the language and a missing home never reach a pixel.
(
    export LP_PERF=no_blend,no_depth GALLIUM_NOOP=1 GALLIUM_DRIVER=nope MESA_GL_VERSION_OVERRIDE=2.1 \
        GALLIVM_PERF=brilinear LC_ALL=tr_TR.UTF-8 HOME=/nonexistent TMPDIR=/nonexistent
    again odd "odd surroundings"
)
for kind in $kinds; do
    draw "poor/$kind" env -u HOME -u PATH || fail "neither HOME nor PATH: $kind ended with $?"
done
same poor "neither HOME nor PATH"
mkdir closed
for kind in $kinds; do
    "$ODORI" render tiny.yaml -o "closed/$kind" <&- >&- 2>&- || fail "all streams closed: $kind ended with $?"
done
same closed "all streams closed"

(umask 777 && draw masked/film.mp4) || fail "umask 777 ended with $?"
part masked "umask 777"
mkdir gone
(
    cd gone && rmdir "$work/gone"
    "$ODORI" render "$work/tiny.yaml" --progress none -o "$work/away/film.mp4" >"$work/out" 2>"$work/err" </dev/null
)
ended "in a folder that is gone" $? 0 73

if setpriv --reuid=65534 --clear-groups true 2>/dev/null; then
    chmod 755 . && mkdir -m 777 nobody && mkdir -m 755 locked
    nobody() { setpriv --reuid=65534 --clear-groups "$ODORI" render tiny.yaml --progress none "$@" >out 2>err </dev/null; }
    if nobody -o nobody/film.mp4; then
        for kind in $kinds; do
            nobody -o "locked/$kind"
            ended "a folder of somebody else" $? 73
            expect_text err 'Permission denied'
            one_error
        done
        if [ -z "$(ls -A locked)" ]; then pass; else fail "in the locked folder: $(ls -A locked)"; fi
        (umask 777 && nobody -o nobody/masked/film.mp4)
        ended "umask 777 of an ordinary user" $? 0 73 74
        expect_text err 'Permission denied'
        one_error
        find nobody -type d -exec chmod 755 {} +
        clean nobody
    else
        skip "an ordinary user cannot run the program here"
    fi
else
    skip "nobody else can be run as here"
fi

if command -v faketime >/dev/null; then
    (draw clock/film.mp4 && faketime -f '-1y x100' "$ODORI" render tiny.yaml -o clock/film.sha256 >out 2>err </dev/null) ||
        fail "another year: ended with $?"
    part clock "another year"
else
    skip "faketime is not installed"
fi
finish
