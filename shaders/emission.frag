// SPDX-License-Identifier: MIT
// Color of the emitted light, and its strength as alpha (render/README.md 15).

layout(location = 0) uniform vec4 u_color;
layout(location = 1) uniform float u_alpha; // of the material
layout(binding = 0) uniform sampler2D u_texture;

#if TEXTURE
in vec2 uv;
#endif

layout(location = 0) out vec4 color;

void main()
{
    float alpha = u_alpha;
    color = u_color;
#if TEXTURE
    vec4 t = texture(u_texture, uv);
    color.rgb *= t.rgb;
    alpha *= t.a;
#endif
    if (alpha < 0.005)
        discard;
    color.rgb *= alpha;
}
