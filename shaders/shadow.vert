// Depth seen from the light (render/README.md 8); the viewport is one texel inside the map.

layout(location = 0) in vec3 in_position;
layout(location = 2) in vec2 in_uv;

layout(std140, binding = 1) uniform Shadow {
    mat4 map; // from model space to texels and depth
    vec4 lookup;
    vec4 clip; // clip.xy = texels * clip.xy + clip.zw
} shadow;

#if TEXTURE
out vec2 uv;
#endif

void main()
{
    vec3 position = (shadow.map * vec4(in_position, 1.0)).xyz;
    gl_Position = vec4(position.xy * shadow.clip.xy + shadow.clip.zw, position.z, 1.0);
#if TEXTURE
    uv = in_uv;
#endif
}
