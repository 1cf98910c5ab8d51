// SPDX-License-Identifier: MIT
layout(binding = 0) uniform sampler2D u_texture;

in vec2 v_uv;
layout(location = 0) out float depth;

void main()
{
    if (texture(u_texture, v_uv).a < 0.5)
        discard;
    depth = gl_FragCoord.z;
}
