#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016  # back-quotes of Markdown
# Each rule of `make lint-fast` (tests/lint.sh, tests/lint.awk) is broken once in a small tree.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
lint=$(cd "$here/.." && pwd)/lint.sh
command -v git >/dev/null || { skip "git is not installed"; finish; }
command -v clang-format-14 >/dev/null || export LINT_WITHOUT=clang-format-14

# A tree without faults: base, math above it, and evaluate, which may use one header of math only.
git init -q tree
cd tree || exit 1
mkdir -p src/base src/math src/math/part src/evaluate tests/unit/math
cat >src/README.md <<'EOF'
# The map

See [base](base/README.md) and [its rules](base/README.md#1-rules-of-files).

| directory | contents | may include |
|---|---|---|
| `base` | files | |
| `math` | numbers | base |
| `evaluate` | frames | base, `math/curve.h` |
EOF
printf '%s\n' '# base' '' '`file.h/c`: files.' '' '## 1. Rules of files' '' '1. Read.' '2. Write.' '' '- 1.3 Close.' >src/base/README.md
printf '%s\n' '# math' '' '`curve`, `part/spline`: see `base/README.md` 1 and 1.2.' >src/math/README.md
printf '%s\n' '# evaluate' '' '`frame`' >src/evaluate/README.md
echo 'int file_open(void);' >src/base/file.h
printf '%s\n' '#include "base/file.h"' '' '#include <errno.h>' '#include <stdio.h>' >src/base/file.c
printf '%s\n' '/* As in base/README.md 1.3, or' ' * in base/README.md' ' * 1.1. */' 'int curve(void);' >src/math/curve.h
printf '%s\n' '#include <math.h>' '' '#include "base/file.h"' '#include "math/curve.h"' >src/math/part/spline.c
printf '%s\n' '#include "math/curve.h"' >src/evaluate/frame.c
printf '%s\n' '#include <stdio.h>' '' '#include "math/curve.h"' '' '/* README.md says so. */' >tests/unit/math/test_curve.c
find src tests -name '*.[ch]' -exec sed -i '1i // SPDX-License-Identifier: MIT' {} +
cp "$here/../../.clang-format" .
git add -A

lint_fast() { sh "$lint" fast >../out 2>../err; }
if lint_fast; then pass; else fail "a tree without faults"; fi
expect_text ../out "lint: ok"

# expect_fault TEXT FILE LINE...: with the lines added to FILE, lint says TEXT
expect_fault() {
    text=$1 file=$2
    shift 2
    cp "$file" "$work/before" 2>/dev/null || : >"$work/before"
    printf '%s\n' "$@" >>"$file"
    if lint_fast; then fail "not found: $text"; else expect_text ../out "$text"; fi
    if [ -s "$work/before" ]; then cp "$work/before" "$file"; else rm "$file"; fi
}

# ---- layers ----
expect_fault 'src/base/file.c:6: includes math/, which the table in src/README.md does not allow' src/base/file.c '#include "math/curve.h"'
expect_fault 'src/evaluate/frame.c:3: includes math/, which the table' src/evaluate/frame.c '#include "math/part/other.h"'
expect_fault 'the row of base names cli, which is not a row above it' src/README.md '| `base` | again | cli |'
mkdir src/attic && echo '# attic: `old`' >src/attic/README.md
expect_fault 'src/attic/old.h: its directory has no row in src/README.md' src/attic/old.h 'int old(void);'
rm -r src/attic
expect_fault 'src/math/curve.h:6: includes Bullet outside of evaluate/physics' src/math/curve.h '#include <btBulletDynamicsCommon.h>'
expect_fault 'src/math/curve.h:6: includes OpenGL outside of render/' src/math/curve.h '#include <GL/glcorearb.h>'

# ---- order of includes ----
expect_fault 'src/math/curve.c:1: does not include its own header first' src/math/curve.c '#include <math.h>' '' '#include "math/curve.h"'
expect_fault 'src/math/part/spline.c:6: includes <stdlib.h> after "..."' src/math/part/spline.c '#include <stdlib.h>'

# ---- parsers ----
parser='parses without parser_enter (src/base/parser_entry.h)'
for line in 'bool new_load(New *new, Bytes bytes, Arena *arena, Diag *diag)' 'New *new_parse(Bytes text, Arena *arena)' \
    '    Reader r = reader_init(bytes);' '    avformat_open_input(&in, url, NULL, NULL);' '    z = inflateInit2(&stream, -15);'; do
    expect_fault "src/base/file.c: $parser" src/base/file.c "$line"
done
printf '%s\n' '' 'void file_use(Bytes bytes)' '{' '    parser_enter("file");' '    reader_init(bytes);' '}' >>src/base/file.c
if lint_fast; then pass; else fail "a parser with parser_enter"; fi
git checkout -q src/base/file.c

# ---- calls that change files ----
for line in '    unlink(path);' '    const int fd = open(path, O_WRONLY | O_CLOEXEC);' '    fd = openat(directory, path, flags);' \
    '    FILE *out = fopen(path, "ab");' '    return renameat2(from, a, to, b, 0) == 0;'; do
    expect_fault "src/base/file.c: changes files (lines 6): call base/file_calls.h" src/base/file.c "$line"
done
expect_fault 'src/base/file.c: changes files (lines 6)' src/base/file.c '    fd = open(path,' '              O_RDWR | O_CREAT);'
mkdir src/sandbox
printf '%s\n' '## Calls that change files' '| source | what |' '|---|---|' '| `base/file.c` | its file |' >src/sandbox/README.md
expect_fault 'base/file.c changes no files: remove its row' src/math/curve.h ''
printf '%s\n' '' 'void file_use(const char *path)' '{' '    rmdir(path);' '    close(open(path, O_RDONLY));' '    fopen(path, "rbe");' \
    '    open("/dev/null", O_RDWR);' '    kind->open(path);' '}' >>src/base/file.c
if lint_fast; then pass; else fail "a source in the table of those that change files"; fi
rm -r src/sandbox
git checkout -q src/base/file.c

# ---- licenses ----
printf '%s\n' '/* base/README.md 1 */' 'int curve_of(void);' >src/math/curve_of.h
if lint_fast; then fail "a file without a license"; else
    expect_text ../out 'no line with SPDX-License-Identifier: MIT at the top: src/math/curve_of.h'
fi
rm src/math/curve_of.h

# ---- documents ----
expect_fault 'src/math/README.md: does not name other (src/math/part/other.h)' src/math/part/other.h 'int other(void);'
expect_fault 'src/math/curve.h:6: cites section 2 of src/base/README.md, which has none' src/math/curve.h '/* base/README.md 2 */'
expect_fault 'src/math/curve.h:7: cites section 1.4 of src/base/README.md' src/math/curve.h '/* as in base/README.md' ' * 1.4 */'
expect_fault 'src/math/curve.h:6: cites section 7 of src/math/README.md' src/math/curve.h '/* (README 7) */'
expect_fault 'src/base/file.h:3: cites section 3 of src/base/README.md' src/base/file.h '/* README.md 1 and 3 */'
expect_fault 'src/math/curve.h:6: cites film/README.md, which does not exist' src/math/curve.h '/* film/README.md 1 */'
expect_fault 'src/math/README.md:4: cites section 9 of src/base/README.md' src/math/README.md 'See `base/README.md` 9.'
expect_fault 'src/math/README.md:4: links to ../base/none.md, which does not exist' src/math/README.md '[x](../base/none.md)'
expect_fault 'links to ../base/README.md#none, which has no such heading' src/math/README.md '[x](../base/README.md#none)'
expect_fault 'src/math/README.md:4: names base/none.h, which does not exist' src/math/README.md 'See `base/none.h`, not `base/file.h`.'
expect_fault 'src/math/curve.h:6: names base/none.h, which does not exist' src/math/curve.h '/* See base/none.h and linux/if.h. */'
rm src/evaluate/README.md
if lint_fast; then fail "a directory without README.md"; else expect_text ../out "does not name frame (src/evaluate/frame.c)"; fi
git checkout -q src/evaluate/README.md
expect_fault 'README.md is longer than 170 lines' README.md "$(yes line | head -n 171)"

# ---- words, paths, layout, tools ----
expect_fault 'write color, center, directory' src/math/curve.h '/* the colour of a folder */'
home=root
expect_fault 'a path of a machine' src/math/curve.h "/* /$home/film */"
case ${LINT_WITHOUT:-} in
"")
    expect_fault 'not formatted (make format)' src/base/file.h '' 'int  x;'
    expect_fault 'not formatted (make format)' src/base/file.c '' '#include <stdlib.h>' '#include <fcntl.h>'
    ;;
esac
mkdir "$work/bin"
for tool in sh git awk dirname wc xargs; do ln -s "$(command -v "$tool")" "$work/bin/$tool"; done
if LINT_WITHOUT='' PATH=$work/bin sh "$lint" fast >../out 2>../err; then fail "lint without clang-format"; else
    expect_text ../out "clang-format-14 is not installed"
fi

cd "$work" || exit 1
finish
