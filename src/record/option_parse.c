// SPDX-License-Identifier: MIT
#include "record/option_parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

enum { MAX_RANGES = 10000, MAX_TIME_SIZE = 24 /* characters of a number */ };

/* Output frames; a time in decimals that is meant to be that of a frame is not rounded away. */
static const double ROUNDING = 1e-6;

/* ---- rates ---- */

static int greatest_divisor(int a, int b)
{
    while (b) {
        const int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool set_rate(Rational *out, int64_t num, int64_t den)
{
    if (num <= 0 || den <= 0 || num > 100000000 || den > 100000000)
        return false;
    const int common = greatest_divisor((int)num, (int)den);
    *out = (Rational){(int)num / common, (int)den / common};
    return true;
}

static bool parse_fraction(Rational *out, const char *text, const char *slash)
{
    char left[16];
    int64_t num, den;
    if ((size_t)(slash - text) >= sizeof left)
        return false;
    snprintf(left, sizeof left, "%.*s", (int)(slash - text), text);
    return text_to_int64(&num, left) && text_to_int64(&den, slash + 1) && set_rate(out, num, den);
}

bool option_parse_rate(Rational *out, const char *text)
{
    /* The usual rounded forms of the NTSC rates, in thousandths over 1001. */
    static const struct {
        const char *text;
        int num;
    } ntsc[] = {{"23.976", 24000}, {"23.98", 24000}, {"29.97", 30000},
                {"47.952", 48000}, {"59.94", 60000}, {"119.88", 120000}};
    const char *slash = strchr(text, '/');
    double value;

    for (size_t i = 0; i < sizeof ntsc / sizeof *ntsc; i++)
        if (!strcmp(text, ntsc[i].text))
            return set_rate(out, ntsc[i].num, 1001);
    if (slash)
        return parse_fraction(out, text, slash);
    return text_to_double(&value, text) && value > 0 && value < 1e5 &&
           set_rate(out, llround(value * 1000), 1000);
}

/* ---- frames ---- */

/* Minutes and seconds, or hours, minutes and seconds: 0:05, 1:02:03.5 */
static bool parse_clock(double *out, const char *text)
{
    const char *at = text;
    *out = 0;
    for (int parts = 1;; parts++, at++) {
        char number[MAX_TIME_SIZE + 1];
        double value;
        const size_t size = strcspn(at, ":");
        snprintf(number, sizeof number, "%.*s", (int)size, at);
        if (!size || number[strspn(number, at[size] ? "0123456789" : "0123456789.")] ||
            !text_to_double(&value, number) || (parts > 1 && value >= 60))
            return false;
        *out = *out * 60 + value;
        at += size;
        if (!*at)
            return parts > 1 && parts <= 3 && *out <= OUTPUT_FRAME_MAX;
    }
}

bool option_parse_frame_time(FrameTime *out, const char *text, size_t size, FrameUnit unit)
{
    char number[MAX_TIME_SIZE + 1];
    if (size && text[0] == 'm') {
        unit = FRAME_MOTION;
        text++, size--;
    } else if (size && text[size - 1] == 's') {
        unit = FRAME_SECONDS;
        size--;
    }
    if (!size || size > MAX_TIME_SIZE)
        return false;
    memcpy(number, text, size);
    number[size] = '\0';
    if (unit != FRAME_MOTION && strchr(number, ':')) {
        out->unit = FRAME_SECONDS;
        return parse_clock(&out->value, number);
    }
    out->unit = unit;
    return !number[strspn(number, "0123456789.")] && text_to_double(&out->value, number) &&
           out->value <= OUTPUT_FRAME_MAX;
}

double frame_time_motion(FrameTime time, Rational fps)
{
    return time.unit == FRAME_OUTPUT   ? time.value * MOTION_FPS * fps.den / fps.num
           : time.unit == FRAME_MOTION ? time.value
                                       : time.value * MOTION_FPS;
}

/* The output frame as a number that may be fractional. */
static double output_frame(FrameTime time, Rational fps)
{
    return time.unit == FRAME_OUTPUT   ? time.value
           : time.unit == FRAME_MOTION ? time.value * fps.num / ((double)MOTION_FPS * fps.den)
                                       : time.value * fps.num / fps.den;
}

int64_t frame_time_output(FrameTime time, Rational fps)
{
    return (int64_t)ceil(output_frame(time, fps) - ROUNDING);
}

/* The last output frame of a range that ends at a time: a second is a moment, of which only the
 * frames before it belong to the range; frames belong to it. */
static int64_t last_output(FrameTime time, Rational fps)
{
    return time.unit == FRAME_SECONDS ? frame_time_output(time, fps) - 1
                                      : (int64_t)floor(output_frame(time, fps) + ROUNDING);
}

static bool is_whole(FrameTime time)
{
    return time.unit != FRAME_OUTPUT || time.value == floor(time.value);
}

static bool parse_range(FrameRange *out, const char *text, size_t size, Rational fps)
{
    const char *end = text;
    while (end < text + size && *end != '-' && *end != '+')
        end++;
    const size_t left = (size_t)(end - text);
    FrameTime first, last;
    if (!option_parse_frame_time(&first, text, left, FRAME_OUTPUT) || !is_whole(first))
        return false;
    out->first = out->last = frame_time_output(first, fps);
    if (left == size)
        return out->first <= OUTPUT_FRAME_MAX;
    if (left + 1 == size && *end == '-') {
        out->last = FRAME_RANGE_END;
        return out->first <= OUTPUT_FRAME_MAX;
    }
    if (!option_parse_frame_time(&last, end + 1, size - left - 1, first.unit) || !is_whole(last))
        return false;
    if (*end == '+') {
        last.value += first.value;
        out->last = last.unit == first.unit ? frame_time_output(last, fps) - 1 : -1;
    } else {
        out->last = last_output(last, fps);
    }
    return out->last <= OUTPUT_FRAME_MAX;
}

bool option_parse_frames(FrameRanges *out, const char *text, Rational fps, Arena *arena)
{
    ARENA_LIST(FrameRange) ranges = {0};
    int64_t end = -1;

    *out = (FrameRanges){0};
    if (!strcmp(text, "all"))
        return true;
    for (const char *at = text;; at++) {
        FrameRange range;
        const size_t size = strcspn(at, ",");
        if (!parse_range(&range, at, size, fps) || range.first <= end || range.last < range.first ||
            ranges.count == MAX_RANGES)
            return false;
        end = range.last;
        *arena_push(arena, &ranges) = range;
        at += size;
        if (!*at)
            break;
        at += strspn(at + 1, " ");
    }
    *out = (FrameRanges){ranges.items, ranges.count};
    return true;
}

/* ---- colors ---- */

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

bool option_parse_color(double out[3], const char *text)
{
    if (text[0] != '#' || strlen(text) != 7)
        return false;
    for (size_t i = 0; i < 3; i++) {
        const int high = hex_digit(text[1 + 2 * i]), low = hex_digit(text[2 + 2 * i]);
        if (high < 0 || low < 0)
            return false;
        out[i] = (high * 16 + low) / 255.0;
    }
    return true;
}

/* ---- cuts ---- */

bool option_parse_cuts(double *out, const char *text)
{
    char number[32];
    const size_t length = strlen(text);
    const bool word = !strcmp(text, "none") || !strcmp(text, "auto");
    if (word || !length || length >= sizeof number) {
        *out = text[0] == 'a' ? -1 : 0;
        return word;
    }
    memcpy(number, text, length + 1);
    if (number[length - 1] == 's')
        number[length - 1] = '\0';
    return text_to_double(out, number) && *out > 0;
}
