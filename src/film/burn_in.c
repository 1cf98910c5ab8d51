#include "film/burn_in.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

/* ---- the text ---- */

typedef enum Word { WORD_NONE, WORD_NAME, WORD_FRAME, WORD_TIME } Word;

/* What stands at a brace, and how many bytes of it; WORD_NONE when it is not ours. */
static Word word_at(const char *text, size_t *size)
{
    static const char *const words[] = {
        [WORD_NAME] = "{name}", [WORD_FRAME] = "{frame}", [WORD_TIME] = "{time}"};
    for (Word word = WORD_NAME; word <= WORD_TIME; word++) {
        *size = strlen(words[word]);
        if (!strncmp(text, words[word], *size))
            return word;
    }
    return WORD_NONE;
}

static bool is_pair(const char *text)
{
    return (text[0] == '{' || text[0] == '}') && text[1] == text[0];
}

bool burn_in_is_known(const char *text, char *word, size_t size)
{
    size_t length;
    for (; *text; text += length) {
        length = is_pair(text) ? 2 : 1;
        if (*text != '{' || length == 2 || word_at(text, &length) != WORD_NONE)
            continue;
        length = strcspn(text, "}");
        snprintf(word, size, "%.*s", (int)(length < size ? length : size) + 1, text);
        return false;
    }
    return true;
}

typedef struct Line { /* a text that grows until it is full */
    char *text;
    size_t used;
} Line;

static void add(Line *line, const char *text, size_t size)
{
    const size_t left = BURN_IN_TEXT_SIZE - 1 - line->used;
    const size_t taken = size < left ? size : left;
    memcpy(line->text + line->used, text, taken);
    line->used += taken;
    line->text[line->used] = '\0';
}

static void add_word(Line *line, Word word, const Job *job, int64_t frame)
{
    const JobRational fps = job->render.fps;
    const int64_t ms = (2 * frame * 1000 * fps.den + fps.num) / (2 * (int64_t)fps.num);
    char text[64];
    if (word == WORD_NAME) {
        add(line, job->name, strlen(job->name));
        return;
    }
    const int size = word == WORD_FRAME
                         ? snprintf(text, sizeof text, "%" PRId64, frame)
                         : snprintf(text, sizeof text, "%" PRId64 ":%02" PRId64 ".%03" PRId64,
                                    ms / 60000, ms / 1000 % 60, ms % 1000);
    add(line, text, (size_t)size);
}

/* A text that was cut ends with a whole character. */
static void end_whole(Line *line)
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
        const Word word = *at == '{' ? word_at(at, &size) : WORD_NONE;
        if (word != WORD_NONE) {
            add_word(&line, word, job, frame);
        } else {
            size = is_pair(at) ? 2 : 1;
            add(&line, at, 1);
        }
    }
    end_whole(&line);
}

/* ---- its letters ---- */

/* A text of this frame has room: the same for any part of the film, so that each picture has
 * letters of the size it has in the whole. */
enum { ROOM_FRAME = 99999 };

Caption *burn_in_caption(const Film *film, Arena *arena, Diag *diag)
{
    const JobBurnIn *burn_in = film->job->burn_in;
    char longest[BURN_IN_TEXT_SIZE];

    assert(burn_in);
    burn_in_text(longest, film->job, ROOM_FRAME);
    const CaptionSpec spec = {.font = film->burn_in_font,
                              .corner = (CaptionCorner)burn_in->corner,
                              .longest = longest,
                              .width = film->render.width,
                              .height = film->render.height};
    diag_file(diag, burn_in->font);
    Caption *caption = caption_create(&spec, arena, diag);
    diag_file(diag, NULL);
    return caption;
}

static bool tell_missing(const Film *film, const Caption *caption, Diag *diag)
{
    uint32_t first;
    utf8proc_uint8_t text[5] = {0};
    const size_t count = caption_missing(caption, &first);
    if (!count)
        return true;
    utf8proc_encode_char((utf8proc_int32_t)first, text);
    return diag_warn(
        diag, "burn_in: %zu character%s not in %s, e.g. U+%04" PRIX32 " '%s': drawn as %s%s", count,
        count == 1 ? " is" : "s are", film->burn_in_font.data ? "the font" : "the built-in letters",
        first, (const char *)text, count == 1 ? "a box" : "boxes",
        film->burn_in_font.data ? "" : "; burn_in.font names a font file");
}

bool burn_in_load(Film *film, Arena *arena, Diag *diag)
{
    const JobBurnIn *burn_in = film->job->burn_in;
    if (!burn_in)
        return true;
    diag_file(diag, burn_in->font);
    if (burn_in->font && !file_load(&film->burn_in_font, burn_in->font, FILE_MAX_SIZE, arena, diag))
        return false;
    Arena *scratch = arena_create();
    const Caption *caption = burn_in_caption(film, scratch, diag);
    diag_file(diag, film->job->file);
    const bool ok = caption && tell_missing(film, caption, diag);
    diag_file(diag, NULL);
    arena_destroy(scratch);
    return ok;
}
