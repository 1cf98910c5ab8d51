// SPDX-License-Identifier: MIT
#include "job/burn_in_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

typedef enum Field { FIELD_NONE, FIELD_NAME, FIELD_FRAME, FIELD_TIME } Field;

/* The field that begins at a brace, and its length in bytes; FIELD_NONE for an unknown one. */
static Field field_at(const char *text, size_t *size)
{
    static const char *const names[] = {
        [FIELD_NAME] = "{name}", [FIELD_FRAME] = "{frame}", [FIELD_TIME] = "{time}"};
    for (Field field = FIELD_NAME; field <= FIELD_TIME; field++) {
        *size = strlen(names[field]);
        if (!strncmp(text, names[field], *size))
            return field;
    }
    return FIELD_NONE;
}

static bool is_escaped_brace(const char *text)
{
    return (text[0] == '{' || text[0] == '}') && text[1] == text[0];
}

bool burn_in_text_check(const char *text, char *unknown, size_t size)
{
    size_t length;
    for (; *text; text += length) {
        length = is_escaped_brace(text) ? 2 : 1;
        if (*text != '{' || length == 2 || field_at(text, &length) != FIELD_NONE)
            continue;
        length = strcspn(text, "}");
        snprintf(unknown, size, "%.*s", (int)(length < size ? length : size) + 1, text);
        return false;
    }
    return true;
}

typedef struct Line { /* a text of at most BURN_IN_TEXT_SIZE - 1 bytes */
    char *text;
    size_t used;
} Line;

static void append(Line *line, const char *text, size_t size)
{
    const size_t left = BURN_IN_TEXT_SIZE - 1 - line->used;
    const size_t copied = size < left ? size : left;
    memcpy(line->text + line->used, text, copied);
    line->used += copied;
    line->text[line->used] = '\0';
}

static void append_field(Line *line, Field field, const Job *job, int64_t frame)
{
    const Rational fps = job->render.fps;
    const int64_t ms = (2 * frame * 1000 * fps.den + fps.num) / (2 * (int64_t)fps.num);
    char text[64];
    if (field == FIELD_NAME) {
        append(line, job->name, strlen(job->name));
        return;
    }
    const int size = field == FIELD_FRAME
                         ? snprintf(text, sizeof text, "%" PRId64, frame)
                         : snprintf(text, sizeof text, "%" PRId64 ":%02" PRId64 ".%03" PRId64,
                                    ms / 60000, ms / 1000 % 60, ms % 1000);
    append(line, text, (size_t)size);
}

/* Removes an incomplete UTF-8 character from the end of a truncated text. */
static void trim_incomplete_character(Line *line)
{
    while (line->used == BURN_IN_TEXT_SIZE - 1) {
        size_t last = line->used - 1;
        while (last && (line->text[last] & 0xC0) == 0x80)
            last--;
        utf8proc_int32_t character;
        const utf8proc_ssize_t left = (utf8proc_ssize_t)(line->used - last);
        if (utf8proc_iterate((const utf8proc_uint8_t *)line->text + last, left, &character) == left)
            return;
        line->text[line->used = last] = '\0';
    }
}

void burn_in_text(char out[BURN_IN_TEXT_SIZE], const Job *job, int64_t frame)
{
    Line line = {out, 0};
    size_t size;
    out[0] = '\0';
    for (const char *at = job->burn_in->text; *at; at += size) {
        const Field field = *at == '{' ? field_at(at, &size) : FIELD_NONE;
        if (field != FIELD_NONE) {
            append_field(&line, field, job, frame);
        } else {
            size = is_escaped_brace(at) ? 2 : 1;
            append(&line, at, 1);
        }
    }
    trim_incomplete_character(&line);
}
