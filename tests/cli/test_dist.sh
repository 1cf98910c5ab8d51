#!/bin/sh
# SPDX-License-Identifier: MIT
# configs/packaging/dist.sh in a small repository: equal bytes twice, and all that is committed.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

if ! command -v git >/dev/null; then
    skip 'git is not installed'
    finish
fi
top=$(cd "$here/../.." && pwd)
mkdir -p one/configs/packaging one/src/run
cp "$top/configs/packaging/dist.sh" one/configs/packaging/
printf '#define ODORI_VERSION "7.8.9"\n' >one/src/run/version.h
printf '#!/bin/sh\n' >one/踊り.sh
chmod 755 one/踊り.sh
cd one || exit 1
git init -q .
git add .
GIT_COMMITTER_DATE='2026-01-02T03:04:05Z' git -c user.name=a -c user.email=a@localhost commit -q -m one
echo out >.git/info/exclude
cd ..
sh one/configs/packaging/dist.sh >sum
cp one/out/dist/odori-7.8.9.tar.gz first.tar.gz
expect_content sum <<EOT
$(sha256sum <first.tar.gz | cut -d' ' -f1)  odori-7.8.9.tar.gz
EOT

# Another clone, later, with other settings; what is not committed is not in it.
git clone -q one two
echo more >two/more
(
    umask 077
    cd two && TZ=Asia/Tokyo LC_ALL=C sh configs/packaging/dist.sh >/dev/null
)
expect_same first.tar.gz two/out/dist/odori-7.8.9.tar.gz
mkdir got
tar -xzf first.tar.gz -C got
git -C one rev-parse --short=12 HEAD >revision
expect_same revision got/odori-7.8.9/.revision
expect_same one/踊り.sh got/odori-7.8.9/踊り.sh
if [ -x got/odori-7.8.9/踊り.sh ] && [ ! -e got/odori-7.8.9/more ]; then pass; else fail 'modes or files'; fi

finish
