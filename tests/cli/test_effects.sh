#!/bin/sh
# SPDX-License-Identifier: MIT
# effects of MikuMikuEffect: frames are equal for every number of workers, for shards, single frames and resumed runs; a
# copy of the scene is the scene; targets, controllers, models and materials with effects.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source=tests/cli/effects.sh
. "$here/effects.sh"

job plain.yaml '' ''
run 0 render plain.yaml -q -o 'plain/%02d.png'

# A copy of the scene.
post copy color
job copy.yaml copy.x ''
run 0 render copy.yaml -q -o 'copy/%02d.png'
expect_same_frames plain copy

# Time and controllers; two effects, of which the last is the outermost.
post wave 'float4(color.rgb * (0.5 + 0.5 * sin(uv.y * 20 + time * 9)) + float3(si * 0.01, smile, missing * 0.001), 1)'
job wave.yaml '{ file: wave.x, scale: 3 }' ''
independent wave
expect_different wave/10.png plain/10.png
expect_different wave/10.png wave/11.png
job scaled.yaml '{ file: wave.x, scale: 8 }' ''
run 0 render scaled.yaml -q -f 12 -o scaled.png
expect_different scaled.png wave/12.png
post half 'float4(color.rgb * 0.5, 1)'
job inner.yaml 'half.x, wave.x' ''
job outer.yaml 'wave.x, half.x' ''
run 0 render inner.yaml -q -f 12 -o inner.png
run 0 render outer.yaml -q -f 12 -o outer.png
expect_different inner.png outer.png

# --times: two frames draw each pass, and the first one compiles it; pixels are the same.
timed_pass() {
    if grep -qE "^ +[0-9.]+ +[0-9.]+  $1: Main, pass Draw$" err; then pass; else fail "no times of $1"; fi
}
run 0 render outer.yaml -q -f 12-13 -o 'timed/%02d.png' --times
timed_pass wave.fx
timed_pass half.fx
expect_same outer.png timed/12.png

# Anisotropic filters take no more samples than the job allows, one by default.
post wide 'tex2D(Samp, uv * float2(9, 1))'
job wide.yaml wide.x ''
run 0 render wide.yaml -q -f 12 -o wide-linear.png
sed 's/MinFilter = LINEAR; MagFilter = LINEAR;/MinFilter = ANISOTROPIC; MagFilter = LINEAR; MaxAnisotropy = 16;/' wide.fx >wide.tmp
mv wide.tmp wide.fx
run 0 render wide.yaml -q -f 12 -o wide-one.png
expect_same wide-linear.png wide-one.png
run 0 render wide.yaml -q -f 12 -o wide-many.png --set render.anisotropy=16
expect_different wide-one.png wide-many.png

# A volume: two slices, of which the second is green; and a remainder of a division by 0, which is 0.
if command -v python3 >/dev/null; then
    python3 - <<'END'
import struct
head = struct.pack('<4s7I44x', b'DDS ', 124, 0x801007, 1, 1, 4, 2, 1)
pixel = struct.pack('<II4s5I', 32, 0x40, b'', 32, 0xFF0000, 0xFF00, 0xFF, 0)
open('green.dds', 'wb').write(head + pixel + struct.pack('<IIIII', 0x1000, 0x200000, 0, 0, 0) + bytes([0, 0, 255, 0, 0, 255, 0, 0]))
END
    post volume 'float4(tex3D(Noise, float3(uv, 0.75)).rgb * step(0, fmod(uv.x, missing)), 1)'
    sed 's/^float Far = 1;/float Far = 1;\
texture3D Slices < string ResourceName = "green.dds"; >;\
sampler3D Noise = sampler_state { texture = <Slices>; };/' volume.fx >volume.tmp
    mv volume.tmp volume.fx
    post green 'float4(0, 1, 0, 1)'
    job volume.yaml volume.x ''
    run 0 render volume.yaml -q -f 12 -o volume.png
    job green.yaml green.x ''
    run 0 render green.yaml -q -f 12 -o green.png
    expect_same volume.png green.png
fi

# A target in a target: lamp.fx draws the lamp white on LightMap, but where its own target, in which it alone is
# hidden, has nothing; so the light stands where models are.
accessory lamp
cat >post.inc <<'END'
float4 VS(float4 p : POSITION, inout float2 uv : TEXCOORD0) : POSITION { uv += 0.5 / float2(80, 46); return p; }
END
cat >lamp.fx <<'END'
#include "post.inc"
texture Caster : OFFSCREENRENDERTARGET < float2 ViewportRatio = {1, 1}; float4 ClearColor = {0, 0, 0, 0};
    string DefaultEffect = "self = hide; *.pmx = caster.fx; * = hide;"; >;
