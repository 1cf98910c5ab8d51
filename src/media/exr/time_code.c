// SPDX-License-Identifier: MIT
#include "media/exr/time_code.h"

enum { DROP_FRAME = 1 << 6, FIELD = 1 << 15, MAX_RATE = 30, HOURS = 24 };

/* The whole rate by which frames are numbered; 0 if there is none.  *drops: numbers are dropped. */
static int nominal_rate(bool *drops, int num, int den)
{
    int rate = 0;
    if (den > 0 && num % den == 0)
        rate = num / den;
    else if (den == 1001 && num % 1000 == 0)
        rate = num / 1000;
    *drops = den == 1001 && rate % 30 == 0;
    return rate <= MAX_RATE ? rate : rate <= 2 * MAX_RATE && rate % 2 == 0 ? rate : 0;
}

/* The first two numbers of each minute but every tenth do not exist. */
static int64_t with_dropped_numbers(int64_t frame)
{
    enum { MINUTE = 60 * 30 - 2, TEN_MINUTES = 10 * MINUTE + 2 };
    const int64_t tens = frame / TEN_MINUTES, rest = frame % TEN_MINUTES;
    return frame + 18 * tens + (rest >= 2 ? 2 * ((rest - 2) / MINUTE) : 0);
}

/* Two decimal digits, four bits each. */
static uint32_t digits(int64_t value)
{
    return (uint32_t)(value / 10 << 4 | value % 10);
}

bool time_code_of(uint32_t *out, int64_t frame, int fps_num, int fps_den)
{
    bool drops;
    int rate = nominal_rate(&drops, fps_num, fps_den);
    const bool pairs = rate > MAX_RATE;
    if (rate < 1 || frame < 0)
        return false;
    *out = (drops ? DROP_FRAME : 0) | (pairs && frame % 2 ? FIELD : 0);
    if (pairs) {
        rate /= 2;
        frame /= 2;
    }
    if (drops)
        frame = with_dropped_numbers(frame);
    const int64_t seconds = frame / rate;
    *out |= digits(frame % rate) | digits(seconds % 60) << 8 | digits(seconds / 60 % 60) << 16 |
            digits(seconds / 3600 % HOURS) << 24;
    return true;
}
