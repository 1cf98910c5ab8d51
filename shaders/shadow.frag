// Of a caster with a texture, what is less than half opaque casts nothing.

layout(binding = 0) uniform sampler2D u_texture;

in vec2 uv;

void main()
{
    if (texture(u_texture, uv).a < 0.5)
        discard;
}
