#!/bin/sh
# SPDX-License-Identifier: MIT
# Faults of the environment: full disks, directories in place of files, lack of memory, killed children,
# concurrent runs, unusual variables.  No incomplete or temporary file may remain, and the same command
# must produce the same files afterwards.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/cli/kill.sh
. "$here/kill.sh"

ln -s "$ODORI_DEMO" demo
silent_job
kinds='film.mp4 film.sha256 %03d.png'

sound_of() { case $1 in *.mp4) echo audio=noise.wav ;; *) echo audio=null ;; esac; }
render_to() { # FILE COMMAND...: renders to FILE, prefixed by COMMAND
    file=$1
    shift
    "$@" "$ODORI" render tiny.yaml --progress none --set "$(sound_of "$file")" -o "$file" >out 2>err </dev/null
}

expect_status() { # WHAT STATUS EXPECTED...: STATUS is one of the expected ones
    what=$1 got=$2
    shift 2
    for expected; do
        if [ "$got" = "$expected" ]; then pass && return; fi
    done
    fail "$what: exit status $got, expected one of: $*"
}

expect_reference() { # DIRECTORY WHAT: the files equal those of the undisturbed run
    if diff -r -x '.*.odori' reference "$1" >different 2>&1; then pass; else fail "$2: $(head -n 5 different)"; fi
    expect_no_temporaries "$1"
}

expect_complete() { # DIRECTORY WHAT: each existing file equals that of the undisturbed run
    expect_no_temporaries "$1"
    wrong=$(diff -rq -x '.*' reference "$1" 2>/dev/null | grep -v '^Only in reference')
    if [ -z "$wrong" ]; then pass; else fail "$2: $wrong"; fi
}

for kind in $kinds; do render_to "reference/$kind" || fail "$kind: reference run: exit status $?"; done
render_again() { # DIRECTORY WHAT: renders again there, without faults
    for kind in $kinds; do render_to "$1/$kind" || fail "$2: $kind, next run: exit status $?"; done
    expect_reference "$1" "$2, next run"
}

# expect_refused_by_umask WHAT: the last command could not write to a directory that it created itself
expect_refused_by_umask() {
    expect_status "$1" $? 73 74
    expect_text err 'Permission denied'
    expect_one_error
}

# ---- file systems ----

# A file system that cannot rename files, such as an object store, is found out before any frame is drawn.
mkdir store
unable_to_rename() { # ARGUMENTS...: renders where files below store/ cannot be renamed
    LD_PRELOAD="$SHIM" ODORI_FAULT=rename:0 ODORI_FAULT_UNDER="$work/store" "$ODORI" render tiny.yaml --progress none "$@" >out 2>err </dev/null
    expect_status "a store: $*" $? 74
    expect_text err 'the file system cannot rename files, like object stores that are mounted: render to a disk'
    expect_one_error
}
for kind in $kinds; do
    unable_to_rename -o "$work/store/$kind" --state "$work/disk"
    if [ -z "$(ls -A store)" ]; then pass; else fail "$kind: files are left: $(ls -A store)"; fi
    rm -rf disk
done
unable_to_rename -o disk.mp4 --state "$work/store/state"
expect_text err "cannot rename to '$work/store/state/job."
rm -rf store

# The test for that uses the name of a still, so that it leaves no file with the name of the pattern.
run 0 render tiny.yaml --progress none -f 3-4 -o stills/d%03d.png
ls stills >names
printf 'd003.png\nd004.png\n' | expect_content names

# ---- output files -----------------------------------------------------------------------------------

# Invalid output files are rejected before rendering.
mkdir way.mp4 way way/000.png
for target in way.mp4 way/%03d.png; do
    run 73 render tiny.yaml --progress none -o "$target"
    expect_text err 'Is a directory'
    expect_one_error
