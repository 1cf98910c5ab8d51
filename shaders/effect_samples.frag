// SPDX-License-Identifier: MIT
// The samples of the scene, averaged by the filter of render/README.md 10, for post-effects
// (render/effects/README.md 4).

layout(binding = 0) uniform sampler2D u_samples;
layout(location = 0) uniform int u_scale; // samples per pixel in each direction

layout(location = 0) out vec4 color;

float weight(int i)
{
    return i < 0 || i == u_scale ? 1.0 : 3.0;
}

void main()
{
    ivec2 limit = textureSize(u_samples, 0) - 1;
    ivec2 first = ivec2(gl_FragCoord.xy) * u_scale;
    int beside = u_scale > 1 ? 1 : 0;
    float weights = 0.0;

    color = vec4(0.0);
    for (int y = -beside; y < u_scale + beside; y++)
        for (int x = -beside; x < u_scale + beside; x++) {
            float w = weight(x) * weight(y);

            color += w * texelFetch(u_samples, clamp(first + ivec2(x, y), ivec2(0), limit), 0);
            weights += w;
        }
    color /= weights;
}
