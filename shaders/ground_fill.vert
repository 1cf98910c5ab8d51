// SPDX-License-Identifier: MIT
// A rectangle of the surface, at the depths of the ground (render/README.md 7).

layout(location = 0) uniform vec4 u_area;  // left, top, right, bottom, samples
layout(location = 1) uniform vec2 u_size;  // of the surface, samples
layout(location = 4) uniform vec3 u_depth; // by normalized x and y, and in the middle

void main()
{
    vec2 at = vec2((gl_VertexID & 1) == 0 ? u_area.x : u_area.z, gl_VertexID < 2 ? u_area.y : u_area.w);
    vec2 place = vec2(2.0 * at.x / u_size.x - 1.0, 1.0 - 2.0 * at.y / u_size.y);
    gl_Position = vec4(place, dot(u_depth, vec3(place, 1.0)), 1.0);
}
