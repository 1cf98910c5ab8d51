#!/bin/sh
# SPDX-License-Identifier: MIT
# Effects of a job: which are found and assigned, what check and info say, what a job cannot make them read.
# What they draw: test_effects.sh.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"

# effect FILE [LINE...]: an effect that draws nothing of its own, after the lines
effect() {
    file=$1
    shift
    for line; do printf '%s\n' "$line"; done >"$file"
    cat >>"$file" <<'END'
float4 VS(float4 p : POSITION) : POSITION { return p; }
float4 PS() : COLOR { return float4(1, 0, 0, 1); }
technique Paint < string MMDPass = "object"; > {
    pass P { VertexShader = compile vs_2_0 VS(); PixelShader = compile ps_2_0 PS(); }
}
END
}

silent_job
mkdir fx pack pack/main
cp board.x pack/main/main.x
cp board.x post.x
cp board.x AutoLuminous.x
effect board.fx
effect fx/other.fx
effect AutoLuminous.fx
effect post.fx 'float Slider : CONTROLOBJECT < string name = "dial.pmx"; string item = "glow"; >;' \
    'texture Map : OFFSCREENRENDERTARGET < string DefaultEffect = "self=hide; *.x=fx/other.fx;"; >;' \
    'texture Dirt < string ResourceName = "dirt.png"; >;'
cp "$ODORI_DEMO"/*.png dirt.png 2>/dev/null || cp "$(find "$ODORI_DEMO" -name '*.png' | head -n 1)" dirt.png

# ---- what is found ----
run 0 check tiny.yaml
expect_text out '  board.fx: run for board'
run 0 check tiny.yaml --set 'stage=[post.x]' --json
expect_text out '{"file":"post.fx","used_by":"stage-0","state":"run","reason":null}'
expect_text out '{"file":"fx/other.fx","used_by":"the target Map of post.fx","state":"run","reason":null}'
run 0 check tiny.yaml --set models.0.effect=none
expect_no_text() { if grep -qF -- "$2" "$1"; then fail "$1 contains '$2'"; else pass; fi; }
expect_no_text out 'board.fx'
run 0 check tiny.yaml --set models.0.effect=fx/other.fx --set 'models.0.effects={"1": board.fx}'
expect_text out '  other.fx: run for board'
expect_text out '  board.fx: run for board'
run 0 check tiny.yaml --set 'models.0.targets=[{target: Gone, effect: hide}]'
expect_text err "no effect of the scene has the target 'Gone'"
run 66 check tiny.yaml --set models.0.effect=fx/gone.fx
expect_text err "models.0.effect: cannot open 'fx/gone.fx'"

# ---- modes ----
run 0 check tiny.yaml --set effects.mode=off
expect_text out '  board.fx: off for board: effects.mode is off'
run 0 check tiny.yaml --set effects.mode=map --set 'stage=[{file: AutoLuminous.x, scale: 2.5}]'
expect_text out '  AutoLuminous.fx: mapped for stage-0: look.glow takes its place'
expect_text out '  board.fx: off for board: no key of look is its counterpart'
run 0 render tiny.yaml --set effects.mode=map --set 'stage=[{file: AutoLuminous.x, scale: 2.5}]' --dump-config
expect_text out '    strength: 2.5'
run 0 render tiny.yaml --set effects.mode=map --set 'stage=[AutoLuminous.x]' --set look.glow.strength=0.5 --dump-config
expect_text out '    strength: 0.5'
run 78 check tiny.yaml --set effects.mode=maybe

# ---- faults ----
run 0 info post.fx
expect_text out '  kind: effect'
expect_text out '  control: Slider, dial.pmx, glow'
expect_text out '  picture: Dirt, dirt.png'
run 0 info post.fx --json
expect_text out '"targets":[{"parameter":"Map","DefaultEffect":"self=hide; *.x=fx/other.fx;"}]'
effect broken.fx 'float x = ;'
run 0 check tiny.yaml --set models.0.effect=broken.fx
expect_text err 'warning: broken.fx:1:'
expect_text out '  broken.fx: failed for board: broken.fx:1:'
run 65 check tiny.yaml --set models.0.effect=broken.fx --strict=effect
expect_text err 'error: broken.fx:1:'
run 0 check tiny.yaml --set models.0.effect=broken.fx -W no-effect
expect_empty err
run 65 info broken.fx

# A target whose effect is missing says which rule asks for it; what it would draw is not drawn there.
effect lights.fx 'texture LightMap : OFFSCREENRENDERTARGET < string DefaultEffect = "self=hide; *oar*.x=light/gone.fx;"; >;'
cp board.x lights.x
run 0 check tiny.yaml --set 'stage=[lights.x]'
expect_text err "is missing; what it draws is not drawn (rule '*oar*.x' of the target LightMap of lights.fx, for board.x)"
expect_text out "gone.fx: failed for the target LightMap of lights.fx: the file is missing (rule '*oar*.x' of"

# What does not go together.
effect layer.fx 'float Script : STANDARDSGLOBAL < string ScriptClass = "scene"; > = 0.8;'
cp board.x layer.x
run 0 check tiny.yaml --set 'stage=[layer.x]' --set background.alpha=true --set 'outputs=["%d.png", {file: "depth/%d.png", pass: depth}]'
expect_text err 'background.alpha: the alpha of the film is what its post effects write'
expect_text err 'outputs.1.pass: passes are those of the models without their effects'

# A target of 256 MiB counts in the estimate.
effect big.fx 'texture Big : RENDERCOLORTARGET < int Width = 4096; int Height = 4096; string Format = "A32B32G32R32F"; >;'
worker_mib() { "$ODORI" plan tiny.yaml --set models.0.effect="$1" 2>err | sed -n 's/^ *memory .* worker of \([0-9]*\) MiB.*/\1/p'; }
if [ "$(worker_mib big.fx)" -ge $(($(worker_mib none) + 256)) ]; then pass; else fail "a target does not count in the estimate"; fi

