// SPDX-License-Identifier: MIT
// Moves a vertex by its bones, in model space (render/README.md 4).  Transform feedback writes the result
// to a buffer once per frame; every pass draws from it.
//
// DEFORM: 0 BDEF1, 1 BDEF2, 2 BDEF4, 3 SDEF, 4 QDEF, as in the file.

layout(location = 0) in vec3 in_position; // after morphs
layout(location = 1) in vec3 in_normal;
layout(location = 2) in uvec4 in_bones;
layout(location = 3) in vec4 in_weights;
#if DEFORM == 3
layout(location = 4) in vec3 in_center; // C
layout(location = 5) in vec3 in_c0;     // (C + r0') / 2
layout(location = 6) in vec3 in_c1;     // (C + r1') / 2
#endif

// Three texels per bone: rotation, current position, rest position.
layout(binding = 0) uniform samplerBuffer u_bones;

out vec3 skinned_position;
out vec3 skinned_normal;

struct Bone {
    vec4 q;
    vec3 p, o;
};

Bone bone(uint index)
{
    int at = 3 * int(index);
    return Bone(texelFetch(u_bones, at), texelFetch(u_bones, at + 1).xyz,
                texelFetch(u_bones, at + 2).xyz);
}

vec3 rotate(vec4 q, vec3 v)
{
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

vec3 transform(Bone b, vec3 v)
{
    return rotate(b.q, v - b.o) + b.p;
}

#if DEFORM == 3
// Arc cosine for 0 <= x <= 1 with error 2e-8 (Abramowitz and Stegun 4.4.46); GLSL allows 1e-4.
float arc_cosine(float x)
{
    float p = -0.0012624911;
    p = p * x + 0.0066700901;
    p = p * x - 0.0170881256;
    p = p * x + 0.0308918810;
    p = p * x - 0.0501743046;
    p = p * x + 0.0889789874;
    p = p * x - 0.2145988016;
    p = p * x + 1.5707963050;
    return p * sqrt(max(1.0 - x, 0.0));
}

vec4 slerp(vec4 a, vec4 b, float t)
{
    float d = dot(a, b);
    b = d < 0.0 ? -b : b;
    d = min(abs(d), 1.0);
    float angle = arc_cosine(d);
    bool straight = d > 0.9999;
    float u = straight ? 1.0 - t : sin((1.0 - t) * angle);
    float v = straight ? t : sin(t * angle);
    return normalize(u * a + v * b);
}
#endif

#if DEFORM == 4
vec4 product(vec4 a, vec4 b)
{
    return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

void add_dual(inout vec4 real, inout vec4 dual, vec4 first, uint index, float weight)
{
    Bone b = bone(index);
    vec3 t = b.p - rotate(b.q, b.o);
    float w = dot(b.q, first) < 0.0 ? -weight : weight;
    real += w * b.q;
    dual += w * 0.5 * product(vec4(t, 0.0), b.q);
}
#endif

void main()
{
    vec3 position, normal;
#if DEFORM == 0
    Bone b = bone(in_bones.x);
    position = transform(b, in_position);
    normal = rotate(b.q, in_normal);
#elif DEFORM == 1
    Bone a = bone(in_bones.x), b = bone(in_bones.y);
    position = in_weights.x * transform(a, in_position) + in_weights.y * transform(b, in_position);
    normal = in_weights.x * rotate(a.q, in_normal) + in_weights.y * rotate(b.q, in_normal);
#elif DEFORM == 2
    Bone a = bone(in_bones.x), b = bone(in_bones.y), c = bone(in_bones.z), d = bone(in_bones.w);
    position = in_weights.x * transform(a, in_position) + in_weights.y * transform(b, in_position) +
               in_weights.z * transform(c, in_position) + in_weights.w * transform(d, in_position);
    normal = in_weights.x * rotate(a.q, in_normal) + in_weights.y * rotate(b.q, in_normal) +
             in_weights.z * rotate(c.q, in_normal) + in_weights.w * rotate(d.q, in_normal);
#elif DEFORM == 3
    Bone a = bone(in_bones.x), b = bone(in_bones.y);
    vec4 q = slerp(a.q, b.q, in_weights.y);
    position = rotate(q, in_position - in_center) + in_weights.x * transform(a, in_c0) +
               in_weights.y * transform(b, in_c1);
    normal = rotate(q, in_normal);
#else
    vec4 first = bone(in_bones.x).q, real = vec4(0.0), dual = vec4(0.0);
    add_dual(real, dual, first, in_bones.x, in_weights.x);
    add_dual(real, dual, first, in_bones.y, in_weights.y);
    add_dual(real, dual, first, in_bones.z, in_weights.z);
    add_dual(real, dual, first, in_bones.w, in_weights.w);
    float size = max(length(real), 1e-20); // 0 if opposite rotations cancel; the vertex then keeps its position
    real /= size;
    dual /= size;
    position = rotate(real, in_position) + 2.0 * product(dual, vec4(-real.xyz, real.w)).xyz;
    normal = rotate(real, in_normal);
#endif
    skinned_position = position;
    skinned_normal = normal * inversesqrt(max(dot(normal, normal), 1e-30));
}
