// SPDX-License-Identifier: MIT
// Surface of a model: computes everything that is linear in the normal (render/README.md 5).  Directions
// and the eye are given in model space, so only the position is transformed.
//
// MTOON: for mtoon.frag, else for surface.frag.

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;
layout(location = 4) in vec4 in_extra; // additional UV 1
layout(location = 7) in vec4 in_map_uv; // of emission and occlusion

layout(std140, binding = 0) uniform Model {
    mat4 clip; // from model space
    vec4 light; // unit vector towards the light
    vec4 right, up; // of the view, unit vectors
    vec4 eye;
} model;

#if SHADOW
layout(std140, binding = 1) uniform Shadow {
    mat4 map; // from model space to texels and depth
    vec4 lookup;
    ivec4 texels;
} shadow;
out vec3 shadow_position;
#if SOFT
flat out vec4 shadow_lookup; // constant, as is the material: inputs are faster than uniforms
flat out ivec4 shadow_texels;
#endif
#endif
#if TEXTURE || MTOON
out vec2 uv;
#endif
#if SPHERE == 1 || SPHERE == 2
out vec2 sphere_uv;
#endif
#if SPHERE == 3 || VERTEX_COLOR
out vec4 extra;
#endif
#if MAPS
out vec4 map_uv;
#endif
#if TOON || TOON_STEP || LAMBERT
out float toon_v;
#endif
#if SPECULAR
out vec3 normal, half_vector;
#endif
#if MTOON
out vec3 normal, view; // view: towards the eye
#endif

#if !MTOON
layout(location = 0) uniform vec4 u_material[11];
flat out vec4 base_color;
#endif
#if SPECULAR
flat out vec4 specular;
#endif
#if LAMBERT
flat out vec3 lambert;
#endif
#if TOON_STEP
flat out vec4 toon_dark;
#if !SHADOW
flat out vec4 toon_lit;
#endif
#endif

invariant gl_Position; // as in depth.vert, to the last bit

void main()
{
#if !MTOON
    base_color = u_material[0];
#endif
#if SPECULAR
    specular = u_material[1];
#endif
#if LAMBERT
    lambert = u_material[8].rgb;
#endif
#if TOON_STEP
    toon_dark = u_material[10];
#if !SHADOW
    toon_lit = u_material[9];
#endif
#endif
    gl_Position = model.clip * vec4(in_position, 1.0);
#if SHADOW
    shadow_position = (shadow.map * vec4(in_position, 1.0)).xyz;
#if SOFT
    shadow_lookup = shadow.lookup;
    shadow_texels = shadow.texels;
#endif
#endif
#if TEXTURE || MTOON
    uv = in_uv;
#endif
#if SPHERE == 1 || SPHERE == 2
    sphere_uv = vec2(0.5 + 0.5 * dot(in_normal, model.right.xyz),
                     0.5 - 0.5 * dot(in_normal, model.up.xyz));
#endif
#if SPHERE == 3 || VERTEX_COLOR
    extra = in_extra;
#endif
#if MAPS
    map_uv = in_map_uv;
#endif
#if TOON || TOON_STEP || LAMBERT
    toon_v = 0.5 - 0.5 * dot(in_normal, model.light.xyz);
#endif
#if SPECULAR
    normal = in_normal;
    half_vector = normalize(normalize(model.eye.xyz - in_position) + model.light.xyz);
#endif
#if MTOON
    vec3 ray = model.eye.xyz - in_position;
    bool orthographic = (model.clip * vec4(ray, 0.0)).w == 0.0;
    normal = in_normal;
    view = orthographic ? cross(model.up.xyz, model.right.xyz) : ray;
#endif
}
