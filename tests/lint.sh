#!/bin/sh
# The rules of the house that a compiler does not check: layers, headers that compile alone, lengths,
# shell scripts, no path of a machine.  Run from the top by `make lint`; LINT_CC compiles.
set -u
bad=0
say() { echo "lint: $*"; bad=1; }

# Which folders a folder may include, besides itself.  Nested folders (format/model) count as the first part.
ASSETS="base math format media audio scene evaluate render output demo"
allowed() {
    case $1 in
    base) echo "" ;;
    math) echo "base" ;;
    format) echo "base math" ;;
    media) echo "base" ;;
    audio) echo "base format media" ;;
    scene) echo "base math format media" ;;
    evaluate) echo "base math scene format" ;;
    render) echo "base math scene format" ;; # and evaluate/frame_state.h
    output) echo "base" ;;
    demo) echo "base math format" ;;
    job) echo "base format scene render" ;;
    workers) echo "base" ;;
    film) echo "job $ASSETS" ;;
    checkpoint) echo "base job film output evaluate render" ;;
    pipeline) echo "job workers film checkpoint $ASSETS" ;;
    inspect) echo "job film checkpoint pipeline $ASSETS" ;;
    dispatch) echo "base job film checkpoint pipeline inspect" ;;
    cli) echo "base job film checkpoint pipeline inspect dispatch $ASSETS" ;;
    *) echo "none" ;;
    esac
}

for file in $(find src -name '*.[ch]' -o -name '*.[ch]pp' | sort); do
    layer=${file#src/}
    layer=${layer%%/*}
    may=" $layer $(allowed "$layer") "
    # shellcheck disable=SC2013  # include lines hold no spaces
    for included in $(sed -n 's/^#include "\([a-z]*\/[a-z0-9_/]*\.hp*\)".*/\1/p' "$file"); do
        case "$may" in *" ${included%%/*} "*) continue ;; esac
        [ "$layer:$included" = "render:evaluate/frame_state.h" ] && continue
        say "$file includes $included, which its layer may not"
    done
    lines=$(wc -l <"$file")
    [ "$lines" -le 800 ] || say "$file has $lines lines (at most 800)"
done

for header in $(find src -name "*.h" | sort); do
    ${LINT_CC:-cc -std=c17 -D_GNU_SOURCE -Isrc} -fsyntax-only -x c "$header" || say "$header does not compile alone"
done

for file in $(git ls-files 'src/*' 'tests/*.c' 'tests/*.h'); do
    case $file in *.md | *.png) continue ;; esac
    [ -f "$file" ] && awk -v f="$file" 'length($0) > 100 { print "lint: " f ":" NR ": longer than 100 columns"; n++ } END { exit n > 0 }' "$file" || bad=1
done

if command -v shellcheck >/dev/null; then
    find tests .ci \( -name '*.sh' -o -path '.ci/run' \) -exec shellcheck {} + || bad=1
else
    echo "lint: shellcheck is not installed: scripts not checked"
fi

grep -rnE '/(work|farm|root)/[a-z]' src tests Makefile README.md configs shaders .ci 2>/dev/null |
    grep -v 'tests/lint.sh' && say "a path of a machine"

[ "$bad" = 0 ] && echo "lint: ok"
exit "$bad"
