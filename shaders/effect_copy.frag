// SPDX-License-Identifier: MIT
layout(binding = 0) uniform sampler2D u_picture;

in vec2 v_uv;
layout(location = 0) out vec4 color;

void main()
{
    color = texture(u_picture, v_uv);
}
