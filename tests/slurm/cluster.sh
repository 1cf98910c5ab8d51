#!/bin/sh
# SPDX-License-Identifier: MIT
# Four shards of a film on a Slurm of four nodes, with five faults:
#   the node of shard 1 is lost, the operator requeues shard 2, shard 3 is cancelled (and everything
#   submitted again), shard 4 meets a lock (75), and shard 3 reaches its time limit.
# At the end every frame is in the ledgers, and the film equals the one of a single run.
#
# usage: cluster.sh; $ODORI is the program, $ODORI_DEMO its demo, $SLURM_LOCAL starts the cluster.
# Takes about two minutes, mostly until Slurm notices the lost node.  KEEP=1 keeps the files.
# shellcheck disable=SC2317  # functions that are called by until_, check and trap
set -u
: "${ODORI:?must be the path of the program}"
: "${ODORI_DEMO:?must be the directory of the demo}"
: "${SLURM_LOCAL:?must be the program that starts a cluster}"
: "${FRAMES:=480}" "${SIZE:=[640,360]}"

for tool in "$SLURM_LOCAL" slurmctld slurmd munged; do
    PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null || {
        echo "skipped: $tool is not installed (apt-get install slurm-wlm munge)"
        exit 0
    }
done

work=$(mktemp -d) || exit 1
start=$(date +%s)
export LC_ALL=C SLURM_LOCAL_DIR="$work/slurm"
bad=0

say() { echo "$(($(date +%s) - start)) s: $*"; }
fail() {
    say "FAILED: $*"
    bad=1
}
check() { # MESSAGE COMMAND...: fails with the message if the command fails
    what=$1
    shift
    "$@" || fail "$what"
}

finish() {
    [ -z "${blocker:-}" ] || kill -KILL "$blocker" 2>/dev/null
    "$SLURM_LOCAL" down 2>/dev/null
    if [ -n "${KEEP:-}" ]; then echo "files: $work"; else rm -rf "$work"; fi
}
trap finish EXIT
trap 'exit 130' INT TERM

# until_ SECONDS COMMAND...: waits until the command succeeds
until_() {
    left=$(($1 * 5))
    shift
    until "$@"; do
        left=$((left - 1))
        [ $left -gt 0 ] || return 1
        sleep 0.2
    done
}

# ---- the job: names that require quoting, segments of 6 frames ----

home="$work/夢 it's"
mkdir "$home"
cp "$ODORI_DEMO"/*.pmx "$ODORI_DEMO"/*.vmd "$ODORI_DEMO"/*.png "$ODORI_DEMO"/tune.wav "$home"
cat >"$home/踊り.yaml" <<JOB
version: 1
name: "夢 it's"
models: [{ file: figure.pmx, motions: [dance.vmd] }]
stage: [{ file: stage.pmx }]
camera: { motion: camera.vmd }
audio: { file: tune.wav }
render: { size: $SIZE, fps: 30, frames: "0-$((FRAMES - 1))" }
outputs: [{ file: film.mp4, codec: h264, gop: 6 }, { file: film.sha256 }]
JOB
cd "$home" || exit 1
state="$home/.film.mp4.odori"

rendered() { # SHARD: number of frames in its ledger
    grep -c '"frame"' "$state/ledger/000$1-of-0004.jsonl" 2>/dev/null
}
runs() { # SHARD: number of runs in its ledger
    grep -c '"run"' "$state/ledger/000$1-of-0004.jsonl" 2>/dev/null
}
has_rendered() { [ "$(rendered "$1")" -ge "$2" ] 2>/dev/null; }
is_gone() { [ -z "$(squeue -h -j "$1" 2>/dev/null)" ]; }
renderers() { pgrep -f -- "render $work/.* --shard $1/4"; } # SHARD: its processes, the oldest first
signal() { # SIGNAL SHARD
    for pid in $(renderers "$2"); do kill -"$1" "$pid"; done
}
# Each shard is stopped until its fault, so that the test does not depend on the speed of the machine.
pauses_at() { # SHARD FRAMES
    has_rendered "$1" "$2" && [ -n "$(renderers "$1")" ] && signal STOP "$1"
}
all_pause() {
    for shard in 1 2 3; do
        [ -e "$work/paused.$shard" ] || { pauses_at "$shard" 1 && : >"$work/paused.$shard"; }
    done
    [ -e "$work/paused.1" ] && [ -e "$work/paused.2" ] && [ -e "$work/paused.3" ]
}
has_pending_term() { # SHARD: SIGTERM is pending
    grep -q '^ShdPnd:.*[4567c-f]...$' "/proc/$(renderers "$1" | head -n 1)/status" 2>/dev/null
}

submit() { # more arguments; sets array and join
    "$ODORI" submit --to slurm "$home/踊り.yaml" --shards 4 -j 1 --verbose --submit "$@" >"$work/jobs" || {
        fail "not submitted"
        exit 1
    }
    cat "$work/jobs"
    array=$(sed -n 's/^shards \([0-9]*\).*/\1/p' "$work/jobs")
    join=$(sed -n 's/^join //p' "$work/jobs")
}

