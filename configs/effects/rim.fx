// SPDX-License-Identifier: MIT
// An effect of a model: flat shading with a bright rim against the light.  Edges and shadows are those of MMD.
float4x4 WorldViewProjection : WORLDVIEWPROJECTION;
float4x4 World : WORLD;
float3 CameraPosition : POSITION < string Object = "Camera"; >;
float3 LightDirection : DIRECTION < string Object = "Light"; >;
float4 Diffuse : DIFFUSE < string Object = "Geometry"; >;
float3 Ambient : EMISSIVE < string Object = "Geometry"; >;
bool use_texture;

texture ObjectTexture : MATERIALTEXTURE;
sampler ObjectSampler = sampler_state {
    texture = <ObjectTexture>;
    MinFilter = LINEAR;
    MagFilter = LINEAR;
};

struct Vertex {
    float4 position : POSITION;
    float2 uv : TEXCOORD0;
    float3 normal : TEXCOORD1;
    float3 view : TEXCOORD2;
};

Vertex RimVS(float4 position : POSITION, float3 normal : NORMAL, float2 uv : TEXCOORD0)
{
    Vertex v;
    v.position = mul(position, WorldViewProjection);
    v.uv = uv;
    v.normal = mul(normal, (float3x3)World);
    v.view = CameraPosition - mul(position, World).xyz;
    return v;
}

float4 RimPS(Vertex v) : COLOR0
{
    float4 color = float4(saturate(Diffuse.rgb * 0.6 + Ambient), Diffuse.a);
    if (use_texture)
        color *= tex2D(ObjectSampler, v.uv);
    float3 normal = normalize(v.normal);
    float lit = dot(normal, -LightDirection) > 0 ? 1 : 0.7;
    float rim = pow(1 - saturate(dot(normal, normalize(v.view))), 3);
    return float4(color.rgb * lit + rim * 0.6, color.a);
}

technique Object < string MMDPass = "object"; > {
    pass Draw {
        VertexShader = compile vs_3_0 RimVS();
        PixelShader = compile ps_3_0 RimPS();
    }
}

technique ObjectShadowed < string MMDPass = "object_ss"; > {
    pass Draw {
        VertexShader = compile vs_3_0 RimVS();
        PixelShader = compile ps_3_0 RimPS();
    }
}
