// An outline, as faint as it is thinner than what is drawn.

layout(location = 1) uniform vec4 u_color;

in float share;

layout(location = 0) out vec4 color;

void main()
{
    color = vec4(u_color.rgb, u_color.a * share);
}
