#!/bin/sh
# SPDX-License-Identifier: MIT
# Rules that a compiler does not check.
#
# usage: lint.sh fast    layers, includes, citations and links (tests/lint.awk), words, sizes, formatting: seconds, without a
#                        built program; run from the top, by `make lint-fast`
#        lint.sh         the same, then headers alone, scripts and manual pages; by `make lint`, which sets LINT_CC (a
#                        compiler with flags) and ODORI (the program)
#
# A tool that is not installed is a fault, unless LINT_WITHOUT names it: LINT_WITHOUT="clang-format-14 shellcheck".
set -u
bad=0
report() { echo "lint: $*"; bad=1; }
has() { # TOOL: whether its checks run
    case " ${LINT_WITHOUT:-} " in *" $1 "*) echo "lint: left out: $1"; return 1 ;; esac
    command -v "$1" >/dev/null || { report "$1 is not installed (LINT_WITHOUT=$1 leaves its checks out)"; return 1; }
}
code() { git ls-files -zco --exclude-standard '*.c' '*.h' '*.cpp' '*.hpp'; }

# ---- layers, includes, names of modules, cited sections, links ----
git ls-files -co --exclude-standard | LC_ALL=C awk -f "$(dirname "$0")/lint.awk" || bad=1

# ---- words and paths ----
# American spelling, also in names; the fields of .ass files (PrimaryColour) are spelled as their format does. The changelog names what was renamed.
git grep -nI --untracked -E '(^|[^A-Za-z])([Cc]olour|[Cc]entre|[Ff]older)|COLOUR|CENTRE|FOLDER' -- . ':!tests/fuzz/corpus' ':!tests/*lint*' ':!.github/CHANGELOG.md' &&
    report "write color, center, directory"
git grep -nI --untracked -E '/(work|farm|root|tmp/w)/[a-z]' -- . ':!tests/*lint*' && report "a path of a machine"

# ---- licenses: every file of code, and what people copy out of configs/, names its own ----
{
    git ls-files -co --exclude-standard configs | grep -Ev '\.(md|x|typed)$|/debian/'
    git ls-files -co --exclude-standard src shaders tests Makefile .ci | grep -E '\.(c|h|cpp|hpp|inc|vert|frag|glsl|sh|py|mk|awk|mjs)$|^Makefile$|^\.ci/run$'
} | xargs -d '\n' grep -sL '^[^ ]* SPDX-License-Identifier: MIT' | sed 's/^/lint: no line with SPDX-License-Identifier: MIT at the top: /' | grep . && bad=1

# ---- one version: that of src/run/version.h, with "-dev" before its release ----
if [ -e src/run/version.h ]; then
    version=$(sed -n 's/^#define ODORI_VERSION "\([^"]*\)".*/\1/p' src/run/version.h)
    release=${version%-dev}
    [ "$version" = "$release" ] && heading="## $release" python=$release debian="$release-1" ||
        heading="## $release (unreleased)" python=$release.dev0 debian="$release~dev-1"
    [ "$(grep -m 1 '^## ' .github/CHANGELOG.md)" = "$heading" ] || report ".github/CHANGELOG.md does not begin with '$heading'"
    grep -qx "version = \"$python\"" configs/python/pyproject.toml || report "configs/python/pyproject.toml: the version is not $python"
    head -n 1 configs/packaging/debian/changelog | grep -qF "odori ($debian)" || report "configs/packaging/debian/changelog: the version is not $debian"
    [ "$version" != "$release" ] || grep -qF "version=\"$release\"" configs/packaging/share/metainfo/*.xml || report "metainfo: no release $release"
    git grep -nE 'odori[-_:]v?[0-9]+\.[0-9]' -- '*.md' ':!.github/CHANGELOG.md' && report "write odori-VERSION"
fi

# ---- commits since there is this rule: "area: what" in the imperative, at most 72 columns, and why in the body ----
git log --no-merges --since=2026-11-29T16:57:00Z --format='%h%x1f%s%x1f%b%x1e' 2>/dev/null | awk -v RS='\036' -F '\037' '
    { sub(/^\n/, "", $1); what = $2; sub(/^[^:]*: /, "", what); verb = what; sub(/ .*/, "", verb) }
    NF < 3 { next }
    length($2) > 72 { wrong($1, "the subject has " length($2) " columns of 72") }
    $2 !~ /^[a-z0-9][A-Za-z0-9_., \/-]*: [^ ]/ { wrong($1, "the subject is not \"area: what\": " $2) }
    $2 ~ /\.$/ { wrong($1, "the subject ends with a period") }
    verb ~ /(ed|ing|[^su]s)$/ && verb !~ /^(alias|bias|embed|feed|need|seed|speed|bring|string)$/ { wrong($1, "no imperative: \"" what "\"") }
    $3 !~ /[^ \n]/ { wrong($1, "no body that says why") }
    function wrong(commit, text) { print "lint: commit " commit ": " text; bad = 1 }
    END { exit bad }' || bad=1

