// SPDX-License-Identifier: MIT
// The samples of the scene, averaged by the filter of render/README.md 10, for post-effects
// (render/effects/README.md 4).
//
// OWN, BESIDE, LINE_ALPHA: weights of samples, and the least alpha of opaque ones of outlines, 0..255
// (render/sample_filter.h).

layout(binding = 0) uniform sampler2D u_samples;
layout(location = 0) uniform int u_scale; // samples per pixel in each direction

layout(location = 0) out vec4 color;

float weight(int i)
{
    return float(i < 0 || i == u_scale ? BESIDE : OWN);
}

void main()
{
    ivec2 limit = textureSize(u_samples, 0) - 1;
    ivec2 first = ivec2(gl_FragCoord.xy) * u_scale;
    int beside = u_scale > 1 ? 1 : 0;
    float weights = 0.0;
    vec4 own = vec4(0.0), weighted = vec4(0.0);
    bool line = false;

    for (int y = -beside; y < u_scale + beside; y++)
        for (int x = -beside; x < u_scale + beside; x++) {
            bool is_own = min(x, y) >= 0 && max(x, y) < u_scale;
            float w = weight(x) * weight(y);
            vec4 c = texelFetch(u_samples, clamp(first + ivec2(x, y), ivec2(0), limit), 0);

            line = line || c.a > 0.002 && c.a < 0.998;
            c.a = c.a > float(LINE_ALPHA) / 255.0 - 0.002 ? max(c.a, 1.0) : c.a;
            own += is_own ? c : vec4(0.0);
            weighted += w * c;
            weights += w;
        }
    color = line && u_scale > 1 ? weighted / weights : own / float(u_scale * u_scale);
}
