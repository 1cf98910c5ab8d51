// SPDX-License-Identifier: MIT
// Ground shadow, one bit for each sample (render/README.md 7).
//
// OVER: on anything, with blending; otherwise on a background of one color.

layout(location = 2) uniform vec4 u_shadow;
layout(location = 3) uniform vec4 u_background; // unless OVER

layout(binding = 0) uniform usampler2D u_bits; // 32 columns in each texel

layout(location = 0) out vec4 color;
layout(location = 1) out vec4 overlay; // no light in the shadow

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    uint word = texelFetch(u_bits, ivec2(at.x >> 5, at.y), 0).r;
    bool covered = ((word >> uint(at.x & 31)) & 1u) != 0u;
#if OVER
    if (!covered)
        discard;
    color = u_shadow;
    overlay = vec4(0.0, 0.0, 0.0, 1.0);
#else
    color = covered ? u_shadow : u_background;
    overlay = covered ? vec4(0.0, 0.0, 0.0, 1.0) : vec4(1.0);
#endif
}
