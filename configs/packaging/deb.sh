#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the Debian package of the committed tree under out/deb, with the debian/ directory of configs/packaging: the source
# package, whose original archive is that of dist.sh, and the binary packages.
# usage: configs/packaging/deb.sh [OPTION of dpkg-buildpackage]...
set -eu
cd "$(dirname "$0")/../.."
for tool in dpkg-buildpackage dh; do
    command -v "$tool" >/dev/null || { echo "deb: $tool is missing: apt-get install build-essential debhelper" >&2; exit 1; }
done
sh configs/packaging/dist.sh >/dev/null
archive=$(echo out/dist/odori-*.tar.gz)
name=$(basename "$archive" .tar.gz)
rm -rf out/deb
mkdir -p out/deb
cp "$archive" "out/deb/odori_$(echo "${name#odori-}" | sed 's/-dev$/~dev/').orig.tar.gz" # sorts before the release
tar -xzf "$archive" -C out/deb
cd "out/deb/$name"
cp -r configs/packaging/debian debian
dpkg-buildpackage -us -uc "$@"
cd .. && ls -l ./*.deb ./*.dsc
