#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016,SC2086  # scripts for other shells are in single quotes
# Completion scripts, run by the shells that are installed.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

PATH=$(dirname "$ODORI"):$PATH
: >job.yaml
: >model.pmx
: >notes.txt
mkdir directory .film.mp4.odori
run 2 completion tcsh
expect_text err "completion takes one of bash, zsh and fish; unexpected 'tcsh'"
for shell in bash zsh fish; do
    run 0 completion $shell
    mv out "odori.$shell"
done

# completes SHELL LINE WORD...: the words that complete the line contain each WORD
complete_bash() {
    bash -c '. ./odori.bash
        COMP_LINE=$1 COMP_POINT=${#1}
        _odori
        printf "%s\n" "${COMPREPLY[@]}"' bash "$1"
}
complete_fish() { fish --no-config -c 'source odori.fish; complete -C $argv[1]' "$1" | cut -f 1; }
completes() {
    shell=$1 line=$2
    shift 2
    "complete_$shell" "$line" >out 2>err
    for word; do
        grep -qxF -- "$word" out || fail "$shell: '$line' is not completed by '$word'"
    done
    pass
}
excludes() { # SHELL LINE WORD
    "complete_$1" "$2" >out 2>err
    if grep -qxF -- "$3" out; then fail "$1: '$2' is completed by '$3'"; else pass; fi
}

for shell in bash fish; do
    if ! command -v "$shell" >/dev/null; then
        skip "$shell is not installed"
        continue
    fi
    completes "$shell" 'odori re' render
    completes "$shell" 'odori render --o' --output --overwrite
    completes "$shell" 'odori render ' job.yaml model.pmx
    completes "$shell" 'odori batch ' plan run status
    completes "$shell" 'odori render --progress ' auto tty json
    completes "$shell" 'odori render --set render.f' render.fps= render.frames=
    completes "$shell" 'odori plan --set models.0.fi' models.0.file=
    excludes "$shell" 'odori check --o' --overwrite
    excludes "$shell" 'odori schema n' notes.txt
    excludes "$shell" 'odori render ' notes.txt
    excludes "$shell" 'odori batch ' job.yaml
    completes "$shell" 'odori batch plan ' job.yaml
    excludes "$shell" 'odori batch plan ' run
    completes "$shell" 'odori help ' job warnings limits passes effects render compare
    completes "$shell" 'odori check -W m' misfit missing-texture
    completes "$shell" 'odori check --warnings p' partial-fit preview
    excludes "$shell" 'odori render .' .film.mp4.odori/
    excludes "$shell" 'odori render .' .film.mp4.odori
done 2>/dev/null
if command -v bash >/dev/null; then
    completes bash 'odori render --set render.gl=os' osmesa
    completes bash 'odori render --set cloth.3.integrator=' leapfrog rk4
    excludes bash 'odori render n' notes.txt
    completes bash 'odori check --strict=m' misfit missing-texture
fi
if command -v fish >/dev/null; then
    completes fish 'odori render --set render.gl=os' render.gl=osmesa
    completes fish 'odori compare n' notes.txt
    completes fish 'odori info dir' directory/
    completes fish 'odori check --strict=mis' --strict=misfit --strict=missing-texture
fi

# zsh without a terminal: the functions of its completion system are replaced by ones that print.
complete_zsh() { # WORD...; the last one is completed
    zsh -f -c 'compdef() { :; }
        _describe() { print -rl -- "${(@)${(@P)2}%%:*}"; }
        _arguments() { print -rl -- "$@"; }
        compadd() { print -rl -- "$@"; }
        compset() { [[ $value == *=* ]] && IPREFIX=${value%%=*}=; }
        source ./odori.zsh
        words=("$@") CURRENT=$# value=${argv[-1]} IPREFIX=
        if [[ ${argv[-2]} == --set ]]; then _odori_set; else _odori; fi' zsh "$@" >out 2>err
}
if command -v zsh >/dev/null; then
    complete_zsh odori re
    expect_text out render
    complete_zsh odori render --o
    expect_text out '--overwrite['
    expect_text out '--progress=['
    complete_zsh odori batch plan ''
    expect_text out '1:word:(plan run status)'
    complete_zsh odori help ''
    expect_text out '1:word:(job limits presets looks passes effects warnings codecs encoders formats cache render '
    complete_zsh odori check ''
    grep -e '--strict' out >flags
    expect_text flags 'misfit'
    grep -e '^.*-W+' out >flags
    expect_text flags 'misfit'
    expect_text out '-F "*.odori"'
    complete_zsh odori render --set render.f
    expect_text out render.fps
    complete_zsh odori render --set render.gl=
    expect_text out osmesa
    expect_empty err
else
    skip "zsh is not installed"
fi
# Where `make install` puts the script for zsh; and the revision of a tree without a repository of its own, which is not
# that of the repository around it.
root=$(cd "$here/../.." && pwd)
if command -v git >/dev/null && command -v make >/dev/null && [ -e "$root/Makefile" ]; then
    mkdir tree
    for entry in "$root"/*; do ln -s "$entry" tree; done
    git init -q . && GIT_CONFIG_GLOBAL=/dev/null git -c user.name=a -c user.email=a@b commit -q --allow-empty -m other
    ask() { make -s -C tree --no-print-directory --eval 'ask: ; @echo $(REVISION) $(GENERATED)' ask "$@" 2>err; }
    ask PREFIX=/usr/local >out
    expect_text out 'unknown '
    expect_text out ' zsh/site-functions/_odori='
    ask PREFIX=/usr >out
    expect_text out ' zsh/vendor-completions/_odori='
else
    skip "git or make is not installed, or there is no Makefile"
fi
finish
