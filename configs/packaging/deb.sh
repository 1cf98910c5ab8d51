#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the Debian package of this tree under out/deb, with the debian/ directory of configs/packaging.
# usage: configs/packaging/deb.sh [OPTION of dpkg-buildpackage]...
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n '1s/.*(\(.*\)).*/\1/p' configs/packaging/debian/changelog)
for tool in dpkg-buildpackage dh; do
    command -v "$tool" >/dev/null || { echo "deb: $tool is missing: apt-get install build-essential debhelper" >&2; exit 1; }
done
tree=out/deb/odori-$version
rm -rf out/deb
mkdir -p "$tree"
git ls-files -z | xargs -0 cp --parents -t "$tree"
cp -r configs/packaging/debian "$tree/debian"
cd "$tree"
dpkg-buildpackage -us -uc -b "$@"
cd .. && ls -l ./*.deb
