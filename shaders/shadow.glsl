// SPDX-License-Identifier: MIT
// The share of the light that reaches a surface, from the shadow map (render/README.md 8.1).
//
// SHADOW: there is one.  SOFT: with a filter wider than a texel.

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

#if SHADOW
// What lies behind the whole map is in the shadow of casters alone, not of where there are none.
float shadow_depth()
{
    return min(shadow_position.z, 1.0);
}
#endif

#if SHADOW && SOFT
vec4 light_behind(vec4 depths)
{
    return 1.0 - clamp((shadow_depth() - depths) * shadow_lookup.x - 0.3, 0.0, 1.0);
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
    vec4 behind = shadow_depth() - textureGather(u_shadow, corner * shadow.lookup.z);
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
