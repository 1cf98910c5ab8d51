// SPDX-License-Identifier: MIT
// A bit for the slice of a surface, and one for the slice that is nearest to it, so that surfaces that
// continue in it have no gap; the framebuffer combines bits by OR.

in float slice;

layout(location = 0) out vec4 color;

vec4 bit(int number)
{
    return vec4(equal(ivec4(number >> 3), ivec4(0, 1, 2, 3))) * (float(1 << (number & 7)) / 255.0);
}

void main()
{
    int own = clamp(int(slice), 0, 31);
    int other = clamp(int(floor(slice - 0.5)) == own ? own + 1 : own - 1, 0, 31);
    color = other == own ? bit(own) : bit(own) + bit(other);
}
