#!/bin/sh
# Rules that a compiler does not check: the include table of the directories, stand-alone headers, file sizes, formatting,
# static analysis, shell scripts, manual pages and generated documents.
#
# usage: run from the top by `make lint`, which sets LINT_CC (a compiler with flags) and ODORI (the program).
# Tools that are not installed are named, and their checks are skipped.
set -u
bad=0
report() { echo "lint: $*"; bad=1; }
has() { command -v "$1" >/dev/null || { echo "lint: skipped: $1 is not installed"; return 1; }; }

# ---- the include table: what a directory may include besides itself; bottom first (src/README.md) ----
ASSETS="base math sandbox typesetting format media scene evaluate render output demo"
allowed() {
    case $1 in
    base) echo "" ;;
    math) echo "base" ;;
    sandbox) echo "base" ;;
    typesetting) echo "base" ;;
    format) echo "base math" ;;
    media) echo "base format" ;;
    scene) echo "base math format media" ;;
    evaluate) echo "base math format scene" ;;
    render) echo "base math format scene evaluate/frame_state.h" ;;
    output) echo "base typesetting media" ;;
    demo) echo "base math format" ;;
    job) echo "base sandbox format scene render" ;;
    film) echo "job $ASSETS" ;;
    run) echo "job film $ASSETS" ;;
    inspect) echo "job film run $ASSETS" ;;
    convert) echo "job film $ASSETS" ;;
    dispatch) echo "job film run inspect $ASSETS" ;;
    cli) echo "job film run inspect convert dispatch $ASSETS" ;;
    *) echo "none" ;;
    esac
}

sources=$(find src -name '*.[ch]' -o -name '*.[ch]pp' | sort)
for file in $sources; do
    directory=${file#src/}
    directory=${directory%%/*}
    may=" $directory $(allowed "$directory") "
    # shellcheck disable=SC2013  # include lines hold no spaces
    for included in $(sed -n 's/^#include "\([a-z]*\/[a-z0-9_/]*\.hp*\)".*/\1/p' "$file"); do
        case "$may" in *" ${included%%/*} "* | *" $included "*) continue ;; esac
        report "$file includes $included, which the include table of $directory does not allow"
    done
done

# ---- sizes ----
for file in $sources; do
    lines=$(wc -l <"$file")
    [ "$lines" -le 800 ] || report "$file has $lines lines (at most 800)"
done
for directory in src/*/; do
    case $directory in src/demo/ | src/format/) continue ;; esac
    lines=$(cat "$directory"*.[ch]* | wc -l)
    files=$(find "$directory" -name '*.c' -o -name '*.cpp' | wc -l)
    [ "$lines" -le 5500 ] || report "$directory has $lines lines (at most 5500)"
    [ "$files" -le 30 ] || report "$directory has $files source files (at most 30)"
done
for directory in src/*/; do
    [ -s "${directory}README.md" ] || report "$directory has no README.md"
done
limit() { [ "$(wc -l <"$1")" -le "$2" ] || report "$1 is longer than $2 lines"; }
limit README.md 250
limit src/README.md 150
limit Makefile 200

# ---- headers compile alone ----
for file in $sources; do
    case $file in
    *.h) ${LINT_CC:-cc -std=c17 -D_GNU_SOURCE -Isrc} -fsyntax-only -x c "$file" || report "$file does not compile alone" ;;
    esac
done

# ---- formatting: one pinned version, since others format differently ----
code=$(git ls-files -co --exclude-standard '*.c' '*.h' '*.cpp' '*.hpp')
if has clang-format-14; then
    for file in $code; do
        clang-format-14 "$file" | cmp -s - "$file" || report "$file: not formatted (make format)"
    done
fi

# ---- scripts, manual pages, paths ----
! has shellcheck || find tests configs .ci \( -name '*.sh' -o -path '.ci/run' \) -exec shellcheck {} + || bad=1
if [ -x "${ODORI:-}" ] && has mandoc; then
    for page in "" job batch limits; do
        # shellcheck disable=SC2086  # no page is no argument
        "$ODORI" help --man $page | mandoc -Tlint -Wwarning >out/build/mandoc.log 2>&1 || {
            report "manual page ${page:-odori}:"
            head -n 20 out/build/mandoc.log
        }
    done
fi
git ls-files -zco --exclude-standard | xargs -0 grep -IlE '/(work|farm|root)/[a-z]' | grep -v '^tests/lint.sh$' | while read -r file; do
    echo "lint: $file holds a path of a machine"
done | grep . && bad=1

[ "$bad" = 0 ] && echo "lint: ok"
exit "$bad"
