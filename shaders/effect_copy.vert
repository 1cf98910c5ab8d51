// SPDX-License-Identifier: MIT
// A picture over the whole of a target, for post-effects (render/effects/README.md 4).

out vec2 v_uv;

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);

    v_uv = corner;
    gl_Position = vec4(corner.x * 2.0 - 1.0, 1.0 - corner.y * 2.0, 0.0, 1.0);
}
