// SPDX-License-Identifier: MIT
// Outline: the surface moved out along its normal (render/README.md 6).  An outline thinner than
// u_pixel is drawn that wide with reduced alpha: otherwise it would miss most samples and look dotted.
//
// u_interior 1: the inside of the hull, visible through openings, which covers an area however thin the
// outline is.  It is drawn behind the surface, at the true width, and with full alpha, only where the hull
// has reduced alpha.
//
// MTOON: for mtoon.frag, else for edge.frag.

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
#if MTOON
layout(location = 2) in vec2 in_uv;
#endif
layout(location = 3) in float in_edge_scale;

layout(std140, binding = 0) uniform Model {
    mat4 clip; // from model space
    vec4 light;
    vec4 right, up;
    vec4 eye;
} model;

layout(location = 0) uniform float u_width; // of the material, model units
layout(location = 2) uniform float u_pixel; // width of the thinnest upright or level outline at distance 1, model units
layout(location = 3) uniform float u_interior;
layout(location = 4) uniform float u_screen; // added to the width at distance 1, model units

const float FULL = 0.999; // coverage, but for rounding

out float coverage; // true width / drawn width
#if MTOON
out vec2 uv;
out vec3 normal, view; // view: towards the eye
#endif

// Direction from the eye to a point.
vec3 view_direction(vec3 point)
{
    vec3 ray = point - model.eye.xyz;
    bool orthographic = (model.clip * vec4(ray, 0.0)).w == 0.0;
    return normalize(orthographic ? cross(model.right.xyz, model.up.xyz) : ray);
}

// Width of a line in units of its extent along the rows or columns of samples that it crosses, whichever is
// smaller: so a thin line covers equally many samples of each of them (render/README.md 10).
float row_width()
{
    vec2 across = vec2(dot(in_normal, model.right.xyz), dot(in_normal, model.up.xyz));
    float along = length(across);
    return along > 1e-6 ? max(abs(across.x), abs(across.y)) / along : 1.0;
}

void main()
{
    float distance = (model.clip * vec4(in_position, 1.0)).w;
    float width = (u_width + u_screen * distance) * in_edge_scale;
    float pixel = u_pixel * distance * row_width();
    float drawn_width = width == 0.0 ? 0.0 : sign(width) * max(abs(width), pixel);
    vec3 offset = in_normal * drawn_width;

    coverage = min(abs(width) / max(pixel, 1e-20), 1.0);
    gl_ClipDistance[0] = u_interior > 0.0 ? FULL - coverage : 1.0;
    if (u_interior > 0.0) {
        offset = view_direction(in_position) * width;
        if (dot(in_normal, offset) < -0.5 * abs(width)) // inverted winding: it would be in front of the surface
            offset = -offset;
        coverage = 1.0;
    }
    gl_Position = model.clip * vec4(in_position + offset, 1.0);
#if MTOON
    uv = in_uv;
    normal = in_normal;
    view = -view_direction(in_position);
#endif
}