# Files outside, by paths, links and cycles; nothing of them is in a message.
echo 'secret words' >secret.fxh
ln -s ../../secret.fxh pack/main/link.fxh
for name in ../../secret.fxh "$work/secret.fxh" ../../../../../../etc/passwd link.fxh main.fx 'a:\secret.fxh' gone.fxh; do
    effect pack/main/main.fx "#include \"$name\""
    run 0 check tiny.yaml --set 'models=[pack/main/main.x]'
    expect_text out '  main.fx: failed for main'
    expect_no_text out secret\ words
    expect_no_text err secret\ words
done
effect pack/main/main.fx 'texture T < string ResourceName = "../../dirt.png"; >;'
run 0 check tiny.yaml --set 'models=[pack/main/main.x]'
expect_text err "picture '../../dirt.png' of 'T' is missing"
effect pack/main/main.fx '#include "..\Shared.FXH"'
: >pack/shared.fxh
run 65 info pack/main/main.fx # reads nothing above the effect
expect_text err 'Shared.FXH'
run 0 check tiny.yaml --set 'models=[pack/main/main.x]'
expect_text err "no file '..\Shared.FXH' to include in the directories that effects may read"
echo readme >pack/readme.txt
run 0 check tiny.yaml --set 'models=[pack/main/main.x]' --set 'effects.packages=[pack/readme.txt]' --sandbox require
expect_text out '  main.fx: run for main'
run 66 check tiny.yaml --set 'effects.packages=[pack/gone.txt]'
run 0 check tiny.yaml --set 'models=[pack/main/main.x, {file: board.x, effect: none}]' --sandbox require
expect_text out '  main.fx: run for main' # below the directory of board.x

# ---- as inputs of a run ----
effect main.fx '#include "part.fxh"'
echo '#define PART 1' >part.fxh
cp board.x main.x
set -- --set 'models=[main.x]' --set audio=null -o painted.mp4
run 0 render tiny.yaml "$@" --shard 1/2
echo '#define PART 2' >part.fxh
run 73 render tiny.yaml "$@" --shard 2/2
expect_text err "contents of 'part.fxh' differ"
run 0 submit --to openjd tiny.yaml "$@" --shards 2 --bundle bundle
expect_text bundle/asset_references.json "\"$work/main.fx\""
expect_text bundle/asset_references.json "\"$work/part.fxh\""
run 2 render tiny.yaml --set 'models=[main.x]' -o part.fxh --output-format sha256 --overwrite
expect_text err 'part.fxh'

