// SPDX-License-Identifier: MIT
#include "format/model/vac.h"

#include <math.h>
#include <string.h>

#include "base/encoding.h"
#include "base/parser_entry.h"
#include "base/text.h"
#include "format/model/pmx.h"

static const float MIN_SCALE = 1e-4f, MAX_SCALE = 1e4f;

typedef struct Lines {
    char *at; /* the next line; line ends before it are replaced by NUL */
    unsigned count;
} Lines;

/* The next line without surrounding blanks; "" after the last one. */
static char *next_line(Lines *lines)
{
    char *start = lines->at + strspn(lines->at, " \t\r"), *end = start + strcspn(start, "\n");
    lines->at = end + (*end == '\n');
    lines->count++;
    while (end > start && strchr(" \t\r", end[-1]))
        end--;
    *end = '\0';
    return start;
}

static bool parse_number(float *out, char *text)
{
    double value;
    text += strspn(text, " \t");
    text[strcspn(text, " \t")] = '\0';
    if (!text_to_double(&value, text) || !(fabs(value) <= PMX_MAX_VALUE))
        return false;
    *out = (float)value;
    return true;
}

/* "x,y,z" */
static bool parse_numbers(float *out, int count, char *text)
{
    for (int i = 0; i < count; i++) {
        char *comma = strchr(text, ',');
        if ((comma == NULL) != (i == count - 1))
            return false;
        if (comma)
            *comma = '\0';
        if (!parse_number(&out[i], text))
            return false;
        text = comma ? comma + 1 : text;
    }
    return true;
}

/* Parses the numbers of the next line; an empty line keeps the defaults. */
static bool read_number_line(float *out, int count, const char *what, Lines *lines, Diag *diag)
{
    char *line = next_line(lines);
    if (!*line || parse_numbers(out, count, line))
        return true;
    diag_line(diag, lines->count, 1);
    return diag_error(diag, "%s: expected %s", what,
                      count == 1 ? "a number" : "three numbers separated by commas");
}

bool vac_load(Vac *vac, Bytes bytes, Arena *arena, Diag *diag)
{
    parser_enter("vac");
    *vac = (Vac){.scale = 1.0f};
    Lines lines = {.at = encoding_decode_text(bytes.data, bytes.size, arena)};
    vac->name = next_line(&lines);
    vac->file = next_line(&lines);
    diag_line(diag, 2, 1);
    if (!*vac->file)
        return diag_error(diag, "expected the name of the .x file");
    if (!read_number_line(&vac->scale, 1, "scale", &lines, diag) ||
        !read_number_line(vac->position, 3, "position", &lines, diag) ||
        !read_number_line(vac->rotation_deg, 3, "rotation", &lines, diag))
        return false;
    vac->bone = next_line(&lines);
    diag_line(diag, 3, 1);
    if (!(vac->scale >= MIN_SCALE && vac->scale <= MAX_SCALE))
        return diag_error(diag, "scale: %g is out of range (%g..%g)", (double)vac->scale,
                          (double)MIN_SCALE, (double)MAX_SCALE);
    diag_line(diag, 0, 0);
    return true;
}
