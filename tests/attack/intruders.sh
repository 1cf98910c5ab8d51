# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034,SC2154  # variables of the scripts that source this
# Something else in place of each file and directory that a run writes, in an upload with --limits untrusted.
# Sourced after cli/lib.sh and cli/tiny.sh, in an empty directory; $logs is another one.
#
# upload       creates up/: a job j.yaml with a video, stills, pictures of depth and their note, a preview, and a manifest b.yaml
# intruders    the words that `intrude` knows
# intrude KIND NAME   puts it at up/NAME; its target, if it has one, is in victim/
# attempt RUN  renders: sets `status` and `outside`, the differences outside of up/; messages are in $logs/err

# Every path below up/ that the runs write, by RUN; temporary names have the number of a process, and are opened with O_NOFOLLOW.
written_by() { # RUN
    record=.a.mp4.odori
    case $1 in
    job | given)
        for name in '' /job.json /lock /ledger /ledger/0001-of-0001.jsonl /segment /segment/0-000000.nut /bake /renderers.txt /written.jsonl \
            /times.jsonl /report.json -lock; do
            echo "o/$record$name"
        done
        echo o o/a.mp4
        ;;
    stills) echo s s/0.png s/.%d.png.odori s/.%d.png.odori/ledger s/.%d.png.odori-lock d d/0.png d/depth.json d/.%d.png.odori-lock ;;
    preview) echo p p/p.png p/.p.png.odori p/.p.png.odori/written.jsonl p/.p.png.odori-lock ;;
    summary) echo p p/page.md ;;
    batch)
        for name in '' /lock /results.jsonl /x.log /bake; do echo ".b.yaml.odori$name"; done
        echo o o/x.mp4 o/.x.mp4.odori o/.x.mp4.odori/job.json o/.x.mp4.odori-lock
        ;;
    esac
}
runs='job given stills preview summary batch'
intruders='link-file link-directory link-missing pipe link-pipe device link-device socket directory no-rights hard-link'

upload() {
    mkdir up
    (
        cd up || exit 1
        tiny_job
        rm tiny.yaml
        sed -i 's/^.*TextureFilename.*$//' board.x
    )
    head='version: 1
models: [board.x]
camera: { motion: camera.vmd }
shadows: { ground: false, self: false, map_size: 256 }
render: { size: [16, 16], samples: 1, fps: 5, frames: 0-1, workers: 1 }'
    printf '%s\noutputs: [o/a.mp4]\n' "$head" >up/j.yaml
    printf '%s\noutputs: ["s/%%d.png", { file: "d/%%d.png", pass: depth }]\n' "$head" >up/stills.yaml
    printf '%s\noutputs: [o/a.mp4]\npreviews: [{ type: still, frame: 1, file: p/p.png }]\n' "$head" >up/preview.yaml
    printf 'version: 1\nbase: j.yaml\nmatrix: { n: { x: { render.samples: 1 } } }\nout: "o/{name}.mp4"\nrun: { retries: 0 }\n' >up/b.yaml
}

# The names that a run creates are gone again, and so is what is outside.
clean() {
    chmod -R u+rwX up victim 2>/dev/null
    rm -rf victim up/o up/s up/d up/p up/.b.yaml.odori
    mkdir victim victim/directory
    for precious in job.json results.jsonl file; do echo "$precious" >"victim/$precious"; done
    echo precious >victim/directory/written.jsonl
    mkfifo victim/pipe
}

state_outside() { # names, kinds, sizes, rights and contents; a hard link that is replaced takes nothing but a name
    find victim -printf '%p %y %s %m\n' | grep -v '^victim d\|^victim/directory d' | sort
    find victim -type f -exec sha256sum {} + | sort
    find . -mindepth 1 -maxdepth 1 | sort
}

# 1: this machine cannot do it
intrude() { # KIND NAME
    place=up/$2
    mkdir -p "$(dirname "$place")"
    case $1 in
    link-file) ln -s "$PWD/victim/file" "$place" ;;
    link-directory) ln -s "$PWD/victim/directory" "$place" ;;
    link-missing) ln -s "$PWD/victim/new" "$place" ;;
    hard-link) ln victim/file "$place" 2>/dev/null || return 1 ;;
    pipe) mkfifo "$place" ;;
    link-pipe) ln -s "$PWD/victim/pipe" "$place" ;;
    device) mknod "$place" c 1 5 2>/dev/null || return 1 ;;
    link-device) ln -s /dev/zero "$place" ;;
    socket) python3 -c 'import os, socket, sys
os.chdir(os.path.dirname(sys.argv[1]))
socket.socket(socket.AF_UNIX).bind(os.path.basename(sys.argv[1]))' "$place" 2>/dev/null || return 1 ;;
    directory) mkdir -p "$place/sub" ;;
    no-rights) rm -rf "$place" && : >"$place" && chmod 0 "$place" ;;
    esac
}

attempt() { # RUN
    limits='--limits untrusted -q'
    # shellcheck disable=SC2086  # words
    case $1 in
    job) set -- render up/j.yaml $limits --times ;;
    given) set -- render up/j.yaml $limits -y --times -o up/o/a.mp4 ;;
    stills) set -- render up/stills.yaml $limits -y ;;
    preview) set -- preview up/preview.yaml $limits -y ;;
    summary) set -- preview up/preview.yaml $limits -y --summary up/p/page.md ;;
    batch) set -- batch run up/b.yaml $limits --overwrite ;;
    esac
    state_outside >"$logs/before"
    timeout -k 5 "${ATTEMPT_S:-200}" "$ODORI" "$@" >"$logs/out" 2>"$logs/err" </dev/null
    status=$?
    state_outside >"$logs/after"
    outside=$(diff "$logs/before" "$logs/after")
    chmod -R u+rwX up 2>/dev/null
}