done
# Also those whose temporary files and locks would have names of more than 255 bytes.
long=$(printf '%0222d' 0)
mkdir long
for kind in .mp4 %04d.png .sha256 .apng; do
    run 73 render tiny.yaml --progress none -o "long/$long$kind"
    expect_text err "bytes (at most 225)"
    expect_one_error
done
run 73 report tiny.yaml -o "long/$long.html"
run 73 render tiny.yaml --set "previews=[{ type: gif, file: long/$long.gif, width: 16 }]" -o long/a.mp4
run 0 render tiny.yaml --progress none -f 0-2 -o "long/${long%%0}.mp4"
run 0 render tiny.yaml --progress none -f 0-2 -o "long/${long%%00000}-%d.png"
rm -r "long/${long%%00000}"* long/.*.odori
if rmdir long; then pass; else fail "left in the directory: $(ls -A long)"; fi
run 78 check tiny.yaml --set 'outputs=["%s.png"]'
expect_text err 'the name needs a number such as %05d'
run 78 check tiny.yaml --set 'outputs=["%d-%d.png"]'
expect_text err 'the name must contain one number such as %05d, not 2'
run 78 check tiny.yaml --set 'outputs=[o.png]'
expect_text err 'the files would overwrite each other'
expect_no_file o.png

# Harmless problems cause one warning.
run 0 render tiny.yaml --progress none -f 0 -o silent.gif --set audio=noise.wav
expect_text err 'a gif file cannot contain sound'
if [ "$(grep -c warning err)" = 1 ]; then pass; else fail "not exactly one warning"; fi
run 0 check demo/demo.yaml --set render.frames=0-1,900000
expect_text err '--set:1:15: render.frames: 1 of 3 frames are after the end of all motions'

# A limit of the file size.
for kind in $kinds; do
    (
        ulimit -f 1 # 512 or 1024 bytes; messages are written to a pipe
        { "$ODORI" render tiny.yaml --progress none -o "limit/$kind" --set 'render.size=[256,256]' 2>&1 || echo "exit status $?"; } | cat
    ) | cat >err
    expect_text err 'File too large'
    expect_text err 'exit status 74'
done
if [ -z "$(find limit -type f ! -path '*.odori/*')" ]; then pass; else fail "limit: $(find limit -type f)"; fi
expect_no_temporaries limit

