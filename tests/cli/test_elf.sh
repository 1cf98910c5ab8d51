#!/bin/sh
# SPDX-License-Identifier: MIT
# Hardening of the program's file: what `readelf` and `objdump` (binutils) see of each property.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

if ! "$ODORI" version | grep -q '^build release'; then
    skip "a build with sanitizers, coverage or without optimisation is not hardened"
    finish
    exit
fi
if ! command -v readelf >/dev/null || ! command -v objdump >/dev/null; then
    skip "readelf or objdump is not installed"
    finish
    exit
fi
readelf -hldW "$ODORI" >headers
readelf --dyn-syms -W "$ODORI" >symbols
objdump -d --no-show-raw-insn "$ODORI" >code

# expect_match PROPERTY FILE PATTERN [COUNT]: at least COUNT (1) lines of FILE match
expect_match() {
    if [ "$(grep -cE -- "$3" "$2")" -ge "${4:-1}" ]; then pass; else fail "$1: no '$3' in $2"; fi
}
# expect_none PROPERTY FILE PATTERN
expect_none() {
    if grep -qE -- "$3" "$2"; then fail "$1: '$3' in $2"; else pass; fi
}

expect_match "position-independent executable" headers 'Type: +DYN'
expect_match "position-independent executable" headers 'FLAGS_1.* PIE'
expect_match "read-only relocations" headers '^ +GNU_RELRO .* R +0x'
expect_match "symbols resolved at start" headers 'FLAGS_1.* NOW'
expect_match "stack not executable" headers '^ +GNU_STACK .* RW +0x'
expect_none "segment both writable and executable" headers '^ +[A-Z_]+ +0x.* RWE +0x'
expect_none "relocation in the code" headers 'TEXTREL'
expect_none "library path" headers '\((RPATH|RUNPATH)\)'
expect_match "stack protector" symbols ' UND __stack_chk_fail'
# Plain -fstack-protector has about 230 calls: it protects large arrays of char only.
expect_match "strong stack protector" code '(call|bl) +.*<__stack_chk_fail@plt>' 300
expect_match "checked functions of the C library" symbols ' UND __(v?snprintf|memcpy)_chk' 2

# The first instruction of main
first=$(sed -n "/<main>:\$/{n;p;q}" code)
case $(readelf -h "$ODORI" | sed -n 's/^ *Machine: *//p') in
*X86-64)
    case $first in *endbr64*) pass ;; *) fail "branch targets: main begins with $first" ;; esac
    expect_match "probes of large stack frames" code 'sub +[$]0x1000,%rsp' 30
    ;;
AArch64)
    case $first in *bti* | *paciasp*) pass ;; *) fail "branch targets: main begins with $first" ;; esac
    ;;
esac

finish
