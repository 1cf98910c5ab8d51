#!/bin/sh
# Verbs, flags and help.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

run 2
silent out
told err 'usage: odori VERB ...'
told err '  render '

for verb in render check info pose demo schema help version; do
    run 0 "$verb" --help
    told out "usage: odori $verb"
    silent err
    run 0 help "$verb"
    told out "usage: odori $verb"
done
run 0 --help
told out 'usage: odori VERB ...'
run 0 -h
run 0 --version
told out 'odori '

# Verbs of other programs, and those that are not there.
for verb in encode convert play; do
    run 2 "$verb"
    told err "odori: error: unknown verb '$verb'"
    silent out
done

run 2 rendr job.yaml
exactly err <<'END'
odori: error: unknown verb 'rendr'; did you mean 'render'?
END
run 2 render job.yaml --strickt
exactly err <<'END'
odori: error: unknown flag '--strickt'; did you mean '--strict'?
END
run 2 render job.yaml --markdown
told err "unknown flag '--markdown'"
run 2 render job.yaml -x
told err "unknown flag '-x'; see 'odori help render'"
run 2 render
told err 'odori: error: usage: odori render JOB'
run 2 render job.yaml -o
told err 'odori: error: --output needs a value (FILE)'
run 2 render job.yaml --strict=yes
told err 'odori: error: --strict takes no value'
run 2 render job.yaml --progress=loud
told err "odori: error: --progress: 'loud' is not one of auto, tty, plain, json, none"
run 2 render job.yaml --set render.fps
told err "odori: error: --set: 'render.fps' is not of the form key=value"
run 2 render job.yaml --frames 9-5
told err "odori: error: --frames: '9-5' is neither 'all' nor ascending ranges"
run 2 render a.yaml b.yaml
told err "render takes exactly one job file, 'a.yaml'; unexpected argument 'b.yaml'"
run 2 render model.pmx motion.vmd
told err 'odori: error: -o FILE is required without a job file'
run 2 pose job.yaml
told err 'odori: error: --frames LIST is required'
run 2 check song.wav
told err 'no model (.pmx, .pmd, .x, .vac) among the files'
run 2 demo extra
told err "demo takes no operand; unexpected argument 'extra'"

# -- ends the flags
run 66 check -- --strict.yaml
told err 'odori: error: --strict.yaml: cannot open'

run 0 help job
told out 'render.fps: '
run 0 help render.fps
told out '1..240; default 60'
run 0 help models.0.motions
told out 'models.0.motions.N.speed'
run 2 help render.fsp
told err "no help text contains it; did you mean 'render.fps'?"
run 0 help --markdown
told out '| key | accepts | default | meaning |'
run 0 help --man
told out '.TH ODORI 1'
run 0 schema
told out 'https://json-schema.org/draft/2020-12/schema'
run 0 version --json
told out '{"odori":"'

finish
