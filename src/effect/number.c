// SPDX-License-Identifier: MIT
#include "effect/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { MAX_DIGITS = 64 };

bool number_parse(Number *out, const char *text)
{
    char digits[MAX_DIGITS + 1];
    char *end;
    const bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    size_t size = is_hex ? strspn(text, "0123456789abcdefABCDEFxX") : strcspn(text, "fFhHlLuU");
    if (size == 0 || size > MAX_DIGITS || text[size + strspn(text + size, "fFhHlLuU")])
        return false;
    memcpy(digits, text, size);
    digits[size] = '\0';
    out->is_float = !is_hex && (strpbrk(digits, ".eE") || strpbrk(text + size, "fFhH"));
    if (is_hex || (!out->is_float && digits[0] == '0' && size > 1)) {
        out->value = (double)strtoull(digits, &end, is_hex ? 16 : 8);
        return *end == '\0' && out->value <= 0xFFFFFFFFu;
    }
    return text_to_double(&out->value, digits);
}

uint32_t number_bits(double value)
{
    return (uint32_t)(int64_t)fmin(fmax(value, -0x1p31), 0x1p32 - 1);
}
