#!/bin/sh
# SPDX-License-Identifier: MIT
# slurm and k8s: their output, and the behaviour of the stages.  sbatch, scontrol and the renderer are
# stand-ins; `make slurm` runs the stages on a cluster.
# shellcheck disable=SC2016  # names contain $
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
export PATH="$work/bin:$PATH" LOG="$work/log"
program=$ODORI
mkdir bin log

check() { # MESSAGE COMMAND...: fails with the message if the command fails
    what=$1
    shift
    if "$@"; then pass; else fail "$what"; fi
}

# A job whose names require quoting.
home="$work/夢 it's \"50\" \$(x)"
mkdir "$home"
cp "$ODORI_DEMO"/*.pmx "$ODORI_DEMO"/*.vmd "$ODORI_DEMO"/*.png "$home"
cat >"$home/踊り \$x.yaml" <<JOB
version: 1
name: "夢 'it'\\u0009's; rm -rf /"
models: [{ file: figure.pmx, motions: [dance.vmd] }]
render: { size: [64, 36], frames: "0-119" }
outputs: [{ file: "o u't.mp4" }]
JOB
job="$home/踊り \$x.yaml"
there=$(cd "$home" && pwd -P)

# ---- stand-ins ----
cat >bin/sbatch <<'FAKE'
#!/bin/sh
n=$(($(cat "$LOG/number" 2>/dev/null || echo 100) + 1))
[ "$n" != "${FAIL_AT:-0}" ] || { echo 'sbatch: error: no' >&2; exit 1; }
echo "$n" >"$LOG/number"
printf '%s\n' "$@" >"$LOG/options.$n"
cat >"$LOG/step.$n"
pwd >"$LOG/directory.$n"
echo "$n;cluster"
FAKE
for name in scontrol scancel sleep; do
    printf '#!/bin/sh\nprintf "%%s\\n" "%s $*" >>"$LOG/called"\n' $name >bin/$name
done
cat >bin/renderer <<'FAKE'
#!/bin/sh
printf '%s\n' "$@" >"$LOG/words"
for stop in 1 2; do
    [ "${FAKE_STATUS:-0}" = wait ] || exit "${FAKE_STATUS:-0}"
    trap 'echo TERM >>"$LOG/stops"; [ -z "${FAKE_END:-}" ] || exit "$FAKE_END"; trap - TERM; kill -TERM $$' TERM
    : >"$LOG/started"
    while :; do /bin/sleep 0.02; done
done
FAKE
chmod +x bin/*
cp "$program" bin/odori

# ---- the script ----
run 2 submit --to slurm "$job"
expect_text err "--shards N is required"
run 2 submit --to slurm "$job" --shards 0
run 2 submit --to slurm "$job" --shards 10001
run 2 submit --to slurm "$job" --shards 4 --state "$(printf 'a\nb')"
expect_text err "contains a line break, which scripts do not support"
run 66 submit --to slurm nowhere.yaml --shards 4

ODORI=$work/bin/odori
run 0 submit --to slurm "$job" --shards 3 --set 'name=a"b'"'"'%c$d' -j 2 --options ' --partition=long  --time=60 ' --submit
expect_content out <<'EOT'
bake 101
shards 102
join 103
EOT
expect_empty err
expect_file "$home/.o u't.mp4.odori/log" # the directory
cp log/options.102 options
expect_text options '--job-name=a"b'"'"'%c$d-shards'
expect_text options "--cpus-per-task=2"
expect_text options "--output=shards.%a.log"
cp log/directory.102 directory
expect_text directory "$there/.o u't.mp4.odori/log"
expect_text options "--array=1-3"
expect_text options "--signal=B:USR2@60"
expect_text options "--requeue"
expect_text options "--open-mode=append"
expect_text options "--dependency=afterok:101"
expect_text options "--kill-on-invalid-dep=yes"
check "options of --options are not last: $(cat options)" [ "$(tail -n 2 options | tr '\n' ' ')" = "--partition=long --time=60 " ]
cp log/options.103 options
expect_text options "--dependency=afterok:102"
check "--mem is missing: $(cat log/options.101)" grep -q '^--mem=[1-9][0-9]*M$' log/options.101

run 0 submit --to slurm "$job" --shards 3 --no-bake
check "--no-bake has no effect" [ "$(grep -c bake out)" = 0 ]
cp out script
run 0 submit --to slurm "$job" --shards 3 --state "50% a" --set "render.frames=0-9" -o "$work/x.mkv" --strict
expect_text out "cd '$work/50% a'/log"
run 0 submit --to slurm "$job" --shards 3 --accept-renderer
check "--accept-renderer is not a flag of the shards alone" [ "$(grep -c -e --accept-renderer out)" = 1 ]
check "--accept-renderer is not a flag of render" grep -q ' render .* --accept-renderer ' out
if command -v shellcheck >/dev/null; then
    check "shellcheck reports problems" shellcheck --exclude=SC2016 script out log/step.*
else
    skip "shellcheck is not installed: the scripts are not checked"
fi

# ---- a job that is submitted is loaded in a child process: equal messages, confined ----
rm -f log/*
for submit in "" --submit; do
    # shellcheck disable=SC2086
    run 0 submit --to slurm "$job" --shards 3 --set 'models.0.motions=[]' --set 'outputs.0.gop=9' --set 'limits.sandbox=off' $submit
    expect_text err "limits.sandbox: a job cannot turn the sandbox off"
    cp err "messages$submit"
    # shellcheck disable=SC2086
    run 65 submit --to slurm "$job" --shards 3 --set 'limits.sandbox=off' --strict $submit
    expect_text err "error: limits.sandbox: a job cannot turn the sandbox off"
    expect_empty out
    # shellcheck disable=SC2086
    run 78 submit --to slurm "$job" --shards 3 --set 'models.0.sise=1' --set 'nmae=x' $submit
    cp err "errors$submit"
    printf 'Pmx \0\0\0@' >damaged.pmx
    # shellcheck disable=SC2086
    run 65 submit --to slurm damaged.pmx -o "$work/damaged.mkv" --shards 3 $submit
    expect_text err "damaged.pmx"
    expect_empty out
done
expect_same messages messages--submit
expect_same errors errors--submit
check "a job with errors was submitted" [ "$(cat log/number)" = 103 ]
case $("$ODORI" version | grep '^sandbox: ') in
"sandbox: Landlock "*", seccomp")
    run 0 submit --to slurm "$job" --shards 3 --sandbox require --verbose --submit
    expect_text err "sandbox: files restricted"
    expect_text out "join 106"
    ;;
*) skip "the kernel or this build has no complete sandbox" ;;
esac

# If a job cannot be submitted, those before it are cancelled.
rm -f log/*
FAIL_AT=102 run 1 submit --to slurm "$job" --shards 3 --submit
expect_empty out
expect_text err "the jobs were not submitted"
cp log/called called
expect_content called <<'EOT'
scancel 101
EOT

# ---- the stages ----
rm -f log/*
run 0 submit --to slurm "$job" --shards 3 --set 'name=a"b'"'"'%c$d' --frames 0-99 --submit
cp bin/renderer bin/odori # the stages call the program that wrote the script
cat >expected_arguments <<EOT
$there/踊り \$x.yaml
--set
name=a"b'%c\$d
--set
previews=[]
--set
render.frames=0-99
--state
$there/.o u't.mp4.odori
EOT

expect_arguments() { # VERB ARGUMENT...: of the last call of the renderer
    { echo "$1"; cat expected_arguments; shift; [ $# = 0 ] || printf '%s\n' "$@"; } >arguments
    check "$(diff arguments log/words)" cmp -s arguments log/words
}

sh log/step.101 && expect_arguments bake
sh log/step.103 && expect_arguments join
export SLURM_ARRAY_JOB_ID=102 SLURM_ARRAY_TASK_ID=2 SLURM_JOB_ID=102

child_of() { # PID: prints its child process
    for status in /proc/[0-9]*/status; do
        grep -q "^PPid:[[:blank:]]*$1\$" "$status" 2>/dev/null || continue
        status=${status%/status}
        echo "${status#/proc/}"
    done
}

