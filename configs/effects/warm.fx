// SPDX-License-Identifier: MIT
// A post effect: warm light and dark corners.  Tr of the accessory is its strength, Si the darkness of the corners.
float Script : STANDARDSGLOBAL <
    string ScriptOutput = "color";
    string ScriptClass = "scene";
    string ScriptOrder = "postprocess";
> = 0.8;

float Tr : CONTROLOBJECT < string name = "(self)"; string item = "Tr"; >;
float Si : CONTROLOBJECT < string name = "(self)"; string item = "Si"; >;   // 10 times the scale
float2 ViewportSize : VIEWPORTPIXELSIZE;

texture2D SceneMap : RENDERCOLORTARGET < float2 ViewportRatio = { 1, 1 }; string Format = "A8R8G8B8"; >;
texture2D SceneDepth : RENDERDEPTHSTENCILTARGET < float2 ViewportRatio = { 1, 1 }; string Format = "D24S8"; >;
sampler SceneSampler = sampler_state {
    texture = <SceneMap>;
    MinFilter = POINT;
    MagFilter = POINT;
    AddressU = CLAMP;
    AddressV = CLAMP;
};

float4 ClearColor = { 1, 1, 1, 1 };
float ClearDepth = 1;

struct Vertex {
    float4 position : POSITION;
    float2 uv : TEXCOORD0;
};

Vertex WarmVS(float4 position : POSITION, float2 uv : TEXCOORD0)
{
    Vertex v = { position, uv + 0.5 / ViewportSize };   // texels are half a pixel off in Direct3D 9
    return v;
}

float4 WarmPS(float2 uv : TEXCOORD0) : COLOR0
{
    float4 color = tex2D(SceneSampler, uv);
    float2 middle = uv * 2 - 1;
    float corner = saturate(1 - 0.04 * Si * dot(middle, middle));
    float3 warm = color.rgb * float3(1.08, 1.0, 0.84) * corner;
    return float4(lerp(color.rgb, warm, Tr), color.a);
}

technique Warm <
    string Script =
        "RenderColorTarget0=SceneMap;"
        "RenderDepthStencilTarget=SceneDepth;"
        "ClearSetColor=ClearColor;"
        "ClearSetDepth=ClearDepth;"
        "Clear=Color;"
        "Clear=Depth;"
        "ScriptExternal=Color;"
        "Pass=Draw;";
> {
    pass Draw < string Script = "RenderColorTarget0=; RenderDepthStencilTarget=; Draw=Buffer;"; > {
        AlphaBlendEnable = false;
        VertexShader = compile vs_2_0 WarmVS();
        PixelShader = compile ps_2_0 WarmPS();
    }
}