sampler CasterSamp = sampler_state { texture = <Caster>; };
float4 PS(float2 uv : TEXCOORD0) : COLOR { return tex2D(CasterSamp, uv).r; }
technique T < string MMDPass = "object"; string Script = "Pass=P;"; > {
    pass P < string Script = "Draw=Buffer;"; > { ZEnable = FALSE; AlphaBlendEnable = FALSE;
        VertexShader = compile vs_3_0 VS(); PixelShader = compile ps_3_0 PS(); }
}
technique S < string MMDPass = "object_ss"; string Script = "Pass=P;"; > {
    pass P < string Script = "Draw=Buffer;"; > { ZEnable = FALSE; AlphaBlendEnable = FALSE;
        VertexShader = compile vs_3_0 VS(); PixelShader = compile ps_3_0 PS(); }
}
END
cat >caster.fx <<'END'
float4x4 Wvp : WORLDVIEWPROJECTION;
float4 VS(float4 p : POSITION) : POSITION { return mul(p, Wvp); }
float4 PS() : COLOR { return 1; }
technique T < string MMDPass = "object"; > { pass P { VertexShader = compile vs_3_0 VS(); PixelShader = compile ps_3_0 PS(); } }
technique S < string MMDPass = "object_ss"; > { pass P { VertexShader = compile vs_3_0 VS(); PixelShader = compile ps_3_0 PS(); } }
technique E < string MMDPass = "edge"; > {}
END
post lit 'tex2D(LightSamp, uv)'
sed 's/^float Far = 1;/float Far = 1;\
texture LightMap : OFFSCREENRENDERTARGET < float2 ViewportRatio = {1, 1}; string DefaultEffect = "lamp.x = lamp.fx; * = hide;"; >;\
sampler LightSamp = sampler_state { texture = <LightMap>; };/' lit.fx >lit.tmp
mv lit.tmp lit.fx
cp caster.fx flat.fx
job nested.yaml '{ file: lamp.x, effect: none }, lit.x' ''
run 0 render nested.yaml -q -f 12 -o nested.png
job silhouette.yaml '' ', effect: flat.fx'
run 0 render silhouette.yaml -q -f 12 -o silhouette.png --set 'background.color="#000000"' --set render.supersample=1 --set render.samples=1
expect_same nested.png silhouette.png

# A pass with a pixel shader alone has the vertex shader of MMD.
sed 's/VertexShader = compile vs_3_0 VS();//' caster.fx >flat.fx
run 0 render silhouette.yaml -q -y -f 12 -o pixels-alone.png --set 'background.color="#000000"' --set render.supersample=1 --set render.samples=1
expect_same pixels-alone.png silhouette.png

# A model that an effect draws, with an outline and a ground shadow by MMD and a self-shadow; and one of its materials.
cat >toon.fx <<'END'
float4x4 Wvp : WORLDVIEWPROJECTION;
float4x4 LightWvp : WORLDVIEWPROJECTION < string Object = "Light"; >;
float3 Light : DIRECTION < string Object = "Light"; >;
float4 Diffuse : DIFFUSE < string Object = "Geometry"; >;
texture Skin : MATERIALTEXTURE;
sampler SkinSamp = sampler_state { texture = <Skin>; MinFilter = LINEAR; MagFilter = LINEAR; };
sampler ShadowSamp : register(s0);
bool use_texture;
struct Out { float4 p : POSITION; float2 uv : TEXCOORD0; float3 n : TEXCOORD1; float4 z : TEXCOORD2; };
Out VS(float4 p : POSITION, float3 n : NORMAL, float2 uv : TEXCOORD0)
{
    Out o;
    o.p = mul(p, Wvp);
    o.uv = uv;
    o.n = n;
    o.z = mul(p, LightWvp);
    return o;
}
float4 PS(Out i, uniform bool shaded) : COLOR0
{
    float4 c = use_texture ? tex2D(SkinSamp, i.uv) : Diffuse;
    float lit = dot(normalize(i.n), -Light) > 0.2 ? 1 : 0.6;
    if (shaded) {
        float2 at = float2(1 + i.z.x, 1 - i.z.y) * 0.5;
        lit *= 1 - saturate((i.z.z - tex2D(ShadowSamp, at).r) * 1500 - 0.3) * 0.5;
    }
    return float4(c.rgb * lit, c.a);
}
technique Plain < string MMDPass = "object"; > {
    pass P { VertexShader = compile vs_3_0 VS(); PixelShader = compile ps_3_0 PS(false); }
}
technique Shaded < string MMDPass = "object_ss"; > {
    pass P { VertexShader = compile vs_3_0 VS(); PixelShader = compile ps_3_0 PS(true); }
}
END
job toon.yaml demo/stage.pmx ', effect: toon.fx'
independent toon
expect_different toon/12.png plain/12.png
job unshaded.yaml demo/stage.pmx ', effect: toon.fx'
run 0 render unshaded.yaml -q -f 12 -o unshaded.png --set shadows.self=false
expect_different toon/12.png unshaded.png
job part.yaml demo/stage.pmx ', effects: { 0-1: toon.fx }'
run 0 render part.yaml -q -f 12 -o part.png
expect_different toon/12.png part.png
printf 'technique Nothing < string MMDPass = "object"; > { }\ntechnique S < string MMDPass = "object_ss"; > { }
technique E < string MMDPass = "edge"; > { }\ntechnique G < string MMDPass = "shadow"; > { }\n' >hidden.fx
job hidden.yaml '' ', effect: hidden.fx'
job hide.yaml '' ', effect: hide'
run 0 render hidden.yaml -q -f 12 -o hidden.png
run 0 render hide.yaml -q -f 12 -o hide.png
expect_same hidden.png hide.png
expect_different hidden.png plain/12.png

