// SPDX-License-Identifier: MIT
// Depth, material, normal and motion of the nearest surface that is at least half opaque; labels of a
// surface at as many of the samples of a pixel as it is opaque (render/README.md 14).
//
// TEXTURE: of the material, may be transparent.  DEPTH, ID, NORMAL, MOTION, LABEL: the values that are wanted.

layout(location = 1) uniform uint u_id;
layout(location = 2) uniform float u_alpha; // of the material, after morphs
layout(location = 3) uniform vec3 u_right;  // of the view, in world space
layout(location = 4) uniform vec3 u_up;
layout(location = 5) uniform vec2 u_size; // of the surface, pixels
layout(location = 8) uniform uint u_side; // samples of a pixel in each direction, for labels
layout(binding = 0) uniform sampler2D u_texture;

#if DEPTH
in float depth;
#endif
#if NORMAL
in vec3 normal;
#endif
#if TEXTURE
in vec2 uv;
#endif
#if MOTION
in vec3 now, before, after; // x, y, w of the clip space of three frames
#endif

#if DEPTH
layout(location = 0) out float out_depth;
#endif
#if ID
layout(location = 1) out uint out_id;
#endif
#if NORMAL
layout(location = 2) out vec4 out_normal;
layout(location = 3) out vec4 out_world_normal;
#endif
#if MOTION
layout(location = 4) out vec4 out_motion;
#endif
#if LABEL
layout(location = 5) out uint out_label;
#endif

#if MOTION
// Pixels, y up; 0 for a place behind the eye.
vec2 offset(vec3 from, vec3 to)
{
    if (from.z <= 0.0 || to.z <= 0.0)
        return vec2(0.0);
    return (to.xy / to.z - from.xy / from.z) * 0.5 * u_size;
}
#endif

void main()
{
#if TEXTURE
    float limit = 0.5;
#if LABEL
    // Another order for each material: what is behind a half is seen at half of the rest.
    uvec2 at = uvec2(gl_FragCoord.xy) % u_side;
    uint samples = u_side * u_side;
    limit = (float(((at.y * u_side + at.x) * 7u + u_id) % samples) + 0.5) / float(samples);
#endif
    if (texture(u_texture, uv).a * u_alpha < limit)
        discard;
#endif
#if DEPTH
    out_depth = depth;
#endif
#if ID
    out_id = u_id;
#endif
#if LABEL
    out_label = u_id;
#endif
#if NORMAL
    vec3 n = normalize(normal);
    if (!gl_FrontFacing)
        n = -n;
    out_normal = vec4(0.5 * n + 0.5, 1.0);
    out_world_normal = vec4(n.x * u_right + n.y * u_up - n.z * cross(u_right, u_up), 1.0);
#endif
#if MOTION
    out_motion = vec4(offset(now, before), offset(after, now));
#endif
}
