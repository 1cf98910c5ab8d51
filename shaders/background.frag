// The background image, already of the finished size: each of its pixels covers u_window.z squared pixels
// of the surface, whose first pixel shows the image pixel u_window.xy.

layout(binding = 0) uniform sampler2D u_texture;
layout(location = 0) uniform vec3 u_window;

layout(location = 0) out vec4 color;

void main()
{
    color = texelFetch(u_texture, ivec2(gl_FragCoord.xy / u_window.z + u_window.xy), 0);
}
