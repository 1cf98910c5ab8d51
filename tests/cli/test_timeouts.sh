#!/bin/sh
# SPDX-License-Identifier: MIT
# Limits of time and of memory: exit status, messages, and that no incomplete file remains.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/background.sh
. "$here/background.sh"

# ---- the time limit of a frame: a hanging worker is reported, a stopped and continued group is not ----
# Both runs wait while the other limits are tested.
mkdir paused hanging other
ln -s ../demo other/demo
cd paused || exit 1
# A busy machine may need more than the first limit for the first frame.
start_limited() { # COMMAND ARGUMENT...: start or start_held; sets limit
    for limit in 6 60 600; do
        "$@" --progress none --set limits.frame_timeout_s=$limit && wait_until test -e o/00003.png && return
        wait "$pid"
    done
    fail 'no frame was rendered'
}
# shellcheck disable=SC2086
start_limited start_held $small --set "outputs=[$work/paused/o/%05d.png,$work/paused/o.sha256]"
stopped=$pid paused_s=$((limit + 2))
kill -s STOP -- "-$stopped"
since=$(date +%s)
cd ../hanging || exit 1
# shellcheck disable=SC2086
start_limited start $long -o o/%05d.png
kill -STOP "$(child odori-worker)"
hanging=$pid
cd ../other || exit 1

# ---- the total time limit: a busy machine may need more than the first one to draw a frame ----
for total in 6 60 600; do
    # shellcheck disable=SC2086
    run 75 render demo/demo.yaml $long -o o/%05d.png --progress none --set limits.total_timeout_s=$total
    grep -q '; render: ' err && break
done
expect_text err 'odori: error: limits.total_timeout_s: time limit exceeded; render: '
expect_one_error
expect_complete

# ---- memory limits: of the job, and of the shell ----
run 69 render demo/demo.yaml -f 0 -j 1 -o o/%05d.png --progress none --set limits.memory_mib=64
expect_text err 'worker 1 uses '
expect_text err 'MiB, more than limits.memory_mib 64'
expect_one_error
expect_complete
(
    # shellcheck disable=SC3045
    ulimit -v 450000
    exec "$ODORI" render demo/demo.yaml -f 0 -j 1 -o o.mp4 --progress none >out 2>err </dev/null
)
got=$?
# Libraries may need less, or more than is left to start the program.
case $got in
69) expect_one_error ;;
0 | 127) skip "ulimit -v does not limit this program (exit status $got)" ;;
*) fail "ulimit -v: exit status $got, expected 69" ;;
esac
expect_no_file o.mp4
expect_complete

# ---- the runs that were begun first ----
cd ../hanging || exit 1
pid=$hanging
expect_status 75
expect_text err "not rendered within $limit s"
expect_one_error
expect_complete
cd ../paused || exit 1
while [ $(($(date +%s) - since)) -lt $paused_s ]; do sleep 0.2; done
kill -s CONT -- "-$stopped"
pid=$stopped
expect_status 0
expect_empty err

finish
