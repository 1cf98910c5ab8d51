// SPDX-License-Identifier: MIT
#include "film/file_contents.h"

#include <string.h>
#include <strings.h>

#include "film/credits.h"
#include "media/picture.h"

typedef ARENA_LIST(SinkTag) TagList;

static SinkTag *find_tag(const TagList *tags, const char *key)
{
    for (size_t i = 0; i < tags->count; i++)
        if (!strcasecmp(tags->items[i].key, key)) /* as libavformat compares keys */
            return &tags->items[i];
    return NULL;
}

/* The last value of a key counts. */
static void add_tag(TagList *tags, const char *key, const char *value, Arena *arena)
{
    SinkTag *old = find_tag(tags, key);
    *(old ? old : arena_push(arena, tags)) = (SinkTag){key, value};
}

/* Credits follow a comment of the job. */
static void add_credits(TagList *tags, const Film *film, Arena *arena)
{
    const SinkTag *comment = find_tag(tags, "comment");
    const char *credits = credits_text(film, arena);
    add_tag(tags, comment ? comment->key : "comment",
            comment && *comment->value ? arena_printf(arena, "%s\n%s", comment->value, credits)
                                       : credits,
            arena);
}

static void load_tags(SinkContents *contents, const Film *film, Arena *arena)
{
    const Job *job = film->job;
    TagList tags = {0};
    add_tag(&tags, "title", job->name, arena);
    for (size_t i = 0; i < job->metadata_count; i++)
        add_tag(&tags, job->metadata[i].from, job->metadata[i].to, arena);
    if (film->credits.count)
        add_credits(&tags, film, arena);
    contents->tags = tags.items;
    contents->tag_count = tags.count;
}

/* Those that begin in the film, which may be a part of all frames. */
static void load_chapters(SinkContents *contents, const Film *film, Arena *arena)
{
    const Job *job = film->job;
    const double frame_s = (double)job->render.fps.den / job->render.fps.num;
    const double start_s = (double)film->frames.items[0].first * frame_s;
    const double length_s = (double)film->frame_count * frame_s;
    SinkChapter *chapters = arena_array(arena, SinkChapter, job->chapter_count);
    contents->chapters = chapters;
    for (size_t i = 0; i < job->chapter_count; i++) {
        const double time_s = job->chapters[i].time_s - start_s;
        if (time_s >= 0 && time_s < length_s)
            chapters[contents->chapter_count++] = (SinkChapter){time_s, job->chapters[i].title};
    }
}

static bool load_cover(SinkContents *contents, const Job *job, Arena *arena, Diag *diag)
{
    enum { MAX_SIZE = 8 << 20, MAX_SIDE = 8192 };
    int64_t width, height;
    Bytes bytes;
    if (!job->cover)
        return true;
    diag_file(diag, job->cover);
    bool good = file_load(&bytes, job->cover, MAX_SIZE, arena, diag);
    if (good) {
        const bool png = bytes.size > 8 && !memcmp(bytes.data, "\x89PNG", 4);
        const bool jpeg = bytes.size > 8 && !memcmp(bytes.data, "\xFF\xD8\xFF", 3);
        good = (png || jpeg) && picture_size(&width, &height, bytes) && width <= MAX_SIDE &&
               height <= MAX_SIDE;
        if (good)
            contents->cover = (SinkCover){bytes.data, bytes.size, jpeg, (int)width, (int)height};
        else
            diag_error(diag, "a cover is a PNG or JPEG picture of at most %d x %d pixels", MAX_SIDE,
                       MAX_SIDE);
    }
    diag_file(diag, NULL);
    return good;
}

bool film_load_contents(SinkContents *contents, const Film *film, Arena *arena, Diag *diag)
{
    contents->projection = film->render.panorama.projection;
    contents->stereo = film->render.panorama.stereo;
    load_tags(contents, film, arena);
    load_chapters(contents, film, arena);
    return load_cover(contents, film->job, arena, diag);
}
