#!/bin/sh
# SPDX-License-Identifier: MIT
# Models, motions and sounds in archives, as they are downloaded.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

if ! command -v python3 >/dev/null; then
    skip "python3, which writes the archives, is not installed"
    finish
fi
if "$ODORI" version --json | grep -q '"libarchive":"not available"'; then
    printf 'PK\003\004 no library' >pack.zip
    run 69 info pack.zip
    run 69 check pack.zip
    expect_text err 'this program was built without libarchive; unpack the archive first'
    finish
fi

# pack.zip: the names in CP932 without a mark, as Japanese Windows writes them; motions.zip in UTF-8.
python3 - "$ODORI_DEMO" <<'PY' || fail "no archives"
import os, sys, zipfile

class Cp932(zipfile.ZipInfo):
    def _encodeFilenameFlags(self):
        return self.filename.encode("cp932"), self.flag_bits & ~0x800

demo = sys.argv[1]
with zipfile.ZipFile("pack.zip", "w") as pack:
    for name in sorted(os.listdir(demo)):
        path = os.path.join(demo, name)
        if os.path.isfile(path) and name.endswith((".pmx", ".png", ".bmp")) and "stage" not in name:
            info = Cp932("モデル/" + name)
            info.compress_type = zipfile.ZIP_DEFLATED
            pack.writestr(info, open(path, "rb").read())
    pack.writestr(Cp932("モデル/お読み.txt"), "改造可\r\nCredit: the demo\r\n".encode("cp932"))
    pack.writestr("__MACOSX/._figure.pmx", b"junk")
with zipfile.ZipFile("motions.zip", "w") as pack:
    pack.write(os.path.join(demo, "dance.vmd"), "踊り.vmd")
    pack.write(os.path.join(demo, "tune.wav"), "song/tune.wav")
    pack.writestr("../../escape.vmd", b"x")
for name, method in ("bzip2", zipfile.ZIP_BZIP2), ("lzma", zipfile.ZIP_LZMA):
    with zipfile.ZipFile(name + ".zip", "w", method) as pack:
        pack.write(os.path.join(demo, "dance.vmd"), "dance.vmd")
    with zipfile.ZipFile(name + "-bomb.zip", "w", method) as pack:
        pack.writestr("dance.vmd", bytes(80 << 20))
with zipfile.ZipFile("two.zip", "w") as pack:
    pack.writestr("a/one.pmx", b"x")
    pack.writestr("b/two.pmx", b"x")
PY
mkdir plain
cp "$ODORI_DEMO"/*.png "$ODORI_DEMO"/figure.pmx "$ODORI_DEMO"/dance.vmd plain/

# The frames are those of the unpacked files.
run 0 render pack.zip motions.zip --size 64x36 -f 0-2 -o packed.sha256
run 0 render plain/figure.pmx plain/dance.vmd --size 64x36 -f 0-2 -o plain.sha256
expect_same packed.sha256 plain.sha256
cat >job.yaml <<'Y'
version: 1
models: [{ file: pack.zip/モデル/FIGURE.pmx, motions: [motions.zip/踊り.vmd] }]
audio: motions.zip
render: { size: [64, 36], frames: 0-2 }
outputs: [job.sha256, job.mkv]
Y
run 0 render job.yaml
expect_same job.sha256 plain.sha256
run 0 verify job.yaml
run 0 render job.yaml --sandbox require -y
expect_no_temporaries .

# The fingerprint holds the files in the archive, not the archive.
run 0 status job.yaml
python3 -c 'import zipfile; zipfile.ZipFile("motions.zip", "a").writestr("new.txt", b"x")'
run 0 status job.yaml
python3 - "$ODORI_DEMO" <<'PY'
import sys, zipfile
data = open(sys.argv[1] + "/dance.vmd", "rb").read()
with zipfile.ZipFile("motions.zip", "w") as pack:
    pack.writestr("踊り.vmd", data + b"x")
    pack.write(sys.argv[1] + "/tune.wav", "song/tune.wav")
PY
run 75 status job.yaml
expect_text out "motions.zip/踊り.vmd' has another size"
run 0 info pack.zip
expect_text out '  kind: archive'
expect_text out '  model: モデル/figure.pmx'
expect_text out '  text モデル/お読み.txt:'
expect_text out '    改造可'
run 0 info --json pack.zip
expect_text out '"texts":[{"file":"モデル/お読み.txt","text":"改造可'
run 0 info pack.zip/モデル/figure.pmx
expect_text out '  kind: pmx'

# Other methods of zip, and too much in a few kilobytes.
for method in bzip2 lzma; do
    run 0 check plain/figure.pmx $method.zip
    run 65 check plain/figure.pmx $method-bomb.zip
    expect_text err "$method-bomb.zip: the files in the archive exceed"
done

# What cannot be meant, or is not there.
run 78 check two.zip
expect_text err "'two.zip' contains 2 models; name one: 'two.zip/a/one.pmx', 'two.zip/b/two.pmx'"
run 78 check motions.zip/踊り.vmd pack.zip --set models.0.file=motions.zip
expect_text err "'motions.zip' contains no model"
run 66 check pack.zip/モデル/figur.pmx
expect_text err "pack.zip/モデル/figur.pmx: cannot open: the archive has no such file; did you mean 'figure.pmx'?"
run 66 check pack.zip/../plain.pmx
head -c 3000 pack.zip >cut.zip
run 65 check cut.zip
expect_text err 'cut.zip: the archive is damaged'

# An output does not replace an archive that is an input.
run 73 render job.yaml -o pack.zip/a.mkv
cp pack.zip pack.mkv
run 2 render pack.mkv/モデル/figure.pmx -o pack.mkv -y
expect_text err 'would replace an input'
expect_same pack.mkv pack.zip
finish