# ---- constants and directories of tests have one name ----
git grep -nE '3\.14159|[^0-9.]30\.0 *\*|/ *30\.0[^0-9]' -- 'src/*.c' 'src/*.h' 'src/*.cpp' ':!src/base/units.h' ':!src/demo' &&
    report "write PI or MOTION_FPS (base/units.h)"
git grep -ohE 'tests/unit(/[a-z0-9_]+)+' -- '*.md' | sort -u | while read -r path; do
    set -- "$path"* # the name of a test is without .c
    [ -e "$1" ] || echo "lint: a document names $path, which does not exist"
done | grep . && bad=1

# ---- documents and files of one size ----
limit() { [ ! -e "$1" ] || [ "$(wc -l <"$1")" -le "$2" ] || report "$1 is longer than $2 lines"; }
limit README.md 170
limit src/README.md 150
limit Makefile 200

# ---- formatting: one pinned version, since others format differently; only files that changed since all were good ----
if has clang-format-14; then
    mkdir -p out/build
    stamp=out/build/formatted
    # shellcheck disable=SC3013  # every shell of the supported systems knows -nt
    [ "$stamp" -nt .clang-format ] || rm -f "$stamp"
    touch "$stamp.new"
    # shellcheck disable=SC2016  # the inner shell expands it
    if code | STAMP=$stamp xargs -0 sh -c 'for f; do [ "$STAMP" -nt "$f" ] || [ ! -e "$f" ] || printf "%s\0" "$f"; done' sh |
        xargs -0 -r -n 20 -P "$(nproc)" clang-format-14 --dry-run -Werror --ferror-limit=1; then
        mv "$stamp.new" "$stamp"
    else
        report "not formatted (make format)"
    fi
fi

[ "${1:-}" != fast ] || { [ "$bad" = 0 ] && echo "lint: ok"; exit "$bad"; }

# ---- headers compile alone ----
# shellcheck disable=SC2016
find src -name '*.h' -print0 | LINT_CC=${LINT_CC:-cc -std=c17 -D_GNU_SOURCE -Isrc} xargs -0 -n 8 -P "$(nproc)" sh -c '
    for f; do $LINT_CC -fsyntax-only -include "$f" -x c /dev/null || { echo "lint: $f does not compile alone"; bad=1; }; done; exit ${bad:-0}' sh || bad=1

# ---- scripts and manual pages ----
! has shellcheck || find tests configs .ci \( -name '*.sh' -o -path '.ci/run' \) -exec shellcheck {} + || bad=1
! has mypy || mypy --strict --cache-dir out/build/mypy configs/python/odori >out/build/mypy.log || {
    report "types of configs/python:"
    head -n 20 out/build/mypy.log
}
if has mandoc; then
    for page in "" job batch limits; do
        # shellcheck disable=SC2086  # no page is no argument
        "$ODORI" help --man $page | mandoc -Tlint -Wwarning >out/build/mandoc.log 2>&1 || {
            report "manual page ${page:-odori}:"
            head -n 20 out/build/mandoc.log
        }
    done
fi

[ "$bad" = 0 ] && echo "lint: ok"
exit "$bad"
