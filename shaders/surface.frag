// Surface shading of MMD, on stored sRGB values (render/README.md 5).
//
// TEXTURE, SPECULAR, VERTEX_COLOR: 0 or 1.  SPHERE: 0 off, 1 multiply, 2 add, 3 sub-texture.
// TOON: sampled ramp; TOON_STEP: ramp of two colors, computed with the result of linear filtering.
// FACTORS: material morphs change the textures.  ALPHA_TEST: alpha may be close to 0.
// OPAQUE, DENSE, FAINT: draw only pixels that are opaque, cover more than half, or less.
// LAMBERT: accessory or cloth, shaded by the angle to the light instead of a toon.
// BOTH_SIDES: cloth, whose normal is turned towards the eye before shading.
// SHADOW: samples the shadow map (render/README.md 8.1); only the dark end of the toon is used.
// LIGHT: also the share of the light that is not shadowed (render/README.md 14.2).
// SOFT: with a filter wider than a texel.

layout(location = 0) uniform vec4 u_material[11];
#define TEXTURE_FACTORS 2 // multiply; add follows
#define SPHERE_FACTORS 4
#define TOON_FACTORS 6

// Constants of the material: llvmpipe reads inputs faster than uniforms.
flat in vec4 base_color;
#if SPECULAR
flat in vec4 specular; // color, power
#endif
#if LAMBERT
flat in vec3 lambert;
#endif
#if TOON_STEP
flat in vec4 toon_dark; // and edge
#if !SHADOW
flat in vec4 toon_lit; // and rows
#endif
#endif

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

#if SHADOW
#if SOFT
layout(binding = 3) uniform usamplerBuffer u_shadow; // src/render/shadow/shadow_texels.h
flat in vec4 shadow_lookup; // darkening over the whole depth; filter radius, texels; unused; rows
flat in ivec4 shadow_texels; // largest x and y; texels in a row; first of the ranges
#else
layout(binding = 3) uniform sampler2D u_shadow;
layout(std140, binding = 1) uniform Shadow {
    mat4 map;
    vec4 lookup; // darkening over the whole depth; filter radius, texels; 1 / side of the map
    ivec4 texels;
} shadow;
#endif
in vec3 shadow_position; // texels, depth
#endif

layout(location = 0) out vec4 color;
#if LIGHT
layout(location = 1) out vec4 overlay; // light, 1 where no line is
#endif

// Applies the factors of material morphs; `base` is the neutral texture value.
vec4 apply_factors(vec4 t, int at, float base)
{
#if FACTORS
    vec4 mul = u_material[at], add = u_material[at + 1];
    t.rgb = mix(vec3(base), t.rgb * mul.rgb + add.rgb, mul.a + add.a);
#endif
    return t;
}

#if SHADOW && SOFT
vec4 light_behind(vec4 depths)
{
    return 1.0 - clamp((shadow_position.z - depths) * shadow_lookup.x - 0.3, 0.0, 1.0);
}

// Light at four neighbouring texels of a row.  The first two are a range if that is what is there.
vec4 light_of_four(int at)
{
    uvec2 pairs = uvec2(texelFetch(u_shadow, at).x, texelFetch(u_shadow, at + 2).x);
    return light_behind(vec4(uvec4(pairs.x & 0xffffu, pairs.x >> 16, pairs.y & 0xffffu,
                                   pairs.y >> 16)) * (1.0 / 65535.0));
}

