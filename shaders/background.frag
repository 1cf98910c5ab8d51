// The picture behind everything, already of the finished size: each of its pixels fills u_scale squared.

layout(binding = 0) uniform sampler2D u_texture;
layout(location = 0) uniform float u_scale;

layout(location = 0) out vec4 color;

void main()
{
    color = texelFetch(u_texture, ivec2(gl_FragCoord.xy / u_scale), 0);
}
