// SPDX-License-Identifier: MIT
// The reflected picture, premultiplied, at the same place; the mean of a disk (render/README.md 16).

layout(location = 6) uniform float u_strength;
layout(location = 7) uniform float u_radius; // pixels of the surface
layout(binding = 0) uniform sampler2D u_texture;

layout(location = 0) out vec4 color;

void main()
{
    ivec2 last = textureSize(u_texture, 0) - 1;
    vec4 sum = vec4(0.0);
    int count = u_radius > 0.0 ? 24 : 1;
    for (int i = 0; i < count; i++) {
        float r = u_radius * sqrt(float(i) / 24.0), angle = float(i) * 2.3999632;
        ivec2 at = ivec2(gl_FragCoord.xy + r * vec2(cos(angle), sin(angle)));
        sum += texelFetch(u_texture, clamp(at, ivec2(0), last), 0);
    }
    color = sum * (u_strength / float(count));
}
