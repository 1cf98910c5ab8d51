// SPDX-License-Identifier: MIT
// The color of the shadow, as opaque as light is missing.

layout(location = 6) uniform vec4 u_color;

layout(binding = 0) uniform sampler2D u_shade;

in vec2 uv;

layout(location = 0) out vec4 color;
layout(location = 1) out vec4 overlay; // no light

void main()
{
    color = vec4(u_color.rgb, u_color.a * texture(u_shade, uv).r);
    overlay = vec4(0.0, 0.0, 0.0, texture(u_shade, uv).r);
}
