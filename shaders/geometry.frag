// Depth, material and normal of the nearest surface that is at least half opaque (render/README.md 14).

layout(location = 1) uniform uint u_id;
layout(location = 2) uniform float u_alpha; // of the material, after morphs
layout(binding = 0) uniform sampler2D u_texture;

in float depth;
in vec3 normal;
#if TEXTURE
in vec2 uv;
#endif

layout(location = 0) out float out_depth;
layout(location = 1) out uint out_id;
layout(location = 2) out vec4 out_normal;

void main()
{
#if TEXTURE
    if (texture(u_texture, uv).a * u_alpha < 0.5)
        discard;
#endif
    vec3 n = normalize(normal);
    if (!gl_FrontFacing)
        n = -n;
    out_depth = depth;
    out_id = u_id;
    out_normal = vec4(0.5 * n + 0.5, 1.0);
}