# ---- the cluster ----

"$SLURM_LOCAL" up --nodes 4 --cpus 1 || exit 1
eval "$("$SLURM_LOCAL" env)"

# A local run of shard 4 holds its lock, so that the one in the cluster must wait.
"$ODORI" render "$home/踊り.yaml" --shard 4/4 -j 1 --verbose 2>"$work/blocker.log" &
blocker=$!
until_ 120 pauses_at 4 1 || fail "the local run of shard 4 renders nothing"

submit
say "first submission: four shards"
until_ 240 all_pause || fail "the shards render nothing"
say "frames rendered: $(rendered 1) $(rendered 2) $(rendered 3) $(rendered 4)"
node=$(squeue -h -j "${array}_1" -o %N)
"$SLURM_LOCAL" lose-node "$node"
say "$node is lost with its processes, under shard 1"
scontrol requeue "${array}_2" && say "shard 2 is requeued by the operator"
scancel "${array}_3" && say "shard 3 is cancelled"

until_ 120 grep -q "shard 4: exit status 75" "$state/log/shards.4.log" || fail "shard 4 met no lock"
signal CONT 4
kill -TERM $blocker
wait $blocker
say "shard 4 met a lock; the local run ended with $? ($(rendered 4) frames) and the cluster continues"
blocker=

until_ 60 sh -c "sinfo -h -n $node -o %t | grep -q down" || fail "Slurm does not notice the loss of $node"
"$SLURM_LOCAL" start-node "$node"
say "Slurm has noticed the loss; $node is started again"
until_ 600 is_gone "$array" || fail "shards 1, 2 and 4 do not end"
until_ 60 is_gone "$join" || fail "join waits for a cancelled shard"
say "all shards but 3 are complete: $(rendered 1) $(rendered 2) $(rendered 3) $(rendered 4)"
[ ! -e film.mp4 ] || fail "joined without shard 3"

# The second submission, with a time limit: only shard 3 has missing frames; it is stopped until its time
# limit is near (Slurm checks every 30 s).
submit --options "--time=1 --signal=B:USR2@30"
say "second submission: missing frames, time limit of one minute"
until_ 240 pauses_at 3 $(($(rendered 3) + 1)) || fail "shard 3 does not resume"
until_ 60 has_pending_term 3 || fail "Slurm does not signal the time limit of shard 3"
signal CONT 3
until_ 60 grep -q "shard 3: exit status 143, requeued" "$state/log/shards.3.log" ||
    fail "shard 3 did not stop for its time limit"
say "shard 3 was stopped by its time limit ($(rendered 3) frames)"
if "$SLURM_LOCAL" wait "$join" 600; then say "joined"; else fail "not joined"; fi

# ---- results ----

mkdir "$work/here"
cp 踊り.yaml ./*.pmx ./*.vmd ./*.png tune.wav "$work/here"
"$ODORI" render "$work/here/踊り.yaml" --quiet || fail "local run failed"
for file in film.mp4 film.sha256; do
    check "$file differs from that of a single run" cmp $file "$work/here/$file"
done
check "film.sha256 does not have $FRAMES frames" [ "$(wc -l <film.sha256)" = "$FRAMES" ]

for shard in 1 2 3 4; do
    check "shard $shard was run $(runs $shard) times, expected more than 1" [ "$(runs $shard)" -gt 1 ]
done
check "frames are missing in the ledgers" [ "$(cat "$state"/ledger/* | grep '"output":0' |
    grep -o '"frame":[0-9]*' | sort -u | wc -l)" = "$FRAMES" ]
cat "$work/blocker.log" "$state"/log/shards.*.log | grep -o 'frame [0-9]*' | sort | uniq -c >"$work/counts"
say "runs of the shards: $(runs 1) $(runs 2) $(runs 3) $(runs 4);" \
    "frames rendered once: $(grep -c '^ *1 ' "$work/counts"), more often: $(grep -vc '^ *1 ' "$work/counts")"
[ "$bad" = 0 ] && say "ok"
exit $bad
