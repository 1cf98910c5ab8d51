// Discards texels of a caster that are less than half opaque.

layout(binding = 0) uniform sampler2D u_texture;

in vec2 uv;

void main()
{
    if (texture(u_texture, uv).a < 0.5)
        discard;
}