# An offscreen target, drawn by another effect, half as large and with mip levels, over the picture.
post mask 'float4(color.rgb + tex2D(MaskSamp, uv).rgb, 1)'
cat >mask.head <<'END'
texture Mask : OFFSCREENRENDERTARGET < float2 ViewPortRatio = {0.5, 0.5}; float4 ClearColor = {0, 0, 0.3, 1};
    int MipLevels = 0; bool AntiAlias = true; string DefaultEffect = "self = hide; *.pmx = white.fx; * = hide;"; >;
sampler MaskSamp = sampler_state { texture = <Mask>; MinFilter = LINEAR; MagFilter = LINEAR; MipFilter = LINEAR; };
END
cat mask.head mask.fx >mask.new
mv mask.new mask.fx
cat >white.fx <<'END'
float4x4 Wvp : WORLDVIEWPROJECTION;
float4 VS(float4 p : POSITION) : POSITION { return mul(p, Wvp); }
float4 PS() : COLOR0 { return float4(0.5, 0, 0, 1); }
technique A < string MMDPass = "object"; > { pass P { VertexShader = compile vs_3_0 VS(); PixelShader = compile ps_3_0 PS(); } }
technique B < string MMDPass = "object_ss"; > { pass P { VertexShader = compile vs_3_0 VS(); PixelShader = compile ps_3_0 PS(); } }
technique E < string MMDPass = "edge"; > { }
END
job mask.yaml mask.x ''
independent mask
expect_different mask/12.png plain/12.png

# Its ground shadows, if the effect that draws it has a technique for them.
post ground 'float4(tex2D(GroundSamp, uv).rgb, 1)'
cat >ground.head <<'END'
texture Ground : OFFSCREENRENDERTARGET < float4 ClearColor = {0, 0, 0, 1}; string DefaultEffect = "*.pmx = flat.fx; * = hide;"; >;
sampler GroundSamp = sampler_state { texture = <Ground>; };
END
cat ground.head ground.fx >ground.new
mv ground.new ground.fx
sed 's/^technique [AB].*//; s/^technique E/technique G < string MMDPass = "shadow"; > { pass P { VertexShader = compile vs_3_0 VS(); PixelShader = compile ps_3_0 PS(); } }\
technique A < string MMDPass = "object"; > { }\
technique B < string MMDPass = "object_ss"; > { }\
&/' white.fx >flat.fx
job ground.yaml ground.x ''
run 0 render ground.yaml -q -f 12 -o ground.png
run 0 render ground.yaml -q -f 12 -o no-ground.png --set shadows.ground=false
expect_different ground.png no-ground.png
sed 's/"shadow"/"zplot"/' flat.fx >other.fx
mv other.fx flat.fx
run 0 render ground.yaml -q -f 12 -o empty.png
expect_same empty.png no-ground.png

# Texels of a picture as values: the left one of its second row is 0.2, 0.4, 0.6.
post texels 'float4(Dots[1][0].rgb, 1)'
cat >texels.head <<'END'
texture DotsMap < string ResourceName = "dots.tga"; >;
float4 Dots[2][2] : TEXTUREVALUE < string TextureName = "DotsMap"; >;
END
cat texels.head texels.fx >texels.new
mv texels.new texels.fx
printf '\0\0\2\0\0\0\0\0\0\0\0\0\2\0\2\0\30\40\1\2\3\4\5\6\231\146\63\7\10\11' >dots.tga
job texels.yaml texels.x ''
run 0 render texels.yaml -q -f 12 -o texels.png
post literal 'float4(0.2, 0.4, 0.6, 1)'
job literal.yaml literal.x ''
run 0 render literal.yaml -q -f 12 -o literal.png
expect_same texels.png literal.png

