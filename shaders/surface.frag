// MMD's shading of a surface, on sRGB values as they are stored (reference 4.2).
//
// TEXTURE, SPECULAR, VERTEX_COLOR: 0 or 1.  SPHERE: 0 off, 1 multiply, 2 add, 3 sub-texture.
// TOON: looked up; TOON_STEP: from one colour to another, as linear filtering would.
// FACTORS: material morphs act on the textures.  ALPHA_TEST: alpha may be near 0 somewhere.
// LAMBERT: an accessory or made cloth, lit by the angle to the light instead of a toon.
// BOTH_SIDES: cloth, whose normal is turned to the eye before toon or angle are found.

layout(location = 0) uniform vec4 u_material[11];
#define BASE u_material[0]
#define SPECULAR_COLOR u_material[1].rgb
#define SPECULAR_POWER u_material[1].a
#define TEXTURE_FACTORS 2 // multiply; add follows
#define SPHERE_FACTORS 4
#define TOON_FACTORS 6
#define LAMBERT_COLOR u_material[8].rgb
#define TOON_LIT u_material[9].rgb
#define TOON_ROWS u_material[9].a
#define TOON_DARK u_material[10].rgb
#define TOON_EDGE u_material[10].a

layout(binding = 0) uniform sampler2D u_texture;
layout(binding = 1) uniform sampler2D u_sphere;
layout(binding = 2) uniform sampler1D u_toon;

#if TEXTURE
in vec2 uv;
#endif
#if SPHERE == 1 || SPHERE == 2
in vec2 sphere_uv;
#endif
#if SPHERE == 3 || VERTEX_COLOR
in vec4 extra;
#endif
#if TOON || TOON_STEP || LAMBERT
in float toon_v;
#if BOTH_SIDES
#define TOON_V (gl_FrontFacing ? toon_v : 1.0 - toon_v)
#else
#define TOON_V toon_v
#endif
#endif
#if SPECULAR
in vec3 normal, half_vector;
#endif

layout(location = 0) out vec4 color;

// The factors of material morphs; `base` is the texture that changes nothing.
vec4 factored(vec4 t, int at, float base)
{
#if FACTORS
    vec4 mul = u_material[at], add = u_material[at + 1];
    t.rgb = mix(vec3(base), t.rgb * mul.rgb + add.rgb, mul.a + add.a);
#endif
    return t;
}

void main()
{
    vec4 c = BASE;
#if LAMBERT
    c.rgb = min(c.rgb + max(1.0 - 2.0 * TOON_V, 0.0) * LAMBERT_COLOR, 1.0);
#endif
#if VERTEX_COLOR
    c *= extra;
#endif
#if TEXTURE
    c *= factored(texture(u_texture, uv), TEXTURE_FACTORS, 1.0);
#endif
#if SPHERE == 1
    c *= factored(texture(u_sphere, sphere_uv), SPHERE_FACTORS, 1.0);
#elif SPHERE == 2
    vec4 s = factored(texture(u_sphere, sphere_uv), SPHERE_FACTORS, 0.0);
    c = vec4(c.rgb + s.rgb, c.a * s.a);
#elif SPHERE == 3
    c *= factored(texture(u_sphere, extra.xy), SPHERE_FACTORS, 1.0);
#endif
#if TOON
    c.rgb *= factored(texture(u_toon, TOON_V), TOON_FACTORS, 1.0).rgb;
#elif TOON_STEP
    vec3 toon = mix(TOON_LIT, TOON_DARK, clamp(TOON_V * TOON_ROWS - TOON_EDGE, 0.0, 1.0));
    c.rgb *= factored(vec4(toon, 1.0), TOON_FACTORS, 1.0).rgb;
#endif
#if SPECULAR
    float shine = max(dot(normalize(normal), normalize(half_vector)), 0.0);
    c.rgb += pow(shine, SPECULAR_POWER) * SPECULAR_COLOR;
#endif
#if ALPHA_TEST
    if (c.a < 0.005)
        discard;
#endif
    color = c;
}
