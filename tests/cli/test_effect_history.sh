#!/bin/sh
# SPDX-License-Identifier: MIT
# effects.history: effects find what they drew in frames before, and frames are equal for every number of workers, for
# shards, single frames, resumed runs and bakes.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/effects.sh
. "$here/effects.sh"

# A target to which each frame adds 1, which the next one finds there, also as TEXTUREVALUE. Frame 12 is the
# 13th; with blocks of 3 frames it is the fourth since the block before its own, and frame 11 the sixth.
post count 'float4(tex2D(SumSamp, uv).r / 20, Texels[0].r / 20, 0, 1)'
sed 's/^float Far = 1;/float Far = 1;\
texture Sum : RENDERCOLORTARGET < float2 Dimensions = {1, 1}; string Format = "R32F"; >;\
sampler SumSamp = sampler_state { texture = <Sum>; };\
float4 Texels[1] : TEXTUREVALUE < string TextureName = "Sum"; >;\
float4 One() : COLOR0 { return 1; }/; s/Pass=Draw;/RenderColorTarget0=Sum; Pass=Add; RenderColorTarget0=; &/
s/^    pass Draw/    pass Add < string Script = "Draw=Buffer;"; > { SrcBlend = ONE; DestBlend = ONE; ZEnable = FALSE;\
        VertexShader = compile vs_3_0 VS(); PixelShader = compile ps_3_0 One(); }\
&/' count.fx >count.tmp
mv count.tmp count.fx
job alone.yaml count.x ''
run 0 check alone.yaml
expect_text err "the target 'Sum' is read before it is drawn on"
run 0 render alone.yaml -q -o 'alone/%02d.png'
for frame in 10 11 12; do expect_same alone/$frame.png alone/13.png; done
counted() { # PNG COUNT
    post number "float4($2.0 / 20, ($2.0 - 1) / 20, 0, 1)"
    job number.yaml number.x ''
    run 0 render number.yaml -q -y -f 12 -o number.png
    expect_same "$1" number.png
}
counted alone/12.png 1
job count.yaml count.x ''
echo 'effects: { history: all }' >>count.yaml
run 0 check count.yaml
if grep -q "is read before" err; then fail "a warning with effects.history"; else pass; fi
independent count
counted count/12.png 13
counted count/13.png 14
job block.yaml count.x ''
echo 'effects: { history: 3 }' >>block.yaml
independent block
counted block/11.png 6
counted block/12.png 4
run 0 bake block.yaml -o block.bake -q
run 0 render block.yaml -q -o 'baked/%02d.png' --set physics.bake=block.bake
expect_same_frames block baked
job trail.yaml "{ file: count.x, effect: '$here/../../configs/effects/trail.fx' }" ''
echo 'effects: { history: all }' >>trail.yaml
run 0 render trail.yaml -q -f 13 -o trail13.png
run 0 render trail.yaml -q -f 13 -o plain13.png --set effects.mode=off
run 0 render trail.yaml -q -f 13 -o alone13.png --set effects.history=0
expect_different trail13.png plain13.png
expect_same alone13.png plain13.png
run 78 check block.yaml --set look.accumulate.samples=4
expect_text err 'effects.history: does not go together with look.accumulate'

finish
