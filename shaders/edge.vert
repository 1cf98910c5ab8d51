// The outline: the surface moved out along its normal (reference 4.3).  One that would be thinner than a
// pixel is drawn a pixel wide, and fainter: it would miss most samples, and look dotted and torn.
//
// u_inside 1: instead what the eye sees of the hull from inside, through holes, which covers an area
// however thin the line is: behind the surface, but not wider than it, and never faint.

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 3) in float in_edge_scale;

layout(std140, binding = 0) uniform Model {
    mat4 clip; // from model space
    vec4 light;
    vec4 right, up;
    vec4 eye;
} model;

layout(location = 0) uniform float u_width; // of the material, model units
layout(location = 2) uniform float u_least; // a pixel's side, model units, a unit away
layout(location = 3) uniform float u_inside;

out float share; // of the width that is drawn

// The way that the eye looks at a point.
vec3 sight(vec3 point)
{
    vec3 ray = point - model.eye.xyz;
    bool orthographic = (model.clip * vec4(ray, 0.0)).w == 0.0;
    return normalize(orthographic ? cross(model.right.xyz, model.up.xyz) : ray);
}

void main()
{
    float width = u_width * in_edge_scale;
    float least = u_least * (model.clip * vec4(in_position, 1.0)).w;
    float drawn = width == 0.0 ? 0.0 : sign(width) * max(abs(width), least);
    vec3 by = in_normal * drawn;

    share = min(abs(width) / max(least, 1e-20), 1.0);
    if (u_inside > 0.0) {
        by = sight(in_position) * width;
        if (dot(in_normal, by) < -0.5 * abs(width)) // wound inside out: before the surface
            by = -by;
        share = 1.0;
    }
    gl_Position = model.clip * vec4(in_position + by, 1.0);
}
