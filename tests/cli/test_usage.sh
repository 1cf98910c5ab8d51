#!/bin/sh
# SPDX-License-Identifier: MIT
# Verbs, flags and help.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

run 2
expect_empty out
expect_text err 'usage: odori VERB ...'
expect_text err '  render '

for verb in render check info pose demo schema help version; do
    run 0 "$verb" --help
    expect_text out "usage: odori $verb"
    expect_empty err
    run 0 help "$verb"
    expect_text out "usage: odori $verb"
done
run 0 --help
expect_text out 'usage: odori VERB ...'
expect_text out 'odori MODEL MOTION... [CAMERA] [SOUND] [SUBTITLES] [-o FILE] '
run 0 -h
run 0 --version
expect_text out 'odori '

# Unknown verbs.
for verb in encode mix play; do
    run 2 "$verb"
    expect_text err "odori: error: unknown verb '$verb'"
    expect_empty out
done

run 2 rendr job.yaml
expect_content err <<'END'
odori: error: unknown verb 'rendr'; did you mean 'render'?
END
run 2 render job.yaml --strickt
expect_content err <<'END'
odori: error: unknown flag '--strickt'; did you mean '--strict'?
END
run 2 render job.yaml --markdown
expect_text err "unknown flag '--markdown'"
run 2 render job.yaml -x
expect_text err "unknown flag '-x'; see 'odori help render'"
run 2 render
expect_text err 'odori: error: usage: odori render JOB'
run 2 render job.yaml -o
expect_text err 'odori: error: --output needs a value (FILE)'
run 2 render job.yaml --strict=misfi
expect_content err <<'END'
odori: error: --strict: 'misfi' is not a class of warnings; did you mean 'misfit'?
END
run 2 render job.yaml -W no-bone-ordr
expect_content err <<'END'
odori: error: -W: 'bone-ordr' is not a class of warnings; did you mean 'no-bone-order'?
END
run 2 render job.yaml --strict=all
expect_text err "--strict: 'all' is not a class of warnings; see 'odori help warnings'"
run 2 render job.yaml --quiet=yes
expect_text err 'odori: error: --quiet takes no value'
run 2 render job.yaml --progress=loud
expect_text err "odori: error: --progress: 'loud' is not one of auto, tty, plain, json, none"
run 2 render job.yaml --set render.fps
expect_text err "odori: error: --set: 'render.fps' is not of the form key=value"
run 2 render job.yaml --frames 9-5
expect_text err "odori: error: --frames: '9-5' is neither 'all' nor ascending ranges"
run 2 render a.yaml b.yaml
expect_text err "render takes exactly one job file, 'a.yaml'; unexpected argument 'b.yaml'"
run 66 render model.pmx motion.vmd
expect_text err 'model.pmx'
run 2 pose job.yaml
expect_text err 'odori: error: --frames LIST is required'
run 2 check song.wav
expect_text err 'no model (.pmx, .pmd, .x, .vac, .vrm, .glb, .gltf, .obj) among the files'
run 2 render tiny.yaml --=1
expect_text err "unknown flag '--'; see 'odori help'"
run 2 render tiny.yaml --Resolution 4x4
expect_text err "unknown flag '--Resolution'; did you mean '--size'?"
# Names of verbs and flags in earlier versions, where the verb has the new one.
run 2 render tiny.yaml --give-up 0
expect_text err "unknown flag '--give-up'; did you mean '--max-stalled-runs'?"
run 2 render tiny.yaml --resume
expect_text err "unknown flag '--resume'; it is not needed: a film continues where it was stopped"
run 2 demo --hall
expect_text err "unknown flag '--hall'; it is a scene of the benchmarks: 'make hall' in the source tree writes its job"
run 2 demo --assets=
expect_text err "unknown flag '--assets'; did you mean '--demo-dir'?"
run 2 slurm tiny.yaml --shards 2
expect_text err "unknown verb 'slurm'; did you mean 'submit --to slurm'?"
run 2 check tiny.yaml --give-up 3
expect_text err "unknown flag '--give-up'"
run 2 demo extra
expect_text err "demo takes no operand; unexpected argument 'extra'"
# It is generated only for a film that can be rendered.
echo other >other.mp4
run 2 demo --demo-dir assets --crf abc -o film.mp4
run 78 demo --demo-dir assets -o film.none
run 73 demo --demo-dir assets -o other.mp4
expect_text err "'other.mp4' exists and was not written by this job"
expect_no_file assets/figure.pmx
rm -r assets other.mp4

# An empty operand or value, of a variable that is not set, is named before anything else.
for verb in render join preview report bake plan status verify compare submit check info \
    pose job convert export plot help; do
    run 2 "$verb" ''
    expect_text err "odori: error: operand 1 is empty; usage: odori $verb "
    expect_empty out
done
for verb in plan run status; do
    run 2 batch "$verb" ''
    expect_text err 'odori: error: operand 2 is empty; usage: odori batch '
done
run 2 compare a.mp4 ''
expect_text err 'odori: error: operand 2 is empty; usage: odori compare '
run 2 render job.yaml -o ''
expect_text err 'odori: error: --output: value is empty; expected FILE'
run 2 render job.yaml --set ''
expect_text err 'odori: error: --set: value is empty; expected KEY=VALUE'
for flag in state=DIR camera=FILE assets=DIR limits=FILE fps=RATE size=WxH workers=N \
    shader-dir=DIR; do
    run 2 render job.yaml "--${flag%=*}="
    expect_text err "odori: error: --${flag%=*}: value is empty; expected ${flag#*=}"
done
run 66 submit --to slurm none.yaml --shards 2 --options ''

# A missing directory of assets is refused before anything is loaded, also where it is not used.
: >file
for verb in render join preview report bake plan check 'pose --frames 0' export 'submit --to slurm --shards 2' \
    'submit --to k8s --shards 2 --image x' 'submit --to openjd --shards 2' 'job -o x.yaml'; do
    for directory in missing:"cannot open 'missing': No such file or directory" \
        file:"'file' is not a directory"; do
        # shellcheck disable=SC2086  # a verb with its flags
        run 66 $verb none.yaml --assets "${directory%%:*}"
        expect_content err <<END
odori: error: --assets: ${directory#*:}
END
    done
done

# flags end at --
run 66 check -- --strict.yaml
expect_text err 'odori: error: --strict.yaml: cannot open'

run 0 help job
expect_text out 'render.fps: '
run 0 help render.fps
expect_text out '1..240; default 60'
run 0 help models.0.motions
expect_text out 'models.0.motions.N.speed'
run 2 help render.fsp
expect_text err "no help text contains it; did you mean 'render.fps'?"
run 0 help warnings
expect_text out 'warnings.strict: classes of warnings that are errors'
expect_text out '  missing-texture'
expect_text out '  bone-order (shown with -v)'
run 0 help --markdown
expect_text out '| key | accepts | default | meaning |'
run 0 help --man
expect_text out '.TH ODORI 1'
run 0 schema
expect_text out 'https://json-schema.org/draft/2020-12/schema'
run 0 version
expect_text out 'revision '
expect_text out 'bullet '
for name in nettle utf8proc cglm; do
    if grep -q "^$name [0-9]" out; then pass; else fail "version: no $name"; fi
done
if grep -Eq '^license (L?GPL version|nonfree)' out; then pass; else fail 'version: no license'; fi
if grep -Eq '^libx264 ([0-9]+|available|not available)$' out; then pass; else fail 'version: no libx264'; fi
run 0 version --json
expect_text out '{"odori":"'

finish
