/*
 * content_kind.h - recognizes what a file contains, to name a file that was given in a wrong place
 *
 * By the first bytes, and for formats without a signature by the extension.  Each kind has a
 * sentence that says where such a file belongs.  Constant data; nothing is reported here.
 */
#ifndef FORMAT_CONTENT_KIND_H
#define FORMAT_CONTENT_KIND_H

#include "base/file.h"

typedef enum ContentRole {
    CONTENT_MODEL,
    CONTENT_MOTION,
    CONTENT_SOUND,
    CONTENT_IMAGE,
    CONTENT_VIDEO,
    CONTENT_OTHER /* nothing that a job can use */
} ContentRole;

typedef struct ContentKind {
    const char *name;   /* "a ZIP archive" */
    const char *advice; /* "use the .pmx, .vmd and other files in it, after unpacking" */
    ContentRole role;
} ContentKind;

/* The kind of these first bytes of a file (64 are enough), or NULL if it is not known. */
const ContentKind *content_kind_find(Bytes head, const char *path);

/* The same for a file; NULL if it cannot be read, too. */
const ContentKind *content_kind_of_file(const char *path);

#endif
