#!/bin/sh
# SPDX-License-Identifier: MIT
# Credits that are found in files, in metadata and at the end of the film.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
tiny_job
ln -s "$ODORI_DEMO" demo
sed 's|models: .*|models: [ { file: demo/figure.pmx, motions: [demo/dance.vmd] } ]|; s/size: .16, 16./size: [160, 90]/' tiny.yaml >film.yaml

# The forms of the key.
for value in auto '[auto]' '{ lines: auto }'; do
    run 0 render film.yaml --dump-config --set "credits=$value"
    expect_text out 'lines: ["auto"]'
done
run 0 render film.yaml --dump-config --set 'credits=[A, B]'
expect_text out 'lines: ["A", "B"]'
run 78 render film.yaml --dump-config --set 'credits={ show: auto }'
expect_text err 'credits.show: expected a time such as 4s, or none'

# Metadata: the name of the model, a line of its comment, the motion, the sound; no line of the job twice.
run 0 render film.yaml -q -o meta.mkv -f 0 --set 'credits=[auto, "Light: me", "Light: me"]'
for text in 'Model: 踊り子' 'Motion: dance' 'Sound: noise' 'Light: me'; do
    if [ "$(grep -caF "$text" meta.mkv)" -ge 1 ]; then pass; else fail "no '$text' in the metadata"; fi
done

# A comment of the job comes first, whatever its key's case, and takes no credits away.
for key in comment Comment; do
    run 0 render film.yaml -q -y -o meta.mkv -f 0 --set "metadata={ $key: Made for a friend }" --set 'credits=["Light: me"]'
    for text in 'Made for a friend' 'Light: me'; do
        if [ "$(grep -caF "$text" meta.mkv)" -ge 1 ]; then pass; else fail "no '$text' in the metadata beside $key"; fi
    done
done

# A model that is missing is reported, and nothing else.
run 66 check tiny.yaml --set credits=auto --set models.0.file=none.x
expect_text err "models.0.file: cannot open 'none.x'"
run 66 check tiny.yaml --set credits=auto --set models.0.file=none.x --set 'scenes=[{}, {transition: cross-fade}]'
expect_text err "scenes.0.models.0.file: cannot open 'none.x'"
expect_one_error

# Readmes of archives: lines about authors and terms, also in Shift-JIS.
if command -v python3 >/dev/null && ! "$ODORI" version --json | grep -q '"libarchive":"not available"'; then
    python3 - <<'END'
import zipfile
with zipfile.ZipFile("pack.zip", "w") as pack:
    pack.write("board.x", "pack/board.x")
    pack.writestr("pack/りどみ.txt", "はじめに\r\n作者：山田\r\n再配布は禁止です。\r\n".encode("cp932"))
    pack.writestr("pack/LICENSE", "some words\nCopyright (c) 2026 Yamada\n")
    pack.writestr("pack/x.bin", "author: nobody\n")
END
    run 0 render tiny.yaml -q -o archive.mkv -f 0 --set models.0.file=pack.zip --set credits=auto
    for text in '作者：山田' '再配布は禁止です。' 'Copyright (c) 2026 Yamada'; do
        if [ "$(grep -caF "$text" archive.mkv)" -ge 1 ]; then pass; else fail "no '$text' in the metadata"; fi
    done
    if [ "$(grep -caF 'nobody' archive.mkv)" = 0 ]; then pass; else fail 'a file that is no text is in the metadata'; fi
else
    skip 'no python3 or libarchive'
fi

# They are drawn over the last seconds only, also of a part of the frames.
run 0 render film.yaml -q -o 'plain/%02d.png' -f 0-19
run 0 render film.yaml -q -o 'shown/%02d.png' -f 0-19 --set 'credits={ lines: [Somebody], show: 2s }'
expect_same plain/00.png shown/00.png
expect_same plain/09.png shown/09.png
for frame in 11 15 19; do
    if cmp -s "plain/$frame.png" "shown/$frame.png"; then fail "frame $frame has no credits"; else pass; fi
done
run 0 render film.yaml -q -o 'both/%02d.png' -f 0-19 --shard 2/2 --set 'credits={ lines: [Somebody], show: 2s }'
expect_same both/19.png shown/19.png
sed 's/^outputs.*/&\npreviews: [ { type: still, file: still.png, time_s: 1 } ]\ncredits: { lines: [Somebody], show: 2s }/' film.yaml >still.yaml
run 0 preview still.yaml -q
run 0 preview still.yaml -q -y --set credits=Somebody --set previews.0.file=without.png
expect_same still.png without.png
finish
