// SPDX-License-Identifier: MIT
// Surfaces without color; the same positions as in surface.vert.

layout(location = 0) in vec3 in_position;

layout(std140, binding = 0) uniform Model {
    mat4 clip; // from model space
} model;

invariant gl_Position;

void main()
{
    gl_Position = model.clip * vec4(in_position, 1.0);
}
