// SPDX-License-Identifier: MIT
// Materials that glow, once more over the depth of the picture (render/README.md 15).

layout(location = 0) in vec3 in_position;
layout(location = 2) in vec2 in_uv;

layout(std140, binding = 0) uniform Model {
    mat4 clip; // from model space
    vec4 light;
    vec4 right, up;
    vec4 eye;
} model;

#if TEXTURE
out vec2 uv;
#endif

void main()
{
    gl_Position = model.clip * vec4(in_position, 1.0);
#if TEXTURE
    uv = in_uv;
#endif
}
