// Depth, material, normal and motion of the nearest surface that is at least half opaque
// (render/README.md 14).
//
// TEXTURE: of the material, may be transparent.  DEPTH, ID, NORMAL, MOTION, LABEL: the values that are wanted.

layout(location = 1) uniform uint u_id;
layout(location = 2) uniform float u_alpha; // of the material, after morphs
layout(location = 3) uniform vec3 u_right;  // of the view, in world space
layout(location = 4) uniform vec3 u_up;
layout(location = 5) uniform vec2 u_size; // of the surface, pixels
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
    if (texture(u_texture, uv).a * u_alpha < 0.5)
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
