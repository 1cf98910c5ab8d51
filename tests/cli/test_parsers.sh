#!/bin/sh
# SPDX-License-Identifier: MIT
# What code in a damaged file could do: every verb is run with a program that tries, when a process first enters a parser, to
# create, write, rename and remove files, to read others than those of the job, to run programs and to connect
# (tests/parsers/probe.c). Every parser in the source must be entered by a test here. VERBOSE=1 lists what each may do.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"

if [ ! -x "${PROBE:-}" ] || [ ! -x "${SEEDS:-}" ]; then
    skip "needs PROBE and SEEDS, which make test builds"
    finish
    exit
fi
case $("$PROBE" version | grep '^sandbox: ') in
"sandbox: Landlock "*", seccomp") ;;
*)
    skip "the kernel or this build has no complete sandbox"
    finish
    exit
    ;;
esac

mkdir outside in secrets
for file in secret old victim; do echo "$file" >outside/$file; done
PROBE_OUTSIDE=$work/outside
SECRET=credential
export PROBE_OUTSIDE SECRET
: >log
cd in || exit 1
tiny_job

# probe STATUS ARGUMENT...: runs a verb; its parsers write to the log
probe() {
    expected=$1
    shift
    echo "= $*" >>../log
    timeout 600 "$PROBE" "$@" >out 2>err </dev/null 9>>../log
    got=$?
    if [ "$got" = "$expected" ]; then pass; else fail "odori $*: exit status $got, expected $expected"; fi
}

# seed FORMAT NUMBER FILE: a valid file of a format, as the fuzzers use
seed() {
    mkdir -p ../seeds/"$1" && "$SEEDS" "$1" --write ../seeds/"$1" >/dev/null && cp ../seeds/"$1"/"$2" "$3"
}

# ---- the job, limits, archives, command lines, projects: what is parsed before the files of a job are known ----
echo 'profile: untrusted' >limits.yaml
python3 - "$ODORI_DEMO" <<'END'
import sys, zipfile
with zipfile.ZipFile('pack.zip', 'w') as pack:
    pack.write(sys.argv[1] + '/figure.pmx', 'figure.pmx')
