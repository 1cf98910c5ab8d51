// The shadow on the ground: the flattening is part of the matrix (reference 4.4).

layout(location = 0) in vec3 in_position;

layout(std140, binding = 0) uniform Model {
    mat4 clip; // from model space, through the plane y = 0
} model;

void main()
{
    gl_Position = model.clip * vec4(in_position, 1.0);
}
