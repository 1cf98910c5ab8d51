#!/bin/sh
# SPDX-License-Identifier: MIT
# The JSON Schemas: valid files pass, and each mistake is reported at its own key.  Needs node with
# the packages ajv and js-yaml (in NODE_PATH).
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

run 0 schema
cp out job.json
run 0 schema batch
cp out batch.json
expect_text out '"title":"Odori batch manifest"'
run 2 schema job batch
run 2 schema other
expect_text err "; unexpected 'other'"

run 0 schema limits
cp out limits.json

# Of a result: what the tests of all verbs are checked with finds an undeclared key or word, a missing key and another type.
run 0 schema status
cp out status.json
printf '{"job":"j","status":"odd","at_work":[],"frames":"1","changed":null}\n' >bad.json
if "$JSON_CHECK" status.json bad.json >out; then fail "json_check finds no fault"; else pass; fi
expect_content out <<'END'
/: lacks directory
/: lacks done
/: lacks missing
/: lacks running
/: lacks digest
/: lacks outputs
/: lacks shards
/: lacks runs
/status: is the undeclared word odd
/: has the undeclared at_work
/frames: is of the type string
END

# Of a kind of file: each has members of its own; and of a part that may be missing: all of its members or none.
run 0 schema info
cp out info.json
printf '{"file":"a","bytes":1,"sha256":"%064d","kind":"sound","rate":44100,"channels":"2","tempo":120}\n' 0 >bad.json
if "$JSON_CHECK" info.json bad.json >out; then fail "json_check finds no fault"; else pass; fi
expect_content out <<'END'
/: lacks seconds
/channels: is of the type string
/: has the undeclared tempo
END
printf '{"job":"j","directory":"d","status":"stopped","done":1}\n' >bad.json
if "$JSON_CHECK" status.json bad.json >out; then fail "json_check finds no fault"; else pass; fi
expect_content out <<'END'
/: lacks frames
END

# Every name that the verb takes has a schema.
run 2 schema none
sed -n 's/.*schema takes one of: \(.*\); unexpected.*/\1/p' err | tr ' ' '\n' >names
while read -r name; do
    run 0 schema "$name"
    expect_text out "\"\$id\":\"urn:odori:schema:$name:1\""
done <names

node "$here/schema_errors.js" job.json >out 2>&1
case $? in
0) ;;
*)
    skip "node with ajv and js-yaml is not available: $(head -n 1 out)"
    finish
    exit
    ;;
esac

cp "$here"/../../configs/*.yaml .
set --
for file in *.yaml; do
    case $file in batch*) continue ;; esac
    set -- "$@" "$file"
done
node "$here/schema_errors.js" job.json "$@" >out 2>&1
for file in "$@"; do
    expect_text out "ok $file"
done
node "$here/schema_errors.js" batch.json batch*.yaml >out 2>&1
expect_text out "ok batch.yaml"
printf 'profile: untrusted\nframes: 100\nmemory_mib: 512.5\n' >limits-good.yaml
printf 'frames: many\n' >limits-bad.yaml
node "$here/schema_errors.js" limits.json limits-good.yaml limits-bad.yaml >out 2>&1
expect_text out "ok limits-good.yaml"
expect_text out "limits-bad.yaml: /frames: "

# Per line: the key at which exactly one error is expected, and the line of the job with the mistake.
while IFS=' ' read -r key line; do
    count=$((${count:-0} + 1))
    printf 'version: 1\nmodels: [a.pmx]\noutputs: [o.mp4]\n%s\n' "$line" >"mistake-$count.yaml"
    echo "mistake-$count.yaml: $key: " >>keys
    run 78 check "mistake-$count.yaml"
done <<'END'
/render/fps render: { fps: 241 }
/render/fps render: { fps: sixty }
/render/samples render: { samples: 2 }
/render/size/1 render: { size: [640, 1] }
/render/size render: { size: [640] }
/render/workers render: { workers: many }
/render/workers render: { workers: 0 }
/render/frames render: { frames: 9..5 }
/render/fsp render: { fsp: 60 }
/fps fps: 60
/compat/ik compat: { ik: pmx }
/shadows/ground shadows: { ground: "yes" }
/background/color background: { color: "#ffff" }
/light/direction light: { direction: [1, 2] }
/light/color/2 light: { color: [1, 1, 1.5] }
/previews/0/type previews: [{ type: png, file: a.png }]
/previews/0/file previews: [{ type: still }]
/cloth/0/model cloth: [{ material: skirt }]
/limits limits: 5
/stage/0 stage: [[a.pmx]]
END
node "$here/schema_errors.js" job.json mistake-*.yaml >out 2>&1
while read -r text; do
    expect_text out "$text"
done <keys
if [ "$(wc -l <out)" = "$(wc -l <keys)" ]; then pass; else fail "a mistake has more than one error"; fi

finish
