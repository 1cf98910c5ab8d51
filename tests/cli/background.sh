# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Runs in the background, for tests that send them signals; sourced after lib.sh.  Each run has its own process group,
# whose number is in pid.  Limits of time are generous, since the machine may be busy, and no run that is stopped or killed
# may end before that on a fast one.

ln -s "$ODORI_DEMO" demo
# shellcheck disable=SC2034  # the scripts that source this use both
small='--set render.size=[64,36] --set render.samples=1 --set shadows.self=false --set shadows.map_size=256 --set audio=null -j 1'
# shellcheck disable=SC2034
long="$small -f 0-99999"
pid='' stopped=''
# shellcheck disable=SC2154  # lib.sh sets work
trap 'for group in $pid $stopped; do kill -s CONT -- "-$group"; kill -s KILL -- "-$group"; done 2>/dev/null; rm -rf "$work"' EXIT

expect_complete() { # no temporary files remain, and each image in o/ is complete
    expect_no_temporaries .
    for image in o/*.png; do
        [ -e "$image" ] || continue
        tail -c 8 "$image" | grep -q IEND || fail "$image is incomplete"
    done
    rm -rf o
}

start() { # ARGUMENT...: in the background, in its own process group, with default signal actions
    setsid env --default-signal=INT,HUP,TERM "$ODORI" render "$work/demo/demo.yaml" "$@" >out 2>err </dev/null &
    pid=$!
}

wait_until() { # COMMAND...: succeeds within two minutes
    tries=0
    until "$@" 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt 2400 ] || return 1
        kill -0 "$pid" 2>/dev/null || return 1
        sleep 0.05
    done
}

wait_for_frames() {
    if wait_until test -e o/00003.png; then pass; else fail 'no frame was rendered'; fi
}

wait_until_ended() { # succeeds when no process of the group is left, within two minutes
    tries=0
    while [ -n "$(child odori-spawner)$(child odori-worker)$(child odori-encoder)" ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 2400 ] || return 1
        sleep 0.05
    done
}

expect_status() { # STATUS...: waits for the run
    wait "$pid" 2>/dev/null
    got=$?
    pid=
    case " $* " in *" $got "*) pass ;; *) fail "exit status $got, expected $*" ;; esac
}

# start_held ARGUMENT...: starts a run of frames 0 to 35, and stops its main process, without which no further frame begins,
# between frames 3 and 35.  A run that was faster is repeated.
start_held() {
    for _ in $(seq 50); do
        start "$@" -f 0-35
        until [ -e o/00003.png ] || ! kill -0 "$pid"; do sleep 0.01; done
        kill -s STOP "$pid"
        wait_until has_stopped && [ ! -e o/00035.png ] && return
        kill -s CONT "$pid"
        wait "$pid" || break
        rm -rf .o*.odori o o.mp4 o.sha256
    done 2>/dev/null
    false
}
has_stopped() { case $(sed 's/.*) //' "/proc/$pid/stat") in T*) ;; *) false ;; esac }

child() { # NAME: prints the process of the group with this name
    for directory in /proc/[0-9]*; do
        { read -r name <"$directory/comm" && read -r stat <"$directory/stat"; } 2>/dev/null || continue
        [ "$name" = "$1" ] || continue
        # shellcheck disable=SC2086
        set -- "$1" ${stat##*) } # state, parent, group
        if [ "$4" = "$pid" ] && [ "$2" != Z ]; then
            echo "${directory#/proc/}"
            return
        fi
    done
}
