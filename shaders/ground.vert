// SPDX-License-Identifier: MIT
// Ground shadow; the projection to the ground is part of the matrix (render/README.md 7).

layout(location = 0) in vec3 in_position;

layout(std140, binding = 0) uniform Model {
    mat4 clip; // from model space, through the plane of the ground
} model;

void main()
{
    gl_Position = model.clip * vec4(in_position, 1.0);
}
