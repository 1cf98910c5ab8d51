// SPDX-License-Identifier: MIT
// Geometry of the surfaces for the passes depth, normal, mask and motion (render/README.md 14).
// TEXTURE, DEPTH, NORMAL, MOTION: 0 or 1, what the fragments need.

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;
#if MOTION
layout(location = 5) in vec3 in_before; // the position in the frame before and in the next one
layout(location = 6) in vec3 in_after;
layout(location = 6) uniform mat4 u_before;
layout(location = 7) uniform mat4 u_after;
#endif

layout(std140, binding = 0) uniform Model {
    mat4 clip; // from model space
    vec4 light;
    vec4 right, up; // of the view, unit vectors
    vec4 eye;
} model;

layout(location = 0) uniform vec4 u_depth; // distance along the view: dot(u_depth, (position, 1))

#if DEPTH
out float depth;
#endif
#if NORMAL
out vec3 normal; // in view space: right, up, towards the eye
#endif
#if TEXTURE
out vec2 uv;
#endif
#if MOTION
out vec3 now, before, after; // x, y, w
#endif

void main()
{
    gl_Position = model.clip * vec4(in_position, 1.0);
#if DEPTH
    depth = dot(u_depth, vec4(in_position, 1.0));
#endif
#if NORMAL
    vec3 forward = cross(model.right.xyz, model.up.xyz);
    normal = vec3(dot(in_normal, model.right.xyz), dot(in_normal, model.up.xyz), -dot(in_normal, forward));
#endif
#if TEXTURE
    uv = in_uv;
#endif
#if MOTION
    now = gl_Position.xyw;
    before = (u_before * vec4(in_before, 1.0)).xyw;
    after = (u_after * vec4(in_after, 1.0)).xyw;
#endif
}