# Two targets at once, of which one is shared by its name, in a loop: the sum of two turns, 0.2 and 0.4, is that of one
# turn with 0.6.
post pair 'float4(tex2D(SecondSamp, uv).rgb, 1)'
cat >pair.head <<'END'
texture First : OFFSCREENRENDERTARGET < string Format = "A16B16G16R16F"; float4 ClearColor = {0, 0, 0, 0};
    string DefaultEffect = "*.pmx = two.fx; * = hide;"; >;
shared texture Second : RENDERCOLORTARGET < string Format = "A8R8G8B8"; >;
sampler SecondSamp = sampler_state { texture = <Second>; };
END
cat pair.head pair.fx >pair.new
mv pair.new pair.fx
cat >two.fx <<'END'
float4x4 Wvp : WORLDVIEWPROJECTION;
shared texture Second : RENDERCOLORTARGET;
int Count = 2;
int turn;
float4 VS(float4 p : POSITION) : POSITION { return mul(p, Wvp); }
void PS(out float4 a : COLOR0, out float4 b : COLOR1) { a = float4(1, 0, 0, 1); b = float4(0, 0.2 + 0.2 * turn, 0, 1); }
#define TECHNIQUE(name, kind) technique name < string MMDPass = kind; string Script = \
    "RenderColorTarget0=; RenderColorTarget1=Second; LoopByCount=Count; LoopGetIndex=turn; Pass=P; LoopEnd=;"; > { \
    pass P { SrcBlend = ONE; DestBlend = ONE; ZWriteEnable = FALSE; \
        VertexShader = compile vs_3_0 VS(); PixelShader = compile ps_3_0 PS(); } }
TECHNIQUE(A, "object")
TECHNIQUE(B, "object_ss")
technique E < string MMDPass = "edge"; > { }
END
job pair.yaml pair.x ''
run 0 render pair.yaml -q -f 12 -o pair.png
run 0 render hide.yaml -q -f 12 -o dark.png --set 'background.color=[0, 0, 0]'
expect_different pair.png dark.png
sed 's/0.2 + 0.2 \* turn/0.6/; s/Count = 2/Count = 1/' two.fx >once.fx
mv once.fx two.fx
run 0 render pair.yaml -q -f 12 -o once.png
expect_same pair.png once.png

# Colors above 1 of models that effects draw, in a floating-point target: a quarter of 2 is half of 1.
for level in 1 2; do
    sed "s/float4(0.5, 0, 0, 1)/float4($level, 0.5 * $level, 0.25 * $level, 1)/" white.fx >bright$level.fx
    post quotient$level "float4(color.rgb / $((2 * level)), 1)"
    sed 's/^texture Scene.*/texture Scene : RENDERCOLORTARGET < string Format = "A16B16G16R16F"; >;/' \
        quotient$level.fx >quotient.new
    mv quotient.new quotient$level.fx
    job level$level.yaml quotient$level.x ", effect: bright$level.fx"
    run 0 render level$level.yaml -q -f 12 -o level$level.png --set shadows.ground=false --set 'background.color=[0, 0, 0]'
done
expect_same level1.png level2.png
sed -i 's/A16B16G16R16F/A8R8G8B8/' quotient2.fx
run 0 render level2.yaml -q -f 12 -o narrow.png --set shadows.ground=false --set 'background.color=[0, 0, 0]'
expect_different level2.png narrow.png

# With a look, several images a frame, passes, and without a background.
run 0 render wave.yaml -q -o 'looked/%02d.png' --set 'look={ grade: { exposure_ev: 1 }, glow: {}, accumulate: { samples: 3 } }'
expect_different looked/12.png wave/12.png
run 0 render toon.yaml -q -f 12 --set 'outputs=["passed/%02d.png", { file: "passed/n%02d.png", pass: line }]'
expect_same toon/12.png passed/12.png
run 0 render plain.yaml -q -f 12 --set background.alpha=true -o clear.png
run 0 render copy.yaml -q -f 12 --set background.alpha=true -o clear-copy.png
expect_same clear.png clear-copy.png

# Without the sandbox compiled shaders are kept, where nothing else says how Mesa keeps them.
unset MESA_SHADER_CACHE_DIR MESA_DISK_CACHE_MULTI_FILE MESA_SHADER_CACHE_DISABLE
export XDG_CACHE_HOME="$PWD/cache"
MESA_SHADER_CACHE_DISABLE=true run 0 render copy.yaml -q -f 12 -o kept.png --sandbox off
expect_no_file cache/odori
run 0 render copy.yaml -q -f 12 -o kept.png -y --sandbox off
if [ -d cache/odori ]; then pass; else fail "no cache/odori"; fi
expect_same kept.png copy/12.png

finish
