#!/bin/sh
# SPDX-License-Identifier: MIT
# Links, pipes and devices in an upload, in place of what a run writes: nothing outside of it is changed, and nothing hangs.
# `make attack` tries all files and all kinds (tests/attack/paths.sh).
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/attack/intruders.sh
. "$here/../attack/intruders.sh"

logs=$work/logs
mkdir logs room
cd room || exit 1
upload

# refused RUN NAME KIND TEXT: status 73, or 1 of a batch whose job has it; the text; nothing outside of the upload
refused() {
    clean
    intrude "$3" "$2" || { skip "$3: not possible here"; return; }
    attempt "$1"
    cp "$logs/err" err
    if [ "$status" = 73 ] || { [ "$1" = batch ] && [ "$status" = 1 ]; }; then pass; else fail "$1: $3 $2: status $status"; fi
    expect_text err "$4"
    [ -z "$outside" ] || fail "$1: $3 $2: $outside"
}
leads_out='leads out of the directory of the job file (paths: profile untrusted)'
special='is not a regular file (paths: profile untrusted)'
modes='off'
if ODORI_SANDBOX=require "$ODORI" check up/j.yaml >/dev/null 2>&1; then modes='off require'; fi
for mode in $modes; do
    export ODORI_SANDBOX="$mode"
    refused job o/.a.mp4.odori link-directory "'up/o/.a.mp4.odori' $leads_out"
    refused given o/.a.mp4.odori link-directory "o/.a.mp4.odori' $leads_out"
    refused given o link-directory "o/a.mp4' $leads_out"
    refused batch .b.yaml.odori link-directory "/up/.b.yaml.odori/' $leads_out"
    refused batch o/.x.mp4.odori link-directory '1 of 1 jobs failed'
    refused job o/a.mp4 pipe "'up/o/a.mp4' $special"
    refused given o/a.mp4 link-pipe "o/a.mp4' $leads_out"
done
refused stills s/0.png pipe "'up/s/0.png' "
refused stills d/depth.json pipe "'up/d/depth.json' $special"
refused preview p/p.png device "'up/p/p.png' "
refused summary p/page.md pipe "'up/p/page.md' $special"
refused job o/.a.mp4.odori/ledger/0001-of-0001.jsonl device "0001-of-0001.jsonl' is a "
refused job o/.a.mp4.odori/job.json pipe "job.json' is a pipe, device or socket, which a checkpoint directory cannot contain"

# What the host names is followed: a directory of --state, and its own pipe.
clean
ln -s ../victim/directory up/state
rm victim/directory/written.jsonl
run 0 render up/j.yaml --limits untrusted -q --state up/state
expect_file victim/directory/job.json
clean
mkfifo own.nut
wc -c <own.nut >counted &
run 0 render up/j.yaml --limits untrusted -q -o own.nut
wait $!
read -r bytes <counted
if [ "$bytes" -gt 100 ]; then pass; else fail "$bytes bytes from a pipe of the host"; fi

# Without the limit all of this is allowed.
clean
intrude link-directory o/.a.mp4.odori
rm victim/directory/written.jsonl
run 0 render up/j.yaml -q
expect_file victim/directory/job.json

finish
