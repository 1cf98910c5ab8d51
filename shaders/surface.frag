// SPDX-License-Identifier: MIT
// Surface shading of MMD, on stored sRGB values (render/README.md 5).
//
// TEXTURE, SPECULAR, VERTEX_COLOR: 0 or 1.  SPHERE: 0 off, 1 multiply, 2 add, 3 sub-texture.
// TOON: sampled ramp; TOON_STEP: ramp of two colors, computed with the result of linear filtering.
// FACTORS: material morphs change the textures.  ALPHA_TEST: alpha may be close to 0.
// OPAQUE, DENSE, FAINT: draw only pixels that are opaque, cover more than half, or less.
// LAMBERT: accessory or cloth, shaded by the angle to the light instead of a toon.
// BOTH_SIDES: cloth, whose normal is turned towards the eye before shading.
// SHADOW: with the light of shadow.glsl; only the dark end of the toon is used.
// MAPS: scenes, with emission and occlusion (render/README.md 5.9).
// LIGHT: also the share of the light that is not shadowed (render/README.md 14.2).

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

#if MAPS
layout(location = 11) uniform vec4 u_maps; // emission in linear light, strength of the occlusion
layout(binding = 4) uniform sampler2D u_emission;
layout(binding = 5) uniform sampler2D u_occlusion;
in vec4 map_uv;
#endif
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

#if MAPS
vec3 linear(vec3 stored)
{
    return mix(stored / 12.92, pow((stored + 0.055) / 1.055, vec3(2.4)), greaterThan(stored, vec3(0.04045)));
}

vec3 stored(vec3 light)
{
    light = clamp(light, 0.0, 1.0);
    return mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, greaterThan(light, vec3(0.0031308)));
}
#endif

void main()
{
    vec4 c = base_color;
#if MAPS
    c.rgb *= pow(1.0 - u_maps.a * (1.0 - texture(u_occlusion, map_uv.zw).r), 1.0 / 2.2);
#endif
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
#if MAPS
    c.rgb = stored(linear(c.rgb) + u_maps.rgb * linear(texture(u_emission, map_uv.xy).rgb));
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