# A full disk and a read-only one, on a file system other than that of TMPDIR.
mkdir full
if mount -t tmpfs -o size=64k none full 2>/dev/null; then
    head -c 60000 /dev/zero >full/ballast
    for kind in $kinds; do
        run 74 render tiny.yaml --progress none -o "full/$kind" --set 'render.size=[256,256]'
        expect_text err 'No space left on device'
        expect_one_error
    done
    run 74 pose demo/demo.yaml --frames 0 --vertices full/v.f32
    expect_no_temporaries full
    rest=$(find full -type f ! -path '*.odori/*' ! -name '???.png')
    if [ "$rest" = full/ballast ]; then pass; else fail "files on the full disk: $rest"; fi
    rm -r full/* full/.*.odori
    mount -o remount,size=1m full
    render_again full "a disk that was full"
    rm -r full/* full/.*.odori
    # The kernel releases the Landlock rules of ended processes, which name the removed directories, a little later.
    tries=0
    until mount -o remount,ro full 2>/dev/null || [ $tries = 1200 ]; do tries=$((tries + 1)) && sleep 0.05; done
    for kind in $kinds; do
        run 73 render tiny.yaml --progress none -o "full/$kind"
        expect_text err 'Read-only file system'
        expect_one_error
    done
    umount full
else
    skip "tmpfs cannot be mounted"
fi
"$ODORI" info demo/face.png >/dev/full 2>err
expect_status "info into a full device" $? 74
expect_text err 'No space left on device'

# ---- partial calls -------------------------------------------------------------------------------

# Short and interrupted reads and writes.
use_shim() { # FAULT: injects it into all programs of this subshell
    export LD_PRELOAD="$SHIM" ODORI_FAULT="$1" ODORI_FAULT_UNDER="$work"
}
for seed in 1 2; do
    for kind in $kinds; do
        (use_shim "short:$seed" && render_to "short$seed/$kind") || fail "short:$seed: $kind: exit status $?"
    done
    expect_reference "short$seed" "short reads and writes"
done

# Limits of memory and open files.  127: the loader of shared libraries lacks memory.
mkdir memory files
for kib in 200000 300000 350000; do
    render_to memory/film.mp4 prlimit --as=$((kib * 1024))
    expect_status "$kib KiB of memory" $? 0 69 127
    expect_complete memory "$kib KiB of memory"
done
render_again memory "with memory"
for files in 4 7 12 20; do
    render_to files/film.mp4 prlimit --nofile="$files"
    expect_status "$files open files" $? 0 69 74 127
    expect_complete files "$files open files"
    if grep -q 'was killed' err; then fail "$files open files: nobody killed a process"; else pass; fi
done

# ---- killed, stopped and concurrent runs ---------------------------------------------------------

start_long() { # DIRECTORY MESSAGES [ARGUMENT...]: starts a job with 400 frames in its own process group
    directory=$1 messages=$2
    shift 2
    setsid "$ODORI" render tiny.yaml --progress none -o "$directory/%03d.png" -j 2 -f 0-399 --set render.fps=60 "$@" \
        >/dev/null 2>"$messages" </dev/null &
    group=$!
}
start_long long-reference err
wait "$group" || fail "long job: exit status $?"
wait_for_frame() { # DIRECTORY: of the started job
    for _ in $(seq 6000); do
        if [ -e "$1/003.png" ]; then return; fi
        kill -0 "$group" 2>/dev/null || return
        sleep 0.01
    done
    false
}
# Starts the job in long/, and stops its main process before the last frames: a job that was faster is repeated.
hold_long() { # MESSAGES [ARGUMENT...]
    for _ in $(seq 50); do
        rm -rf long && start_long long "$@"
        wait_for_frame long && kill -s STOP "$group" && [ ! -e long/300.png ] && return
        kill -s CONT "$group"
        wait "$group" || break
    done 2>/dev/null
    false
}
for child in odori-worker odori-spawner odori-encoder; do
    rm -rf long
    case $child in
    odori-encoder)
        setsid "$ODORI" render tiny.yaml --progress none -o long/film.mp4 -f 0-399 --set render.fps=60 >out 2>err </dev/null &
        group=$!
        for _ in $(seq 6000); do
            if [ -n "$(pids_named "$group" $child)" ] || ! kill -0 "$group"; then break; fi
            sleep 0.01
        done
        kill_one "$(pids_named "$group" $child)"
        ;;
    odori-worker) # a worker that is stopped is given one of the frames, and keeps it until it is killed
        hold_long err || fail 'no job was stopped before its last frames'
        worker=$(pids_named "$group" $child | head -n 1)
        kill -s STOP "$worker"
        kill -s CONT "$group"
        sleep 0.2
        kill_one "$worker"
        ;;
    *)
        hold_long err || fail 'no job was stopped before its last frames'
        kill_one "$(pids_named "$group" $child)"
        kill -s CONT "$group"
        ;;
    esac
    wait "$group" 2>/dev/null
    status=$?
    case $child in
    odori-worker) expect_status "killed worker" $status 0 && expect_text err 'a worker died (Killed)' ;;
    *) expect_status "killed $child" $status 0 70 ;;
    esac
    expect_no_temporaries long
done

# One is stopped until the end of this script, for longer than limits.frame_timeout_s.
# A busy machine may need more than the first limit for the first frame.
for limit in 6 60 600; do
    hold_long stopped.err --set limits.frame_timeout_s=$limit && break
done
kill -s STOP -- "-$group"
stopped=$group
since=$(date +%s)
trap 'kill -s KILL -- "-$stopped" 2>/dev/null; rm -rf "$work"' EXIT

mkdir both
for kind in $kinds; do
    (render_to "both/$kind"; echo $? >first) &
    first=$!
    render_to "both/$kind"
    second=$?
    wait "$first"
    expect_status "second of two runs" "$second" 0 75
    expect_status "first of two runs" "$(cat first)" 0 75
    if [ "$(cat first)$second" != 7575 ]; then pass; else fail "neither of two runs completed"; fi
done
expect_reference both "two concurrent runs"

# ---- environment ----------------------------------------------------------------------------------

# Variables of the driver, the locale and a missing home do not affect pixels.
(
    export LP_PERF=no_blend,no_depth GALLIUM_NOOP=1 GALLIUM_DRIVER=nope MESA_GL_VERSION_OVERRIDE=2.1 \
        GALLIVM_PERF=brilinear LC_ALL=tr_TR.UTF-8 HOME=/nonexistent TMPDIR=/nonexistent
    render_again odd "unusual variables"
)
for kind in $kinds; do
    render_to "poor/$kind" env -u HOME -u PATH || fail "neither HOME nor PATH: $kind: exit status $?"
done
expect_reference poor "neither HOME nor PATH"
mkdir closed
for kind in $kinds; do
    "$ODORI" render tiny.yaml --set "$(sound_of "$kind")" -o "closed/$kind" <&- >&- 2>&- || fail "all streams closed: $kind: exit status $?"
done
expect_reference closed "all streams closed"

mkdir -m 0 shut
if [ -w shut ]; then # root's rights
    (umask 777 && render_to masked/film.mp4) || fail "umask 777: exit status $?"
    expect_complete masked "umask 777"
else
    (umask 777 && render_to masked/film.mp4)
    expect_refused_by_umask "umask 777"
    if [ -e masked ]; then find masked -type d -exec chmod 755 {} + && expect_no_temporaries masked; fi
fi
rmdir shut
mkdir gone
(
    cd gone && rmdir "$work/gone"
    "$ODORI" render "$work/tiny.yaml" --progress none -o "$work/away/film.mp4" >"$work/out" 2>"$work/err" </dev/null
)
expect_status "removed working directory" $? 0 73

if setpriv --reuid=65534 --clear-groups true 2>/dev/null; then
    chmod 755 . && mkdir -m 777 nobody && mkdir -m 755 locked
    nobody() { setpriv --reuid=65534 --clear-groups "$ODORI" render tiny.yaml --progress none "$@" >out 2>err </dev/null; }
    if nobody -o nobody/film.mp4; then
        for kind in $kinds; do
            nobody -o "locked/$kind"
            expect_status "directory of another user" $? 73
            expect_text err 'Permission denied'
            expect_one_error
        done
        if [ -z "$(ls -A locked)" ]; then pass; else fail "files in the locked directory: $(ls -A locked)"; fi
        (umask 777 && nobody -o nobody/masked/film.mp4)
        expect_refused_by_umask "umask 777 as an ordinary user"
        find nobody -type d -exec chmod 755 {} +
        expect_no_temporaries nobody
    else
        skip "an ordinary user cannot run the program"
    fi
else
    skip "the user cannot be changed"
fi

if command -v faketime >/dev/null; then
    (render_to clock/film.mp4 && faketime -f '-1y x100' "$ODORI" render tiny.yaml --set limits.frame_timeout_s=3600 -o clock/film.sha256 >out 2>err </dev/null) ||
        fail "another year: exit status $?"
    expect_complete clock "another year"
else
    skip "faketime is not installed"
fi

# ---- the stopped run continues -------------------------------------------------------------------
while [ $(($(date +%s) - since)) -lt $((limit + 2)) ]; do sleep 0.2; done
kill -s CONT -- "-$stopped"
wait "$stopped"
expect_status "stopped for longer than limits.frame_timeout_s" $? 0
if diff -r -x '.*.odori' long long-reference >different; then pass; else fail "stopped and continued: $(cat different)"; fi
finish