// Tent filter over at most four by four texels: offsets -1 to 2 from the upper left neighbour.  Most
// fragments see one light in all of them, which the range of their depths decides in the first turn.
// llvmpipe executes both sides of branches, but leaves a loop when no fragment of a group needs more;
// `rows` is an input, so that the loop is not unrolled.
float light()
{
    vec2 at = shadow_position.xy - 0.5, corner = floor(at), f = at - corner;
    ivec2 texel = ivec2(clamp(corner + 2.0, vec2(0.0), vec2(shadow_texels.xy)));
    int first = texel.y * shadow_texels.z + texel.x, place = first + shadow_texels.w;
    float radius = shadow_lookup.y;
    vec2 w0 = max(radius - 1.0 - f, 0.0), w1 = max(radius - f, 0.0);
    vec2 w2 = max(radius - 1.0 + f, 0.0), w3 = max(radius - 2.0 + f, 0.0);
    vec2 all = w0 + w1 + w2 + w3;
    int rows = int(shadow_lookup.w), row = 0;
    float sum = 0.0;
    while (true) {
        vec4 l = light_of_four(place);
        if (row == 0) {
            sum = l.x * (w1.y * all.x + (w0.y * all.x + (w2.y * all.x + w3.y * all.x)));
            if (l.x == l.y && (l.x == 0.0 || l.x == 1.0))
                break;
            sum = 0.0;
        } else {
            precise float light_of_row = w0.x * l.x + w1.x * l.y + w2.x * l.z + w3.x * l.w;
            float weight = row == 1 ? w2.y : row == 2 ? w3.y : row == 3 ? w0.y : w1.y;
            sum += weight * light_of_row;
        }
        if (row >= rows)
            break;
        row++;
        place = first + (row + 1 & 3) * shadow_texels.z;
    }
    return sum / (all.x * all.y);
}
#elif SHADOW
// Light at four neighbouring texels: .w upper left, .z upper right, .x lower left, .y lower right.
vec4 light_of_four(vec2 corner)
{
    vec4 behind = shadow_position.z - textureGather(u_shadow, corner * shadow.lookup.z);
    return 1.0 - clamp(behind * shadow.lookup.x - 0.3, 0.0, 1.0);
}

float light()
{
    vec2 at = shadow_position.xy - 0.5, f = fract(at), corner = at - f + 1.0;
    vec4 l = light_of_four(corner);
    vec2 rows = mix(l.wx, l.zy, f.x);
    return mix(rows.x, rows.y, f.y);
}
#endif

void main()
{
    vec4 c = base_color;
#if SHADOW
    float lit = 1.0;
#if TOON_STEP
    lit = clamp(3.0 - 6.0 * TOON_V, 0.0, 1.0);
#endif
    if (lit > 0.0)
        lit = min(lit, light());
#endif
#if LAMBERT && SHADOW
    c.rgb = min(c.rgb + lit * max(1.0 - 2.0 * TOON_V, 0.0) * lambert, 1.0);
#elif LAMBERT
    c.rgb = min(c.rgb + max(1.0 - 2.0 * TOON_V, 0.0) * lambert, 1.0);
#endif
#if VERTEX_COLOR
    c *= extra;
#endif
#if TEXTURE
    c *= apply_factors(texture(u_texture, uv), TEXTURE_FACTORS, 1.0);
#endif
#if SPHERE == 1
    c *= apply_factors(texture(u_sphere, sphere_uv), SPHERE_FACTORS, 1.0);
#elif SPHERE == 2
    vec4 s = apply_factors(texture(u_sphere, sphere_uv), SPHERE_FACTORS, 0.0);
    c = vec4(c.rgb + s.rgb, c.a * s.a);
#elif SPHERE == 3
    c *= apply_factors(texture(u_sphere, extra.xy), SPHERE_FACTORS, 1.0);
#endif
#if TOON_STEP && SHADOW
    c.rgb *= mix(apply_factors(vec4(toon_dark.rgb, 1.0), TOON_FACTORS, 1.0).rgb, vec3(1.0), lit);
#elif TOON
    c.rgb *= apply_factors(texture(u_toon, TOON_V), TOON_FACTORS, 1.0).rgb;
#elif TOON_STEP
    vec3 toon = mix(toon_lit.rgb, toon_dark.rgb, clamp(TOON_V * toon_lit.a - toon_dark.a, 0.0, 1.0));
    c.rgb *= apply_factors(vec4(toon, 1.0), TOON_FACTORS, 1.0).rgb;
#endif
#if SPECULAR
    float highlight = max(dot(normalize(normal), normalize(half_vector)), 0.0);
#if SHADOW
    highlight = lit * pow(highlight, specular.a);
#else
    highlight = pow(highlight, specular.a);
#endif
    c.rgb += highlight * specular.rgb;
#endif
#if OPAQUE
    if (c.a < 0.99)
        discard;
#elif DENSE
    if (c.a < 0.5 || c.a >= 0.99)
        discard;
#elif FAINT
    if (c.a < 0.005 || c.a >= 0.5)
        discard;
#elif ALPHA_TEST
    if (c.a < 0.005)
        discard;
#endif
#if LIGHT && SHADOW
    overlay = vec4(lit, 1.0, 0.0, c.a);
#elif LIGHT
    overlay = vec4(1.0, 1.0, 0.0, c.a);
#endif
    color = c;
}
