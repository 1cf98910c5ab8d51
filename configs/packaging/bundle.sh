#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes an archive that runs where it is unpacked: out/bundle/odori-VERSION-linux-ARCH.tar.xz and its SHA-256.  It has the program,
# every library that it loads at its start or later, the C library and its loader included, and the converters of iconv.  The same program
# and the same packages give the same bytes.  Needs Debian or a derivative (dpkg-query), OSMesa, binutils and xz.
# usage: configs/packaging/bundle.sh [PROGRAM [DIRECTORY]]   default: out/odori; with DIRECTORY only the tree there, no archive
#
#   RUNNER=qemu-aarch64   runs the program and its loader, where they are for another architecture
set -eu
export LC_ALL=C
top=$(cd "$(dirname "$0")/../.." && pwd)
program=${1:-$top/out/odori}
for tool in dpkg-query readelf xz; do
    command -v "$tool" >/dev/null || { echo "bundle: $tool is missing: apt-get install dpkg binutils xz-utils" >&2; exit 69; }
done

# libraries LOADER FILE [OPTION]...: what LOADER loads for FILE, in code for every processor of the architecture
libraries() {
    loader=$1 file=$2
    shift 2
    # shellcheck disable=SC2086  # no runner is no word
    ${RUNNER-} "$loader" --glibc-hwcaps-mask none "$@" --list "$file" | sed -n 's/.*=> \(\/.*\) (0x[0-9a-f]*)$/\1/p'
}
loader=$(readelf -lW "$program" | sed -n 's/.*program interpreter: \(.*\)]/\1/p')
libc=$(libraries "$loader" "$program" | sed -n '/\/libc\.so\./p')
directory=${libc%/*} # of the libraries of one architecture
triplet=${directory##*/}
osmesa=$directory/libOSMesa.so.8
[ -e "$osmesa" ] || { echo 'bundle: OSMesa is missing: apt-get install libosmesa6' >&2; exit 69; }
command -v "$triplet-strip" >/dev/null || { echo "bundle: $triplet-strip is missing: install the binutils of that architecture" >&2; exit 69; }
# shellcheck disable=SC2086  # no runner is no word
versions=$(${RUNNER-} "$program" version)
version=$(echo "$versions" | sed -n 's/^odori //p')
# What the program opens at run time, by dlopen.
opened="$osmesa $(echo "$versions" | sed -En "s,^(lib(av|sw)[a-z]+) ([0-9]+)\..*,$directory/\1.so.\3,p")"
name=odori-$version-linux-${triplet%%-*}
tree=${2:-$top/out/bundle/$name}
[ ! -e "$tree" ] || [ $# -lt 2 ] || { echo "bundle: $tree exists already" >&2; exit 73; }
[ $# -ge 2 ] || rm -rf "$top/out/bundle"
mkdir -p "$tree/lib" "$tree/licenses"

cp -L "$loader" "$tree/lib/odori-ld.so" # src/base/program.c knows the bundle by this name
"$triplet-strip" -o "$tree/lib/odori" "$program"
files=$(for file in "$program" $opened; do [ "$file" = "$program" ] || echo "$file"; libraries "$loader" "$file"; done | grep -vFx "$loader" | sort -u)
# shellcheck disable=SC2086  # no name of a library has a space
cp -L $files "$tree/lib/"
cp -rL "$directory/gconv" "$tree/lib/gconv"
rm -f "$tree/lib/gconv/gconv-modules.cache" # has the paths of this system

cat >"$tree/odori" <<'LAUNCHER'
#!/bin/sh
# Starts Odori with the libraries of its bundle, wherever that is.
bundle=$(dirname "$(readlink -f "$0")")
export GCONV_PATH="$bundle/lib/gconv"
exec "$bundle/lib/odori-ld.so" --inhibit-cache --library-path "$bundle/lib" --argv0 odori "$bundle/lib/odori" "$@"
LAUNCHER
chmod 755 "$tree/odori" "$tree/lib/odori" "$tree/lib/odori-ld.so"

# Nothing may come from the system, which the loader would also search.
for file in odori $opened; do
    rest=$(libraries "$tree/lib/odori-ld.so" "$tree/lib/${file##*/}" --inhibit-cache --library-path "$tree/lib" | grep -vF "$tree/lib/") || continue
    echo "bundle: not in the bundle: $rest" >&2
    exit 70
done

cp "$top/LICENSE" "$top/README.md" "$tree/"
# shellcheck disable=SC2086
sh "$top/configs/packaging/sbom.sh" "$tree/lib/odori" $files >"$tree/odori.cdx.json"
packages=$(sed -n 's/.*"type": "library".*"name": "\([^"]*\)", "version": "\([^"]*\)".*/\1 \2/p' "$tree/odori.cdx.json")
for package in $(echo "$packages" | cut -d' ' -f1); do
    cp "/usr/share/doc/$package/copyright" "$tree/licenses/$package" || echo "bundle: no license text of $package" >&2
done
# shellcheck disable=SC1091  # a file of the system
system=$(. /etc/os-release && echo "$PRETTY_NAME")
cat >"$tree/CONTENTS" <<CONTENTS
Odori $version for Linux on ${triplet%%-*}.  Start ./odori, or a symbolic link to it.

From the system it takes, always: a kernel with /proc, /bin/sh, dirname and readlink.
From the system it takes, where they exist: fonts and /etc/fonts (text in films), libEGL and its drivers (render.gl: egl; for the C library
that is inside), the commands of a scheduler (submit).
From the system it takes no library but libEGL and what that loads: all others are in lib/, from these packages of $system,
whose licenses are in licenses/ (odori.cdx.json is the same list as CycloneDX).

$packages
CONTENTS
[ $# -lt 2 ] || exit 0

time=${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct 2>/dev/null || echo 0)}
cd "$top/out/bundle"
# Two threads or more give the same bytes, one thread others.
tar --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX --mtime="@$time" -cf "$name.tar" "$name"
xz -6 -T2 "$name.tar"
rm -rf "$name"
sha256sum "$name.tar.xz" | tee "$name.tar.xz.sha256"
