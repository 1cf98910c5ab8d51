// SPDX-License-Identifier: MIT
// A single color, for ground shadows.

layout(location = 1) uniform vec4 u_color;

layout(location = 0) out vec4 color;
layout(location = 1) out vec4 overlay; // no light

void main()
{
    color = u_color;
    overlay = vec4(0.0, 0.0, 0.0, 1.0);
}
