// The picture behind everything, already of the finished size: each of its pixels fills u_place.z squared
// of the surface, whose first pixel shows the picture's pixel u_place.xy.

layout(binding = 0) uniform sampler2D u_texture;
layout(location = 0) uniform vec3 u_place;

layout(location = 0) out vec4 color;

void main()
{
    color = texelFetch(u_texture, ivec2(gl_FragCoord.xy / u_place.z + u_place.xy), 0);
}
