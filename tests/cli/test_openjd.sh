#!/bin/sh
# SPDX-License-Identifier: MIT
# odori submit --to openjd: the template of Open Job Description, run as a farm would, gives the film.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

cp "$ODORI_DEMO"/*.png "$ODORI_DEMO"/figure.pmx "$ODORI_DEMO"/dance.vmd .
cat >job.yaml <<'Y'
version: 1
name: "踊り {{x}}"
models: [{ file: figure.pmx, motions: [dance.vmd] }]
render: { size: [64, 36], frames: 0-5, fps: 30 }
limits: { total_timeout_s: 600 }
outputs: [film.sha256]
Y
run 0 submit --to openjd job.yaml --shards 2
cp out template.json
expect_text template.json '"specificationVersion":"jobtemplate-2023-09"'
expect_text template.json '"name":"踊り ((x}}"'
expect_text template.json '"default":"job.yaml"'
expect_text template.json '"timeout":600'
expect_text template.json '{"mode":"NOTIFY_THEN_TERMINATE","notifyPeriodInSeconds":60}'
expect_empty err

if command -v python3 >/dev/null; then
    cat >farm.py <<'PY'
import json, os, re, subprocess, sys

template = json.load(open("template.json", encoding="utf-8"))
directory = os.path.join(os.getcwd(), "")
values = {}
for p in template["parameterDefinitions"]:
    values["Param." + p["name"]] = directory + p["default"] if p["type"] == "PATH" else p["default"]
values["Param.Odori"] = sys.argv[1]
done = []
for step in template["steps"]:
    for d in step.get("dependencies", []):
        assert d["dependsOn"] in done, step["name"]
    tasks = [{}]
    if "parameterSpace" in step:
        (p,) = step["parameterSpace"]["taskParameterDefinitions"]
        first, last = p["range"].split("-")
        tasks = [{"Task.Param." + p["name"]: str(i)} for i in range(int(first), int(last) + 1)]
    action = step["script"]["actions"]["onRun"]
    for task in tasks:
        known = {**values, **task}
        words = [re.sub(r"{{(.*?)}}", lambda m: known[m.group(1).strip()], w)
                 for w in [action["command"]] + action["args"]]
        got = subprocess.run(words, cwd="/", capture_output=True, text=True)
        sys.stdout.write(got.stderr)
        assert got.returncode == 0, got.stderr
    done.append(step["name"])
assert done == ["bake", "shards", "join"], done
PY
    if python3 farm.py "$ODORI" >lines 2>err; then pass; else fail "the steps do not run"; fi
    expect_text lines 'openjd_status: render 0'
    expect_text lines 'openjd_progress: 100.0'
    mv film.sha256 farm.sha256
    run 0 render job.yaml --state other -y
    expect_same farm.sha256 film.sha256
else
    skip "python3, which runs the template, is not installed"
fi

run 66 render job.yaml --set models.0.file=missing.pmx --progress openjd
expect_text err 'openjd_fail: '
expect_text err "missing.pmx"

# A bundle names every input; nothing is replaced without -y.
run 0 submit --to openjd job.yaml --shards 2 --bundle bundle
expect_text bundle/asset_references.json "\"$work/figure.pmx\""
expect_text bundle/asset_references.json "\"$work/dance.vmd\""
expect_text bundle/asset_references.json "\"$work/face.png\""
expect_text bundle/asset_references.json "\"$work/job.yaml\""
expect_text bundle/parameter_values.json '{"name":"JobFile","value":"'
run 73 submit --to openjd job.yaml --shards 2 --bundle bundle
run 0 submit --to openjd job.yaml --shards 2 --bundle bundle -y --json
expect_text out "bundle/template.json\",\"bytes\":$(wc -c <bundle/template.json),\"sha256\":\"$(sha256sum bundle/template.json | cut -d ' ' -f 1)\""
run 2 submit --to openjd job.yaml
run 2 submit --to openjd job.yaml --shards 2 --set 'name="{{x}}"'
expect_text err "contains '{{', which begins a parameter"
run 0 submit --to openjd figure.pmx dance.vmd --shards 2 -o x.mp4 --set "render.size=[64,36]"
expect_text out '"name":"Input1"'
finish
