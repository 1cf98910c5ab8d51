// SPDX-License-Identifier: MIT
/*
 * file_kind.h - the kinds of files: their names, first bytes and uses
 *
 * One table says for each kind by which extensions and first bytes it is recognized, what it may be
 * used as, and where such a file belongs, for messages about one that was given in a wrong place.
 * Constant data; nothing is reported here.
 */
#pragma once

#include "base/file.h"

/* By file_kind.inc. */
#define KIND(id, ...) FILE_##id,
#define MODEL(load, id, ...) FILE_##id,
#define SCENE(load, id, ...) FILE_##id,
#define MOTION(load, id, ...) FILE_##id,
typedef enum FileKind {
    FILE_UNKNOWN,
#include "format/file_kind.inc"
    FILE_KIND_COUNT
} FileKind;

/* The uses that a file may have. */
typedef enum FileUse {
    FILE_AS_JOB = 1 << 0,
    FILE_AS_PROJECT = 1 << 1,
    FILE_AS_MODEL = 1 << 2,
    FILE_AS_ACCESSORY = 1 << 3, /* a model that does not dance */
    FILE_AS_MOTION = 1 << 4,    /* the motion of a model */
    FILE_AS_CAMERA = 1 << 5,    /* a motion that may be one of the camera */
    FILE_AS_CAPTURE = 1 << 6,   /* motion capture, which is converted to a motion; a scene or an
                                   avatar with this use may have an animation */
    FILE_AS_SOUND = 1 << 7,
    FILE_AS_ARCHIVE = 1 << 8,
    FILE_AS_IMAGE = 1 << 9, /* a background, or a frame to compare */
    FILE_AS_TEXTURE = 1 << 10,
    FILE_AS_FRAME = 1 << 11, /* to compare */
    FILE_AS_VIDEO = 1 << 12,
    FILE_AS_EFFECT = 1 << 13,
    FILE_AS_SUBTITLES = 1 << 14,

    FILE_AS_OPERAND = FILE_AS_JOB | FILE_AS_PROJECT | FILE_AS_MODEL | FILE_AS_ACCESSORY |
                      FILE_AS_MOTION | FILE_AS_SOUND | FILE_AS_SUBTITLES | FILE_AS_ARCHIVE,
    FILE_AS_ANYTHING = (1 << 15) - 1
} FileUse;

enum { FILE_MAX_SIGNATURES = 15 };

/* First bytes of files of a kind. */
typedef struct FileSignature {
    const char *bytes;
    size_t offset;
    bool is_text; /* may follow a byte order mark and blanks; in upper or lower case */
} FileSignature;

typedef struct FileKindRow {
    const char *name;       /* "a ZIP archive" */
    const char *extensions; /* between blanks */
    unsigned uses;          /* bits of FileUse; 0: nothing that this program reads */
    const char *advice;     /* "use a file in it, as in pack.zip/model.pmx" */
    FileSignature signatures[FILE_MAX_SIGNATURES];
    bool named; /* the extension decides if the first bytes are those of no kind */
} FileKindRow;

extern const FileKindRow file_kinds[FILE_KIND_COUNT];

/* The kind that an extension says. */
FileKind file_kind_of_name(const char *path);

/* Whether a file of this name may be used so, by its extension. */
bool file_kind_serves(const char *path, unsigned uses);

/* The kind of these first bytes of a file (64 are enough). */
FileKind file_kind_of_bytes(Bytes head);

/* The same; where several kinds begin so, or the first bytes say nothing, the extension decides. */
FileKind file_kind_find(Bytes head, const char *path);

/* The same for a file; FILE_UNKNOWN if it cannot be read, too. */
FileKind file_kind_of_file(const char *path);

/* "model", "motion", "sound", "effect", "image" or "video". */
const char *file_use_name(FileUse use);

/* The extensions of the kinds with one of the uses, each after `before`: ".pmx, .pmd". */
const char *file_kind_extensions(unsigned uses, const char *before, const char *between,
                                 Arena *arena);
