// SPDX-License-Identifier: MIT
// An outline; its alpha is reduced where it is drawn wider than it is.

layout(location = 1) uniform vec4 u_color;

in float coverage;

layout(location = 0) out vec4 color;
layout(location = 1) out vec4 overlay; // light, 0: a line

void main()
{
    color = vec4(u_color.rgb, u_color.a * coverage);
    overlay = vec4(1.0, 0.0, 0.0, color.a);
}
