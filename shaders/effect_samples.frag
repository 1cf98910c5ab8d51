// The samples of the scene, averaged by the filter of render/README.md 10, for post-effects
// (render/effects/README.md 4).

layout(binding = 0) uniform sampler2D u_samples;
layout(location = 0) uniform int u_scale; // samples per pixel in each direction

layout(location = 0) out vec4 color;

// Levels by which the two means differ at most where the first one counts, and half of those from
// which on the second one does.
const float FLAT = 6.0 / 255.0;

bool is_own(int i)
{
    return i >= 0 && i < u_scale;
}

void main()
{
    ivec2 limit = textureSize(u_samples, 0) - 1;
    ivec2 first = ivec2(gl_FragCoord.xy) * u_scale;
    int beside = u_scale > 1 ? 1 : 0;
    float weights = 0.0;
    vec4 own = vec4(0.0), all = vec4(0.0);

    for (int y = -beside; y < u_scale + beside; y++)
        for (int x = -beside; x < u_scale + beside; x++) {
            vec4 texel = texelFetch(u_samples, clamp(first + ivec2(x, y), ivec2(0), limit), 0);
            float w = (is_own(x) ? 3.0 : 1.0) * (is_own(y) ? 3.0 : 1.0);

            own += is_own(x) && is_own(y) ? texel : vec4(0.0);
            all += w * texel;
            weights += w;
        }
    own /= float(u_scale * u_scale);
    vec4 difference = all / weights - own, size = abs(difference);
    color = own + sign(difference) * clamp(2.0 * (size - FLAT), vec4(0.0), size);
}