# ---- archives ----
if command -v python3 >/dev/null; then
    effect pack/main/main.fx '#include "../Shared.fxh"'
    python3 -c "import shutil; shutil.make_archive('packed', 'zip', '.', 'pack')"
    run 0 check tiny.yaml --set 'models=[packed.zip]' --json
    expect_text out '"file":"packed.zip/pack/main/main.fx","used_by":"packed","state":"run"'
    run 0 check tiny.yaml --set models.0.effect=packed.zip --json
    expect_text out '"file":"packed.zip/pack/main/main.fx","used_by":"board","state":"run"'

    # ---- projects ----
    mkdir -p project assets/m/sub
    cp "$ODORI_DEMO"/figure.pmx "$ODORI_DEMO"/*.png "$ODORI_DEMO/tune.wav" assets/m
    cp board.x "assets/m/帽子.x"
    effect "assets/m/帽子.fx" 'texture Map : OFFSCREENRENDERTARGET < string DefaultEffect = "帽子.x = sub/skin.fx;"; >;'
    effect assets/m/sub/skin.fx
    python3 "$here/pmm_write.py" "$ODORI_DEMO" project/two.pmm full
    printf '%s\r\n' '[Info]' 'Version = 3' '' '[Object]' 'Pmd1 = X\figure.pmx' 'Pmd2 = X\figure.pmx' 'Acs3 = X\帽子.x' '' \
        '[Effect]' 'Default = none' 'Pmd2 = MME\sub\Skin.fx' 'Pmd2[1] = none' 'Pmd2[3].show = false' 'Acs3[0] = MME\gone.fx' \
        '' '[Effect@Map(1)]' 'Owner = Acs3@Map' 'Acs3 = none' '' '[Effect@Map]' 'Owner = Acs3' 'Pmd1 = Skin.fx' 'Pmd1.show = false' 'Pmd2[2] = Skin.fx' >project/two.emm
    run 0 info project/two.emm
    expect_text out '  Effect: Pmd2[3].show = false'
    expect_text out '  Effect@Map: Owner = Acs3'
    run 0 info project/two.emm --json
    expect_text out '{"section":"Effect","key":"file","object":"Pmd2","material":1,"value":"none"}'
    run 0 job project/two.pmm -o two.yaml --assets assets
    expect_text err "effects that are not drawn: 'gone.fx'"
    expect_text two.yaml "    effect: \"$work/assets/m/sub/skin.fx\""
    expect_text two.yaml '    effects: { "1": "none", "3": "hide" }'
    expect_text two.yaml '      - target: "Map"'
    expect_text two.yaml '        owner: "帽子.x"'
    expect_text two.yaml '        effect: "hide"'
    expect_text two.yaml "        effects: { \"2\": \"$work/assets/m/sub/skin.fx\" }"
    run 0 check project/two.pmm --assets assets
    expect_text out '  帽子.fx: run for 帽子'
    expect_text out '  skin.fx: run for model-2, the target Map of 帽子.fx'
    run 0 render project/two.pmm --assets assets -o direct.sha256
    run 0 render two.yaml -o written.sha256
    expect_same direct.sha256 written.sha256
    run 0 render two.yaml --set effects.mode=off -o plain.sha256
    if cmp -s direct.sha256 plain.sha256; then fail "the effects of the project draw nothing"; else pass; fi

    # ---- batches: paths are relative to the manifest ----
    printf 'version: 1\nbase: ../tiny.yaml\nout: "{e}.mp4"\nmatrix: { e: { a: { models.0.effects: { "0": other.fx, "1": none } } } }\n' >fx/batch.yaml
    run 0 batch plan fx/batch.yaml
    expect_text out "models.0.effects={\"0\": \"$work/fx/other.fx\", \"1\": none}"
else
    skip "python3, which writes archives and projects, is not installed"
fi

finish
