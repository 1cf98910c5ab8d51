// SPDX-License-Identifier: MIT
#include "inspect/comparison/frame_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/name_pattern.h"
#include "base/path.h"
#include "base/text.h"
#include "format/file_kind.h"
#include "media/picture.h"

enum { THREADS = 4 };

typedef struct Entry {
    const char *file; /* first, for text_compare */
    int64_t number;   /* -1 if the name has none */
} Entry;

struct FrameSource {
    Arena *arena, *image_arena; /* image_arena: the frame that was read last */
    const char *name;
    VideoReader *reader; /* reader of a video; NULL for image files */
    ARENA_LIST(Entry) entries;
    VideoInfo info;
    bool numbered, is_exr;
    size_t next;
    ExrImage exr;
    Frame frame;
};

static bool is_exr_name(const char *name)
{
    return file_kind_of_name(name) == FILE_EXR;
}

/* ---- list of files ---- */

/* The last digits before the extension: "a2-00012.png" is 12. */
static int64_t number_of(const char *name)
{
    const char *end = strrchr(name, '.');
    if (!end)
        end = name + strlen(name);
    const char *start = end;
    while (start > name && start[-1] >= '0' && start[-1] <= '9')
        start--;
    return end > start && end - start <= 18 ? strtoll(start, NULL, 10) : -1;
}

static int compare_numbers(const void *a, const void *b)
{
    const Entry *left = a, *right = b;
    if (left->number != right->number)
        return left->number < right->number ? -1 : 1;
    return strcmp(left->file, right->file);
}

static bool matches_pattern(const char *pattern, const char *name)
{
    return pattern ? name_pattern_match(pattern, name) == strlen(name)
                   : file_kind_serves(name, FILE_AS_FRAME);
}

static bool list_directory(FrameSource *s, const char *directory, const char *pattern, Diag *diag)
{
    DIR *list = path_open_directory(*directory ? directory : ".");
    if (!list)
        return diag_fail(diag, diag_errno_kind(errno, DIAG_MISSING), "%s: cannot open: %s",
                         directory, strerror(errno));
    s->numbered = true;
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;) {
        if (entry->d_name[0] == '.' || !matches_pattern(pattern, entry->d_name))
            continue;
        const int64_t number = number_of(entry->d_name);
        const char *file = *directory ? arena_printf(s->arena, "%s/%s", directory, entry->d_name)
                                      : arena_strdup(s->arena, entry->d_name);
        s->numbered &= number >= 0;
        *arena_push(s->arena, &s->entries) = (Entry){file, number};
    }
    closedir(list);
    if (!s->entries.count)
        return diag_fail(diag, DIAG_MISSING, "%s: no images found", *directory ? directory : ".");
    qsort(s->entries.items, s->entries.count, sizeof *s->entries.items, compare_numbers);
    for (size_t i = 1; i < s->entries.count; i++)
        s->numbered &= s->entries.items[i].number != s->entries.items[i - 1].number;
    if (!s->numbered)
        qsort(s->entries.items, s->entries.count, sizeof *s->entries.items, text_compare);
    size_t exr = 0;
    for (size_t i = 0; i < s->entries.count; i++)
        exr += is_exr_name(s->entries.items[i].file);
    s->is_exr = exr > 0;
    return exr == 0 || exr == s->entries.count ||
           diag_fail(diag, DIAG_USAGE,
                     "%s: contains .exr files and other images; choose some by a pattern such as "
                     "%%05d.exr",
                     *directory ? directory : ".");
}

static const char *strip_slashes(const char *directory, Arena *arena)
{
    size_t length = strlen(directory);
    while (length > 1 && directory[length - 1] == '/')
        length--;
    return arena_strndup(arena, directory, length);
}

static bool open_source(FrameSource *s, const char *name, Diag *diag)
{
    struct stat st;
    const bool exists = stat(name, &st) == 0;
    if (!exists && name_pattern_has_number(name))
        return list_directory(s, strip_slashes(path_directory(name, s->arena), s->arena),
                              path_name(name), diag);
    if (exists && S_ISDIR(st.st_mode))
        return list_directory(s, strip_slashes(name, s->arena), NULL, diag);
    if (file_kind_serves(name, FILE_AS_FRAME) &&
        !text_equal_ignoring_case(path_extension(name), "gif")) {
        *arena_push(s->arena, &s->entries) = (Entry){arena_strdup(s->arena, name), 0};
        s->is_exr = is_exr_name(name);
        return true;
    }
    s->reader = video_reader_open(name, THREADS, diag);
    return s->reader != NULL;
}

