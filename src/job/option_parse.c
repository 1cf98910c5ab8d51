#include "job/option_parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { MAX_RANGES = 10000, MAX_FRAME_DIGITS = 8 }; /* JOB_MAX_FRAME has 8 digits */

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

static bool set_rate(JobRational *out, int64_t num, int64_t den)
{
    if (num <= 0 || den <= 0 || num > 100000000 || den > 100000000)
        return false;
    const int common = greatest_divisor((int)num, (int)den);
    *out = (JobRational){(int)num / common, (int)den / common};
    return true;
}

static bool parse_fraction(JobRational *out, const char *text, const char *slash)
{
    char left[16];
    int64_t num, den;
    if ((size_t)(slash - text) >= sizeof left)
        return false;
    snprintf(left, sizeof left, "%.*s", (int)(slash - text), text);
    return text_to_int64(&num, left) && text_to_int64(&den, slash + 1) && set_rate(out, num, den);
}

bool option_parse_rate(JobRational *out, const char *text)
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

/* Returns the end of the number, or NULL. */
static const char *parse_frame(int64_t *out, const char *at)
{
    const size_t length = strspn(at, "0123456789");
    if (!length || length > MAX_FRAME_DIGITS)
        return NULL;
    *out = strtoll(at, NULL, 10);
    return at + length;
}

bool option_parse_frames(JobFrames *out, const char *text, Arena *arena)
{
    struct {
        JobRange *items;
        size_t count, capacity;
    } ranges = {0};
    int64_t end = -1;

    *out = (JobFrames){0};
    if (!strcmp(text, "all"))
        return true;
    for (const char *at = text;; at++) {
        JobRange range;
        at = parse_frame(&range.first, at);
        if (!at)
            return false;
        range.last = range.first;
        if (*at == '-')
            at = parse_frame(&range.last, at + 1);
        if (!at || range.first <= end || range.last < range.first || ranges.count == MAX_RANGES)
            return false;
        end = range.last;
        *arena_push(arena, &ranges) = range;
        if (!*at)
            break;
        if (*at != ',')
            return false;
        at += strspn(at + 1, " ");
    }
    *out = (JobFrames){ranges.items, ranges.count};
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
