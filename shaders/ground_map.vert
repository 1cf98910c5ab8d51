// SPDX-License-Identifier: MIT
// What blocks the light, projected on the ground along the middle of the light (render/README.md 13).

layout(location = 0) in vec3 in_position;

layout(location = 0) uniform vec4 u_world[3]; // rows: from model space to the world, y above the ground
layout(location = 3) uniform vec4 u_map;      // clip.xy = xz * u_map.xy + u_map.zw
layout(location = 4) uniform vec4 u_light;    // shift of x and z per unit of height; bottom; slices a unit

out float slice;

void main()
{
    vec4 p = vec4(in_position, 1.0);
    float y = dot(u_world[1], p);
    vec2 at = vec2(dot(u_world[0], p), dot(u_world[2], p)) + y * u_light.xy;
    gl_Position = vec4(at * u_map.xy + u_map.zw, 0.5, 1.0);
    slice = (y - u_light.z) * u_light.w;
}
