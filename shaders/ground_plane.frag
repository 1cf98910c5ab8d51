// The colour of the shadow, as opaque as light is missing.

layout(location = 6) uniform vec4 u_color;

layout(binding = 0) uniform sampler2D u_shade;

in vec2 uv;

layout(location = 0) out vec4 color;

void main()
{
    color = vec4(u_color.rgb, u_color.a * texture(u_shade, uv).r);
}