FrameSource *frame_source_open(const char *name, Diag *diag)
{
    Arena *arena = arena_create();
    FrameSource *s = arena_array(arena, FrameSource, 1);
    *s = (FrameSource){.arena = arena, .image_arena = arena_create(), .name = name};
    const bool found = open_source(s, name, diag);
    diag_file(diag, NULL);
    if (found)
        return s;
    frame_source_close(s);
    return NULL;
}

void frame_source_close(FrameSource *source)
{
    if (!source)
        return;
    video_reader_close(source->reader);
    arena_destroy(source->image_arena);
    arena_destroy(source->arena);
}

bool frame_source_is_exr(const FrameSource *source)
{
    return source->is_exr;
}

bool frame_source_is_numbered(const FrameSource *source)
{
    return source->numbered;
}

const VideoInfo *frame_source_video(FrameSource *source)
{
    if (source->reader)
        source->info = video_reader_info(source->reader);
    return source->reader ? &source->info : NULL;
}

/* ---- reading ---- */

static bool read_file(FrameSource *s, const char *file, Diag *diag)
{
    Frame *f = &s->frame;
    Bytes bytes;
    arena_reset(s->image_arena);
    diag_file(diag, file);
    if (!file_load(&bytes, file, FILE_MAX_SIZE, s->image_arena, diag))
        return false;
    if (!s->is_exr)
        return picture_load_16(&f->image, &f->words, bytes, s->image_arena, diag);
    f->exr = &s->exr;
    return exr_read(&s->exr, bytes, s->image_arena, diag);
}

/* Reads the next frame, which is valid until the next call; *frame is NULL after the last. */
static bool next_frame(const Frame **frame, FrameSource *s, Diag *diag)
{
    bool found = s->reader || s->next < s->entries.count;
    *frame = NULL;
    s->frame = (Frame){.number = (int64_t)s->next};
    if (s->reader) {
        const Image *image = NULL;
        diag_file(diag, s->name);
        if (!video_reader_read(&image, s->reader, diag))
            return false;
        found = image != NULL;
        if (image)
            s->frame.image = *image;
    } else if (found) {
        if (s->numbered)
            s->frame.number = s->entries.items[s->next].number;
        if (!read_file(s, s->entries.items[s->next].file, diag))
            return false;
    }
    diag_file(diag, NULL);
    s->next += found;
    *frame = found ? &s->frame : NULL;
    return true;
}

bool frame_source_read(const Image **image, int64_t *number, FrameSource *s, Diag *diag)
{
    const Frame *frame;
    if (s->is_exr)
        return diag_fail(diag, DIAG_USAGE, "%s: .exr files can only be compared with .exr files",
                         s->name);
    if (!next_frame(&frame, s, diag))
        return false;
    *image = frame ? &frame->image : NULL;
    *number = s->frame.number;
    return true;
}

/* ---- pairs ---- */

FramePairs frame_source_pair(FrameSource *a, FrameSource *b, const volatile sig_atomic_t *stop)
{
    return (FramePairs){.source_a = a, .source_b = b, .stop = stop, .next_a = true, .next_b = true};
}

bool frame_source_next_pair(FramePairs *p, Diag *diag)
{
    const bool numbered =
        frame_source_is_numbered(p->source_a) && frame_source_is_numbered(p->source_b);
    do {
        if ((p->next_a && !next_frame(&p->a, p->source_a, diag)) ||
            (p->next_b && !next_frame(&p->b, p->source_b, diag)) || (p->stop && *p->stop))
            return false;
        /* The frames of the smaller number are read next, or both. */
        p->next_a = p->a && (!p->b || !numbered || p->a->number <= p->b->number);
        p->next_b = p->b && (!p->a || !numbered || p->b->number <= p->a->number);
        p->only_a += p->next_a && !p->next_b;
        p->only_b += p->next_b && !p->next_a;
    } while (p->next_a != p->next_b);
    return true;
}
