// SPDX-License-Identifier: MIT
// MToon: surfaces and outlines of VRM figures, in linear light (render/README.md 17).  Colors of textures
// and the result are sRGB.
//
// TEXTURE: color and shade have textures.  EXTRAS: shift, matcap, rim, emission, animated coordinates.
// ALPHA_TEST, OPAQUE, DENSE, FAINT, LIGHT: as in surface.frag.  SHADOW: with the light of shadow.glsl.
// OUTLINE: of edge.vert.

layout(location = 8) uniform vec4 u_material[10];
#define COLOR u_material[0]
#define SHADE u_material[1].rgb
#define SHIFT u_material[1].a
#define RAMP u_material[2].xy // factor and offset of the light
#define SHIFT_SCALE u_material[2].z
#define RIM_LIGHTING u_material[2].w
#define LIGHT_COLOR u_material[3].rgb
#define RIM_POWER u_material[3].a
#define MATCAP u_material[4].rgb
#define RIM_LIFT u_material[4].a
#define RIM u_material[5].rgb
#define OUTLINE_LIGHTING u_material[5].a
#define EMISSION u_material[6].rgb
#define ROTATION u_material[6].a
#define OUTLINE_COLOR u_material[7].rgb
#define INDIRECT u_material[7].a // part of LIGHT_COLOR
#define SCROLL u_material[8].xy
#define IS_OLDER u_material[8].z
#define MASK_CHANNELS u_material[9].rgb

layout(std140, binding = 0) uniform Model {
    mat4 clip; // from model space
    vec4 light; // unit vector towards the light
    vec4 right, up; // of the view, unit vectors
    vec4 eye;
} model;

layout(binding = 0) uniform sampler2D u_texture;
layout(binding = 1) uniform sampler2D u_shade;
layout(binding = 2) uniform sampler2D u_shift;
layout(binding = 4) uniform sampler2D u_matcap;
layout(binding = 5) uniform sampler2D u_rim;
layout(binding = 6) uniform sampler2D u_emission;
layout(binding = 7) uniform sampler2D u_uv_mask;

in vec2 uv;
in vec3 normal, view;
#if OUTLINE
in float coverage;
#endif

layout(location = 0) out vec4 color;
#if LIGHT
layout(location = 1) out vec4 overlay; // light, 1 where no line is
#endif

vec3 linear(vec3 stored)
{
    return mix(stored / 12.92, pow((stored + 0.055) / 1.055, vec3(2.4)), greaterThan(stored, vec3(0.04045)));
}

vec3 stored(vec3 light)
{
    light = clamp(light, 0.0, 1.0);
    return mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, greaterThan(light, vec3(0.0031308)));
}

void main()
{
    vec4 base = COLOR;
    vec3 shade = SHADE;
#if EXTRAS
    float moves = dot(texture(u_uv_mask, uv).rgb, MASK_CHANNELS);
    float angle = ROTATION * moves, c = cos(angle), s = sin(angle);
    vec2 at = mat2(c, -s, s, c) * (uv - 0.5) + 0.5 + SCROLL * moves;
#elif TEXTURE
    vec2 at = uv;
#endif
#if TEXTURE
    vec4 texel = texture(u_texture, at);
    base *= vec4(linear(texel.rgb), texel.a);
    shade *= linear(texture(u_shade, at).rgb);
#endif
#if OPAQUE
    if (base.a < 0.99)
        discard;
#elif DENSE
    if (base.a < 0.5 || base.a >= 0.99)
        discard;
#elif FAINT
    if (base.a < 0.005 || base.a >= 0.5)
        discard;
#elif ALPHA_TEST
    if (base.a < 0.005)
        discard;
#endif
#if OUTLINE
    vec3 n = normalize(normal);
#else
    vec3 n = normalize(gl_FrontFacing ? normal : -normal);
#endif
    float lit = dot(n, model.light.xyz) + SHIFT;
#if EXTRAS
    lit += SHIFT_SCALE * texture(u_shift, at).r;
#endif
    lit = clamp(lit * RAMP.x + RAMP.y, 0.0, 1.0);
    float unshadowed = 1.0;
#if SHADOW
    if (lit > 0.0)
        unshadowed = light();
    lit *= unshadowed;
#endif
    vec3 sum = (LIGHT_COLOR - INDIRECT) * mix(shade, base.rgb, lit) + INDIRECT * base.rgb;
    if (IS_OLDER > 0.0)
        sum = min(sum, base.rgb);
#if EXTRAS
    vec3 v = normalize(view), x = normalize(cross(v, model.up.xyz)), y = cross(x, v);
    vec3 rim = MATCAP * linear(texture(u_matcap, vec2(dot(x, n), -dot(y, n)) * 0.495 + 0.5).rgb);
    rim += RIM * pow(clamp(1.0 - dot(n, v) + RIM_LIFT, 0.0, 1.0), RIM_POWER);
    sum += rim * linear(texture(u_rim, at).rgb) * mix(vec3(1.0), LIGHT_COLOR, RIM_LIGHTING);
    sum += EMISSION * linear(texture(u_emission, at).rgb);
#endif
#if OUTLINE
    color = vec4(stored(OUTLINE_COLOR * mix(vec3(1.0), sum, OUTLINE_LIGHTING)), base.a * coverage);
#if LIGHT
    overlay = vec4(1.0, 0.0, 0.0, color.a);
#endif
#else
    color = vec4(stored(sum), base.a);
#if LIGHT
    overlay = vec4(unshadowed, 1.0, 0.0, color.a);
#endif
#endif
}
