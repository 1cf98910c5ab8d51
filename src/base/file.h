// SPDX-License-Identifier: MIT
/*
 * file.h - reading and writing complete files
 *
 * A file with its final name is always complete: file_out_* writes `.NAME.PID.tmp` in the same
 * directory, syncs it, renames it and syncs the directory; after an error the temporary file is
 * removed. EINTR and short writes are handled.  Kinds of errors: DIAG_MISSING (does not exist),
 * DIAG_CREATE (cannot be created), DIAG_IO (disk full; read, write, sync, close or rename failed).
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/hash.h"

typedef struct Bytes {
    const uint8_t *data;
    size_t size;
} Bytes;

enum { FILE_MAX_SIZE = 1 << 30 }; /* default limit of an asset: 1 GiB */

/* A path of an input may lead into an archive: "pack.zip/model.pmx" (base/archive_path.h). */

/* An input that is open for reading; -1 after an error was reported ("cannot open: ..."). */
int file_open_input(const char *path, Diag *diag);

/* Reads a regular file of at most `limit` bytes into the arena. */
bool file_load(Bytes *out, const char *path, size_t limit, Arena *arena, Diag *diag);

/* The same from an open file, which it closes. */
bool file_load_open(Bytes *out, int fd, size_t limit, Arena *arena, Diag *diag);

/*
 * Whether an input exists.  If not, reports it (DIAG_MISSING) at the location that names it, or
 * with the path as the location if it is NULL, and suggests a similar name in the same directory.
 * True for any other problem, which opening the file will report.
 */
bool file_check_exists(const char *path, const DiagLocation *location, Diag *diag);

/* Reads standard input, which may be a pipe, up to its end. */
bool file_load_stdin(Bytes *out, size_t limit, Arena *arena, Diag *diag);

/* Adds the bytes of a regular file of any size to a hash, and their number to *bytes.  Returns
 * false without an error if *stop becomes nonzero; stop may be NULL. */
bool file_hash(Hash *hash, uint64_t *bytes, const char *path, const volatile sig_atomic_t *stop,
               Diag *diag);

/* The same of one file: its SHA-256 and its size. */
bool file_digest(Digest *digest, uint64_t *bytes, const char *path,
                 const volatile sig_atomic_t *stop, Diag *diag);

/*
 * Asked when a file is complete under its temporary name and is about to be renamed: whether it may
 * replace a file that exists.  Also the place to record the new file.  Asked again if a file has
 * appeared since under a name that was free.  False after an error.
 */
typedef struct FileApproval {
    bool (*approve)(void *user, const char *temporary, const char *path, Diag *diag);
    void *user;
} FileApproval;

/* Whether two regular files have the same bytes; false if one of them cannot be read. */
bool file_equal(const char *a, const char *b);

/* The path of standard output. */
#define FILE_STDOUT "/dev/stdout"

/* The name of an output that discards its images: neither a file nor a path. */
#define FILE_NULL "null:"
bool file_is_null(const char *path);

/* Whether a path is written to instead of being replaced: an existing FIFO or character device, or
 * a name in /dev or /proc, such as /dev/stdout or /dev/fd/3. */
bool file_is_stream(const char *path);

/* Opens such a path for writing; waits for the reader of a FIFO.  -1 with errno set. */
int file_open_stream(const char *path);

/* For a file that no record could show to be ours: an error (DIAG_CREATE) if it exists, unless it
 * may be replaced or is a stream.  _refuse reports that error and returns false. */
bool file_check_new(const char *path, bool overwrite, Diag *diag);
bool file_refuse_existing(const char *path, Diag *diag);

/* A file that is being written under a temporary name, or a stream that is written to directly. */
typedef struct FileOut {
    int fd;
    const FileApproval *approval; /* asked by file_out_commit; NULL after file_out_open */
    bool is_stream;               /* no temporary file, sync or rename */
    char path[4096];              /* final name */
    char temporary[4096];         /* its name until file_out_commit */
} FileOut;

bool file_out_open(FileOut *out, const char *path, Diag *diag); /* creates missing directories */
bool file_out_write(FileOut *out, const void *data, size_t size, Diag *diag);
bool file_out_commit(FileOut *out,
                     Diag *diag);  /* sync, close, rename; removes the temporary on error */
void file_out_abort(FileOut *out); /* removes the temporary file; no effect after commit */

/* open, write, commit; _approved asks before an existing file is replaced */
bool file_save(const char *path, const void *data, size_t size, Diag *diag);
bool file_save_approved(const char *path, const void *data, size_t size,
                        const FileApproval *approval, Diag *diag);

/* Writes all bytes, also after interruptions, and syncs the file; false with errno set. */
bool file_write_synced(int fd, const void *data, size_t size);

/* Renames an empty temporary file in the directory of `path`, to a name with FILE_RENAMED, so that
 * a file system that cannot is found out before hours of work.  True if none can be created: that
 * will be reported later. */
#define FILE_RENAMED ".renamed"
bool file_check_renames(const char *path, Diag *diag);

/* Asks, syncs and renames a temporary file that other code (a muxer) wrote and closed; it is
 * removed after an error.  approval: or NULL */
bool file_rename_synced(const char *temporary, const char *path, const FileApproval *approval,
                        Diag *diag);

/* The temporary name for `path`: ".NAME.PID.tmp" in the same directory.  False if it is too long.
 */
bool file_temporary_name(char *out, size_t size, const char *path);

/* Removes the temporary files that the process `pid`, which has ended, left for `path`, which
 * can be an image sequence (base/name_pattern.h). */
void file_remove_temporaries(const char *path, long pid);

/* mkdir -p of the directory that contains `path`; an error if `path` itself is a directory. */
bool file_make_parent_dirs(const char *path, Diag *diag);
