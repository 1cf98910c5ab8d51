#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the source archive of the committed tree: out/dist/odori-VERSION.tar.gz and its SHA-256.  The same commit gives the
# same bytes: sorted names, one owner, the time of the commit, no time in the header of gzip.
# usage: configs/packaging/dist.sh
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^#define ODORI_VERSION "\(.*\)"/\1/p' src/run/version.h)
git diff --quiet HEAD -- || echo 'dist: changes that are not committed are left out' >&2
revision=$(git rev-parse --short=12 HEAD)
time=$(git log -1 --format=%ct)
name=odori-$version
rm -rf out/dist
mkdir -p "out/dist/$name"
git archive HEAD | tar -x -C "out/dist/$name"
echo "$revision" >"out/dist/$name/.revision" # the Makefile reads it, where there is no repository
cd out/dist
LC_ALL=C tar --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX --mtime="@$time" -c "$name" |
    gzip -9n >"$name.tar.gz"
rm -rf "$name"
sha256sum "$name.tar.gz" | tee "$name.tar.gz.sha256"
