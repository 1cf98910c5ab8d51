#!/bin/sh
# SPDX-License-Identifier: MIT
# The parts of a binary as a software bill of materials: CycloneDX 1.5 in JSON, on standard output.  The program, the libraries
# that it and its OpenGL driver load, and their Debian packages; no time and no random number, so that it is reproducible.
# usage: configs/packaging/sbom.sh [PROGRAM [LIBRARY...]]   default: the libraries that ldd finds for it and its drivers; without
#        PROGRAM that of out/odori, into out/odori.cdx.json
#
#   RUNNER=qemu-aarch64   runs the program, where it is for another architecture
set -eu
if [ $# = 0 ]; then
    out=$(cd "$(dirname "$0")/../.." && pwd)/out
    set -- "$out/odori"
    exec >"$out/odori.cdx.json"
fi
program=$1
shift
command -v dpkg-query >/dev/null || { echo 'sbom: needs dpkg-query, of Debian and its derivatives' >&2; exit 69; }
# shellcheck disable=SC2086  # no runner is no word
versions=$(${RUNNER-} "$program" version)
version=$(echo "$versions" | sed -n 's/^odori //p')
revision=$(echo "$versions" | sed -n 's/^revision //p')
license=$(echo "$versions" | sed -n 's/^license //p')
# shellcheck disable=SC1091  # a file of the system
distribution=$(. /etc/os-release && echo "${ID}-${VERSION_ID:-$VERSION_CODENAME}")

opened() { # by the program, when it needs them: FFmpeg's; OSMesa, or EGL and the drawing module of Mesa
    for name in $(echo "$versions" | sed -En 's/^(lib(av|sw)[a-z]+) ([0-9]+)\..*/\1.so.\3/p') 'libOSMesa.so.[0-9]*' 'libEGL.so.[0-9]*' 'libEGL_mesa.so.[0-9]*'; do
        driver=$(ldconfig -p | sed -n "s/.*$name .*=> //p" | head -n 1)
        [ -z "$driver" ] || echo "$driver"
    done
    module=${driver%/*}/dri/swrast_dri.so # newer versions of Mesa have it in a library of libEGL_mesa
    [ -z "$driver" ] || [ ! -e "$module" ] || ldd "$driver" | grep -q libgallium || echo "$module"
}
libraries() { # the files that are loaded
    { echo "$program" && opened; } | xargs ldd | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p' | sort -u
    opened
}
# shellcheck disable=SC2016  # fields of dpkg-query
packages() { # package version architecture, a line for each
    # Where /lib is a link to /usr/lib, dpkg knows either name.  A library of no package, in /usr/local, is not listed.
    { if [ $# -gt 0 ]; then printf '%s\n' "$@"; else libraries; fi; } | sed 's|^/usr/lib/|/lib/|; s|.*|&\n/usr&|' | xargs -r dpkg-query -S 2>/dev/null | sed 's/: .*//; s/,.*//' | sort -u |
        xargs -r dpkg-query -W -f '${Package} ${Version} ${Architecture}\n' | LC_ALL=C sort -u
}

cat <<HEAD
{
  "bomFormat": "CycloneDX",
  "specVersion": "1.5",
  "version": 1,
  "metadata": {
    "component": {
      "type": "application", "bom-ref": "odori", "name": "odori", "version": "$version",
      "licenses": [ { "license": { "name": "MIT; as linked here: $license" } } ],
      "properties": [ { "name": "revision", "value": "$revision" } ],
      "hashes": [ { "alg": "SHA-256", "content": "$(sha256sum <"$program" | cut -d' ' -f1)" } ]
    }
  },
  "components": [
HEAD
packages "$@" | awk -v distribution="$distribution" '{
    split(distribution, id, "-")
    version = $2; gsub(/\+/, "%2B", version); gsub(/:/, "%3A", version)
    name = $1; gsub(/\+/, "%2B", name)
    purl = "pkg:deb/" id[1] "/" name "@" version "?arch=" $3 "&distro=" distribution
    separator = NR > 1 ? ",\n" : ""
    printf "%s    { \"type\": \"library\", \"bom-ref\": \"%s\", \"name\": \"%s\", \"version\": \"%s\", \"purl\": \"%s\" }",
        separator, purl, $1, $2, purl
    refs = refs (refs == "" ? "" : ", ") "\"" purl "\""
}
END { printf "\n  ],\n  \"dependencies\": [ { \"ref\": \"odori\", \"dependsOn\": [ %s ] } ]\n}\n", refs }'