END
cp "$ODORI_DEMO"/*.pmx "$ODORI_DEMO"/*.png "$ODORI_DEMO"/dance.vmd .
printf 'version: 1\nmodels: [{file: pack.zip}]\nrender: {size: [16, 16], samples: 1, frames: 0-1}\noutputs: ["o/%%05d.png"]\n' >packed.yaml
probe 0 check packed.yaml --limits limits.yaml
probe 0 render packed.yaml --sandbox require
probe 0 render board.x camera.vmd -o bare.mp4 -f 0 --size 16x16
probe 0 check pack.zip dance.vmd
mkdir project assets
cp figure.pmx ./*.png "$ODORI_DEMO/tune.wav" assets
python3 "$here/pmm_write.py" "$ODORI_DEMO" project/dance.pmm
cp ../in/board.x assets/hat.x
seed emm 0 project/dance.emm
seed pmd 0 assets/old.pmd
python3 - <<'END'
def text(data, size):
    return data.ljust(size, b'\0')
model = bytes(1) + text(b'old', 20) + text(b'C:\\old.pmd', 256) + bytes(1 + 1 + 20 + 1 + 8)
head = text(b'Polygon Movie maker 0001', 30) + bytes(8 + 8 + 6) + bytes([0, 1]) + bytes(20)
open('project/old.pmm', 'wb').write(head + model + bytes(8000))
END
probe 0 check project/dance.pmm --assets assets
probe 0 render project/dance.pmm --assets assets -o p.sha256 -f 0
probe 0 job project/dance.pmm --assets assets -o made.yaml
probe 0 check project/old.pmm --assets assets
# Processes that find the files of a project and were taken over: they name files that are not its own.
for PROBE_LIES in pmm emm pmd_names; do
    export PROBE_LIES
    probe 0 render project/dance.pmm --assets assets -f 0
    rm project/dance.mp4
    probe 0 preview project/dance.pmm --assets assets --set name=other --set audio.file=../noise.wav
    probe 0 check project/old.pmm --assets assets
done
unset PROBE_LIES

# ---- the verbs ----
probe 0 render tiny.yaml
probe 0 render tiny.yaml --overwrite --set 'previews=[{type: webp, file: film.webp, width: 16}]'
for shard in 1 2; do probe 0 render tiny.yaml -o parts.mp4 --shard $shard/2; done
probe 0 join tiny.yaml -o parts.mp4
for shard in 1 2; do probe 0 render tiny.yaml -o parts.sha256 --shard $shard/2; done
probe 0 join tiny.yaml -o parts.sha256
probe 0 status tiny.yaml --json
probe 0 status .film.mp4.odori
probe 0 verify tiny.yaml
probe 0 verify .film.mp4.odori film.mp4
probe 0 compare film.mp4 parts.mp4
probe 0 bake tiny.yaml -o tiny.bake
probe 0 render tiny.yaml --set physics.bake=tiny.bake -o baked.mp4
probe 0 plan tiny.yaml
probe 0 plan tiny.yaml --try
probe 0 preview tiny.yaml -o preview.png
probe 0 report tiny.yaml -o report.html
probe 0 report tiny.yaml --base tiny.yaml -o compared.html
probe 0 pose tiny.yaml --frames 0
probe 0 plot tiny.yaml --bone センター -o plot.svg
probe 0 export figure.pmx dance.vmd -o dance.bvh -f 0-3
probe 0 info figure.pmx dance.vmd noise.wav camera.vmd pack.zip/figure.pmx
probe 0 info figure.pmx -o sheet.png
probe 0 info dance.vmd -o chart.png
probe 0 submit --to slurm tiny.yaml --shards 2
probe 0 submit --to k8s tiny.yaml --shards 2 --image odori
probe 0 submit --to openjd tiny.yaml --shards 2 --bundle bundle
probe 0 demo -o demo.mp4 -f 0 --size 16x16
probe 0 demo -o demo.mp4 -f 0 --size 16x16 --overwrite
cat >batch.yaml <<'END'
version: 1
base: tiny.yaml
out: "batch/{size}.mp4"
matrix: { size: { a: { render.fps: 5 }, b: { render.fps: 6 } } }
END
probe 0 batch plan batch.yaml --limits limits.yaml
probe 0 batch run batch.yaml --summary summary.md
probe 0 batch run batch.yaml
probe 0 batch status batch.yaml

# ---- the other formats ----
seed pmd 0 miku.pmd
seed vac 0 hat.vac
for number in 0 1 2 3; do
    seed xfile $number packed.x
    case $(head -c 12 packed.x) in *zip) break ;; esac
done
seed vpd 0 pose.vpd
python3 "$here/mocap_write.py" mixamo walk.bvh
buffers='"buffers":[{"byteLength":3,"uri":"data:;base64,AAAA"},{"byteLength":4}]'
echo '{"asset":{"version":"2.0"},'"$buffers"',"bufferViews":[{"buffer":1,"byteLength":4,"extensions":{"EXT_meshopt_compression":{"buffer":0,
"byteLength":3,"byteStride":4,"count":1,"mode":"ATTRIBUTES"}}}]}' >meshopt.gltf
probe 65 info meshopt.gltf
echo '{"asset":{"version":"2.0"},'"$buffers"',"bufferViews":[{"buffer":0,"byteLength":3}],"accessors":[{"componentType":5126,"count":3,"type":"VEC3"}],
"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":0,"extensions":{"KHR_draco_mesh_compression":{"bufferView":0,
"attributes":{"POSITION":0}}}}]}]}' >draco.gltf
probe 65 info draco.gltf
seed gltf_motion 0 walk.vrma
seed fbx 1 walk.fbx
seed smpl 0 walk.npz
seed cube 0 warm.cube
seed exr 1 image.exr
seed midi 0 song.mid
seed font 0 face.ttf
seed subtitle 1 words.srt
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >room.obj
probe 0 info room.obj
probe 0 info miku.pmd packed.x hat.vac pose.vpd walk.bvh walk.fbx walk.npz walk.vrma song.mid
probe 0 compare image.exr image.exr
probe 0 convert walk.bvh --model figure.pmx -o walk.vmd
cat >full.yaml <<'END'
version: 1
models: [board.x, room.obj]
look: { grade: { lut: warm.cube } }
subtitles: { file: words.srt, font: face.ttf }
audio: { file: song.mid }
render: { size: [64, 36], samples: 1, fps: 5, frames: 0-1 }
outputs: [full.mp4]
END
probe 0 render full.yaml
case $("$PROBE" version) in *" +FLUIDSYNTH"*) soundfont=65 absent= ;; *) soundfont=0 absent=soundfont ;; esac
probe "$soundfont" render full.yaml --set audio.soundfont=noise.wav -o none.mp4

cp board.x painted.x
seed texture 3 cube.dds
seed texture 6 sky.hdr
cat >painted.fx <<'END'
texture Cube < string ResourceName = "cube.dds"; >;
texture Sky < string ResourceName = "sky.hdr"; >;
END
printf '[Effect]\nObj[0] = painted.fx\n' >painted.emd
probe 0 render tiny.yaml --set 'models=[painted.x]' -o painted.mp4
probe 0 info painted.fx cube.dds sky.hdr

# ---- the table ----
cd ..
grep -rhoE 'parser_enter\("[a-z_]+"\)' "$here/../../src" | sed 's/.*("//; s/").*//' | sort -u | grep -vxF "$absent" >parsers
awk -v verbose="${VERBOSE:-0}" '
    FILENAME == "parsers" { known[$1]; next }
    $1 == "=" { verb = $0; next }
    $2 == "odori-shaders" { next } # has read the demo only (src/cli/shader_cache.h)
    { entered[$1]; processes[$1, $2]; if ($4 == "possible") { can[$1, $2] = can[$1, $2] " " $3; at[$1, $2] = verb; bad++ } }
    END {
        for (p in known) if (!(p in entered)) print "never entered: " p
        for (k in processes) { split(k, w, SUBSEP)
            if (k in can || verbose) { n = split(can[k], c, " "); s = ""; delete seen
                for (i = 1; i <= n; i++) if (!(c[i] in seen)) { seen[c[i]]; s = s " " c[i] }
                printf "%-10s in %-14s may:%s%s\n", w[1], w[2], s == "" ? " nothing" : s, s == "" ? "" : "   (" at[k] ")" } }
    }' parsers log | sort >table
[ "${VERBOSE:-0}" = 0 ] || cat table
if grep -q '^fork odori-spawner' log; then pass; else fail "the process that forks the workers tried nothing"; fi
if grep -q 'never entered' table; then fail "parsers that no test enters: $(grep 'never entered' table | tr '\n' ' ')"; else pass; fi
if grep -v 'may: nothing' table | grep -q 'may:'; then
    grep -v 'may: nothing' table
    fail "a process that parses may do this"
else
    pass
fi
finish
