// Geometry of the surfaces for the passes depth, normal and mask (render/README.md 14).

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;

layout(std140, binding = 0) uniform Model {
    mat4 clip; // from model space
    vec4 light;
    vec4 right, up; // of the view, unit vectors
    vec4 eye;
} model;

layout(location = 0) uniform vec4 u_depth; // distance along the view: dot(u_depth, (position, 1))

out float depth;
out vec3 normal; // in view space: right, up, towards the eye
#if TEXTURE
out vec2 uv;
#endif

void main()
{
    vec3 forward = cross(model.right.xyz, model.up.xyz);
    gl_Position = model.clip * vec4(in_position, 1.0);
    depth = dot(u_depth, vec4(in_position, 1.0));
    normal = vec3(dot(in_normal, model.right.xyz), dot(in_normal, model.up.xyz), -dot(in_normal, forward));
#if TEXTURE
    uv = in_uv;
#endif
}