# shard STATUS CALLED [SIGNALS]: runs a shard; expects its exit status and the commands it called
shard() {
    rm -f log/called log/started log/stops
    "$shell" log/step.102 2>err &
    step=$!
    if [ $# -gt 2 ]; then
        until [ -e log/started ] || ! kill -0 $step 2>/dev/null; do /bin/sleep 0.02; done
        renderer=$(child_of $step)
        for who in $3; do
            case $who in
            late) kill -USR2 $step ;;
            cancelled) kill -TERM $step "$renderer" ;;
            esac
        done
    fi
    wait $step
    got=$?
    check "$shell: $FAKE_STATUS $*: exit status $got" [ $got = "$1" ]
    called=$(paste -sd ' ' log/called 2>/dev/null)
    check "$shell: $FAKE_STATUS $*: called '$called'" [ "$called" = "$2" ]
}
again="scontrol requeue 102_2 sleep 600"
export FAKE_STATUS FAKE_END
for shell in sh bash; do
    command -v $shell >/dev/null || continue
    FAKE_END=
    FAKE_STATUS=0 && shard 0 ""
    expect_arguments render --shard 2/3 --max-stalled-runs 3
    for FAKE_STATUS in 1 2 65 66 70 73 78 130; do shard "$FAKE_STATUS" ""; done
    for FAKE_STATUS in 69 74 75; do shard "$FAKE_STATUS" "$again"; done
    SLURM_RESTART_COUNT=99 && export SLURM_RESTART_COUNT && shard 75 "$again"
    SLURM_RESTART_COUNT=100 && shard 75 ""
    unset SLURM_RESTART_COUNT
    FAKE_STATUS="wait"
    shard 143 "$again" late
    check "$shell: $(wc -l <log/stops) SIGTERM received, expected 1" [ "$(wc -l <log/stops)" = 1 ]
    shard 143 "" cancelled # not requeued; one SIGTERM, from Slurm
    check "$shell: $(wc -l <log/stops) SIGTERM received, expected 1" [ "$(wc -l <log/stops)" = 1 ]
    FAKE_END=0 && shard 0 "" late # completed in time
    FAKE_END=75 && shard 75 "$again" cancelled
