# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# effects.sh - accessories with effects, and jobs of a few frames with them; for test_effect*.sh, after lib.sh

ln -s "$ODORI_DEMO" demo

# accessory NAME: a .x without surfaces, whose effect is NAME.fx beside it
accessory() {
    cat >"$1.x" <<'END'
xof 0303txt 0032
Mesh { 3; 0;0;0;, 0;0;0;, 0;0;0;; 1; 3;0,1,2;; MeshMaterialList { 1; 1; 0;
Material { 0;0;0;1;; 5; 0;0;0;; 0;0;0;; } } }
END
}

# post NAME PIXEL: a post-effect whose pixels are PIXEL, of `color`, `uv` and `time`
post() {
    accessory "$1"
    cat >"$1.fx" <<END
float2 Size : VIEWPORTPIXELSIZE;
float time : TIME;
float si : CONTROLOBJECT < string name = "(self)"; string item = "Si"; >;
float smile : CONTROLOBJECT < string name = "figure.pmx"; string item = "にこり"; >;
float missing : CONTROLOBJECT < string name = "absent.x"; >;
texture Scene : RENDERCOLORTARGET < float2 ViewPortRatio = {1, 1}; >;
texture Depth : RENDERDEPTHSTENCILTARGET < float2 ViewPortRatio = {1, 1}; >;
sampler Samp = sampler_state { texture = <Scene>; MinFilter = LINEAR; MagFilter = LINEAR; AddressU = CLAMP; AddressV = CLAMP; };
float4 Nothing = {0, 0, 0, 0};
float Far = 1;
void VS(float4 p : POSITION, float2 t : TEXCOORD0, out float4 o : POSITION, out float2 uv : TEXCOORD0)
{
    o = p;
    uv = t + 0.5 / Size;
}
float4 PS(float2 uv : TEXCOORD0) : COLOR0
{
    float4 color = tex2D(Samp, uv);
    return $2;
}
float Script : STANDARDSGLOBAL < string ScriptClass = "scene"; string ScriptOrder = "postprocess"; > = 0.8;
technique Main < string Script = "RenderColorTarget0=Scene; RenderDepthStencilTarget=Depth;"
    "ClearSetColor=Nothing; ClearSetDepth=Far; Clear=Color; Clear=Depth; ScriptExternal=Color;"
    "RenderColorTarget0=; RenderDepthStencilTarget=; Pass=Draw;"; > {
    pass Draw < string Script = "Draw=Buffer;"; > {
        AlphaBlendEnable = FALSE; AlphaTestEnable = FALSE; ZEnable = FALSE; ZWriteEnable = FALSE;
        VertexShader = compile vs_3_0 VS();
        PixelShader = compile ps_3_0 PS();
    }
}
END
}

job() { # FILE STAGE MODEL-KEYS
    cat >"$1" <<END
version: 1
models: [ { file: demo/figure.pmx, motions: [demo/dance.vmd]$3 } ]
stage: [ $2 ]
shadows: { map_size: 256 }
render: { size: [80, 46], fps: 30, frames: 10-13, workers: 1 }
outputs: [ "o/%02d.png" ]
END
}

expect_different() { # FILE FILE
    if cmp -s "$1" "$2"; then fail "$1 and $2 are equal"; else pass; fi
}

expect_same_frames() { # DIRECTORY DIRECTORY
    for frame in 10 11 12 13; do expect_same "$1/$frame.png" "$2/$frame.png"; done
}

# independent NAME: of NAME.yaml, with other numbers of workers, shards, a single frame, and a resumed run.  The first run
# keeps its compiled shaders, since it has no sandbox; the others read them.
independent() {
    run 0 render "$1.yaml" -q -o "$1/%02d.png" --sandbox off
    run 0 render "$1.yaml" -q -o "$1-three/%02d.png" -j 3
    expect_same_frames "$1" "$1-three"
    run 0 render "$1.yaml" -q -o "$1-shards/%02d.png" --shard 2/2
    run 0 render "$1.yaml" -q -o "$1-shards/%02d.png" --shard 1/2
    expect_same_frames "$1" "$1-shards"
    run 0 render "$1.yaml" -q -o "$1-alone.png" -f 12
    expect_same "$1/12.png" "$1-alone.png"
    cp "$1/12.png" "$1-12.png"
    rm "$1/12.png"
    run 0 render "$1.yaml" -o "$1/%02d.png"
    expect_text err ' 3 skipped'
    expect_same "$1/12.png" "$1-12.png"
}
