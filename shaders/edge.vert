// The outline: the surface moved out along its normal (reference 4.3).

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

void main()
{
    vec3 position = in_position + in_normal * (u_width * in_edge_scale);
    gl_Position = model.clip * vec4(position, 1.0);
}