done

# ---- a film by the script, with an sbatch that runs each stage ----
cat >bin/sbatch <<'FAKE'
#!/bin/sh
cat >"$LOG/step"
shards=$(printf '%s\n' "$@" | sed -n 's/^--array=1-//p')
for shard in $(seq "${shards:-1}"); do
    SLURM_ARRAY_TASK_ID=$shard sh "$LOG/step" >>"$LOG/steps" 2>&1 || exit 1
done
echo 1
FAKE
cp "$program" bin/odori
run 0 submit --to slurm "$job" --shards 3 -o "$work/other.mkv" --frames 0-9 --set 'outputs=[{file: x.mkv, gop: 2}]' --submit
check "the film is missing: $(cat log/steps)" [ -s "$work/other.mkv" ]
run 0 render "$job" -o "$work/one.mkv" --frames 0-9 --set 'outputs=[{file: x.mkv, gop: 2}]' --quiet
check "the film differs from that of one run" cmp -s other.mkv one.mkv
export SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=2
run 0 render "$job" -o "$work/auto.mkv" --frames 0-9 --set 'outputs=[{file: x.mkv, gop: 2}]' --shard auto
expect_text err "shard 2 of 2: SLURM_ARRAY_TASK_ID is 2, SLURM_ARRAY_TASK_COUNT is 2"
unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT
run 2 render "$job" -o "$work/auto.mkv" --frames 0-9 --shard auto
expect_text err "none of SLURM_ARRAY_TASK_ID"

# ---- Kubernetes ----
ODORI=$program
cd "$home" || exit 1
run 2 submit --to k8s "$job" --shards 4
expect_text err "--image IMAGE is required"
run 2 submit --to k8s "$job" --shards 4 --image r/odori:1 --claim 'A b'
run 0 submit --to k8s '踊り $x.yaml' --shards 4 --image r/odori:1 --claim films --set 'name=a"b'
expect_empty err
expect_text out 'command: ["odori","render","踊り $$x.yaml","--set","name=a\"b","--state",".o u'"'"'t.mp4.odori","--shard","auto"]'
expect_text out "completions: 4"
run 0 submit --to k8s "$job" --shards 4 --image r/odori:1 --accept-renderer
expect_text out '"--accept-renderer","--state",'
check "--accept-renderer is not a flag of the shards alone" [ "$(grep -c -e --accept-renderer out)" = 1 ]
run 0 submit --to k8s '踊り $x.yaml' --shards 4 --image r/odori:1 --claim films --set 'name=a"b'
cp out "$work/manifest.yaml"
if [ ! -s "${K8S_SWAGGER:-}" ]; then
    skip "K8S_SWAGGER is not the path of a swagger.json of Kubernetes: the manifests are not validated"
else
    python3 "$here/k8s_schema.py" "$K8S_SWAGGER" "$work/manifest.yaml" >out
    case $? in
    0) pass ;;
    77) skip "$(cat out)" ;;
    *) fail "the manifests do not match the API" ;;
    esac
fi

finish
