/*
 * number.h - numbers as HLSL writes them
 */
#pragma once

#include <stdbool.h>

typedef struct Number {
    double value;  /* finite */
    bool is_float; /* it has a point, an exponent or the suffix f or h */
} Number;

/* "12", "0x1F", "017", "1.5f", "1e-3", "3u"; false if it is none. */
bool number_parse(Number *out, const char *text);
