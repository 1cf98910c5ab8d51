// SPDX-License-Identifier: MIT
// The part of the ground that the map of its shadows covers (render/README.md 13).

layout(location = 0) uniform vec4 u_clip[4]; // columns of the matrix from world space
layout(location = 4) uniform vec4 u_area;    // smallest x and z, size along x and z
layout(location = 5) uniform vec4 u_place;   // height, texels along x and z

layout(binding = 0) uniform sampler2D u_shade;

out vec2 uv;

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec2 at = u_area.xy + corner * u_area.zw;
    uv = (0.5 + corner * u_place.yz) / vec2(textureSize(u_shade, 0));
    gl_Position = mat4(u_clip[0], u_clip[1], u_clip[2], u_clip[3]) *
                  vec4(at.x, u_place.x, at.y, 1.0);
}
