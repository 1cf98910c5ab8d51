// SPDX-License-Identifier: MIT
// Depths from the light, for effects that look up MMD's self-shadow map (render/effects/README.md 5).

layout(location = 0) in vec3 position; // places of EffectInput
layout(location = 8) in vec2 uv;

layout(location = 0) uniform vec4 u_clip[4]; // columns of the matrix from model space

out vec2 v_uv;

void main()
{
    v_uv = uv;
    gl_Position = mat4(u_clip[0], u_clip[1], u_clip[2], u_clip[3]) * vec4(position, 1.0);
}
