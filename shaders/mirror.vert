// SPDX-License-Identifier: MIT
// The plane that reflects: a square around the eye (render/README.md 16).

layout(location = 0) uniform vec4 u_clip[4]; // columns of the matrix from world space
layout(location = 4) uniform vec3 u_center;
layout(location = 5) uniform float u_half_side;

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    gl_Position = mat4(u_clip[0], u_clip[1], u_clip[2], u_clip[3]) *
                  vec4(u_center + vec3(corner.x, 0.0, corner.y) * u_half_side, 1.0);
}
