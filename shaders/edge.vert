// The outline: the surface moved out along its normal (reference 4.3).  One that would be thinner than a
// pixel is drawn a pixel wide, and fainter: it would miss most samples, and look dotted and torn.

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

out vec2 thin_rim; // share of the width that is drawn; how much the normal points aside
out vec3 to_eye;

void main()
{
    float width = u_width * in_edge_scale;
    float least = u_least * (model.clip * vec4(in_position, 1.0)).w;
    float drawn = width == 0.0 ? 0.0 : sign(width) * max(abs(width), least);
    vec3 moved = in_position + in_normal * drawn;
    to_eye = model.eye.xyz - moved;
    float along = dot(in_normal, normalize(to_eye));
    thin_rim = vec2(min(abs(width) / max(least, 1e-20), 1.0), smoothstep(0.7, 0.9, 1.0 - along * along));
    gl_Position = model.clip * vec4(moved, 1.0);
}
