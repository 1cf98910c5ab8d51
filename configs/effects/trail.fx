// SPDX-License-Identifier: MIT
// A post effect: afterimages.  Each picture is mixed with the one before, which its target keeps: the job needs
// effects: { history: all }.  Tr of the accessory is how much of it remains: 0.9 at 1.
float Script : STANDARDSGLOBAL <
    string ScriptOutput = "color";
    string ScriptClass = "scene";
    string ScriptOrder = "postprocess";
> = 0.8;

float Tr : CONTROLOBJECT < string name = "(self)"; string item = "Tr"; >;
float2 ViewportSize : VIEWPORTPIXELSIZE;

texture2D SceneMap : RENDERCOLORTARGET < float2 ViewportRatio = { 1, 1 }; string Format = "A8R8G8B8"; >;
texture2D SceneDepth : RENDERDEPTHSTENCILTARGET < float2 ViewportRatio = { 1, 1 }; string Format = "D24S8"; >;
texture2D TrailMap : RENDERCOLORTARGET < float2 ViewportRatio = { 1, 1 }; string Format = "A16B16G16R16F"; >;
sampler SceneSampler = sampler_state { texture = <SceneMap>; MinFilter = POINT; MagFilter = POINT; };
sampler TrailSampler = sampler_state { texture = <TrailMap>; MinFilter = POINT; MagFilter = POINT; };

float4 ClearColor = { 1, 1, 1, 1 };
float ClearDepth = 1;

struct Vertex {
    float4 position : POSITION;
    float2 uv : TEXCOORD0;
};

Vertex TrailVS(float4 position : POSITION, float2 uv : TEXCOORD0)
{
    Vertex v = { position, uv + 0.5 / ViewportSize };   // texels are half a pixel off in Direct3D 9
    return v;
}

float4 MixPS(float2 uv : TEXCOORD0) : COLOR0
{
    float4 color = tex2D(SceneSampler, uv);
    float4 before = tex2D(TrailSampler, uv);            // alpha is 0 in the first frame
    return float4(lerp(color.rgb, before.rgb, 0.9 * Tr * before.a), 1);
}

float4 CopyPS(float2 uv : TEXCOORD0) : COLOR0
{
    return tex2D(TrailSampler, uv);
}

technique Trail <
    string Script =
        "RenderColorTarget0=SceneMap;"
        "RenderDepthStencilTarget=SceneDepth;"
        "ClearSetColor=ClearColor;"
        "ClearSetDepth=ClearDepth;"
        "Clear=Color;"
        "Clear=Depth;"
        "ScriptExternal=Color;"
        "RenderDepthStencilTarget=;"
        "RenderColorTarget0=TrailMap;"
        "Pass=Mix;"
        "RenderColorTarget0=;"
        "Pass=Copy;";
> {
    pass Mix < string Script = "Draw=Buffer;"; > {
        AlphaBlendEnable = false;
        VertexShader = compile vs_2_0 TrailVS();
        PixelShader = compile ps_2_0 MixPS();
    }
    pass Copy < string Script = "Draw=Buffer;"; > {
        AlphaBlendEnable = false;
        VertexShader = compile vs_2_0 TrailVS();
        PixelShader = compile ps_2_0 CopyPS();
    }
}
