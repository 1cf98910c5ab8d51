// SPDX-License-Identifier: MIT
/*
 * Arbitrary requests to a file broker, in a directory with files that it may not touch: whatever it
 * answers, these are as they were.  Landlock, which would refuse most of it too, is not in the way.
 *
 * A line of the input is a request: CALL DIRECTORY FLAGS PATH [TO].  CALL is one of CALLS;
 * DIRECTORY is passed as a descriptor, "." is none; FLAGS are letters of FLAG_LETTERS; "$" at the
 * start of a path is the absolute path of the root.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"
#include "sandbox/file_grants.h"
#include "scratch.h"
#include "tree.h"

enum { MAX_REQUESTS = 64, LINE_SIZE = 2 * FILE_CALL_PATH_SIZE };

/* There 20 files take less than a millisecond, on a disk up to 30. */
#define MEMORY "/dev/shm"

static Scratch root; /* the working directory during a request, too */

/* ---- files: what may be changed is granted/film.mp4, its hidden files, granted/NUMBER.png ---- */

static const char *const OTHERS[] = {"granted/other.mp4",
                                     "granted/.bashrc",
                                     "granted/.film.mp4rc",
                                     "granted/1.png.bak",
                                     "other/film.mp4",
                                     "other/1.png",
                                     "film.mp4",
                                     "1.png"};

/* The names that belong to the outputs, worked out apart from file_names.c. */
static bool is_of_outputs(const char *name)
{
    const bool hidden = *name == '.';
    const char *end = name + hidden;
    if (!strncmp(end, "film.mp4", 8))
        return hidden ? end[8] == '.' : !end[8];
    const size_t digits = strspn(end, "0123456789");
    end += !strncmp(end, "%d", 2) ? 2 : digits; /* a single file may have that name, too */
    if (end == name + hidden || strncmp(end, ".png", 4) != 0)
        return false;
    return hidden ? end[4] == '.' : !end[4];
}

static void make_file(const char *name)
{
    const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    fuzz_require(fd >= 0 && write(fd, name, strlen(name)) == (ssize_t)strlen(name));
    close(fd);
}

static void make_files(void)
{
    static const char *const directories[] = {
        "granted", "granted/.film.mp4.odori", "granted/empty", "other", "other/empty", "empty"};
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
        fuzz_require(mkdir(directories[i], 0755) == 0);
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        make_file(OTHERS[i]);
    make_file("granted/film.mp4");
    make_file("granted/.film.mp4.odori/film.mp4");
    fuzz_require(link("other/film.mp4", "granted/.film.mp4.hard") == 0);
    fuzz_require(symlink("../other/film.mp4", "granted/.film.mp4.link") == 0);
    fuzz_require(symlink("../other", "granted/.film.mp4.out") == 0);
    fuzz_require(symlink("../../other", "granted/.film.mp4.odori/out") == 0);
    fuzz_require(mkfifo("granted/.film.mp4.fifo", 0644) == 0);
}

typedef struct State {
    Digest others, granted;
} State;

static bool is_granted(const char *name)
{
    return !strcmp(name, "granted");
}

static State state_of_others(void)
{
    return (State){tree_digest(".", is_granted), tree_digest("granted", is_of_outputs)};
}

/* ---- requests ---- */

static const char *const CALLS[] = {"open", "unlink", "rename", "mkdir", "rmdir", "join"};

static const struct {
    char letter;
    int flag;
} FLAG_LETTERS[] = {{'w', O_WRONLY}, {'b', O_RDWR},   {'c', O_CREAT},     {'t', O_TRUNC},
                    {'x', O_EXCL},   {'a', O_APPEND}, {'d', O_DIRECTORY}, {'p', O_PATH}};

static int flags_of(const char *word)
{
    int flags = 0;
    for (size_t i = 0; i < sizeof FLAG_LETTERS / sizeof *FLAG_LETTERS; i++)
        if (strchr(word, FLAG_LETTERS[i].letter))
            flags |= FLAG_LETTERS[i].flag;
    return flags;
}

static void set_path(char out[FILE_CALL_PATH_SIZE], const char *word)
{
    const bool absolute = *word == '$';
    snprintf(out, FILE_CALL_PATH_SIZE, "%s%s", absolute ? root.directory : "", word + absolute);
}

static void request(const FileGrants *grants, char *line)
{
    char *rest = line;
    const char *words[] = {"", "", "", "", ""};
    for (size_t i = 0; i < sizeof words / sizeof *words && rest; i++)
        words[i] = strsep(&rest, " ");
    FileCall call = {.kind = FILE_CALL_JOIN + 1, .flags = flags_of(words[2]), .mode = 07777};
    for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++)
        if (!strcmp(words[0], CALLS[i]))
            call.kind = (int32_t)i;
    set_path(call.path, words[3]);
    set_path(call.to, words[4]);
    const int directory =
        strcmp(words[1], ".") != 0 ? open(words[1], O_PATH | O_CLOEXEC) : AT_FDCWD;
    int opened = -1;
    if (directory >= 0 || directory == AT_FDCWD)
        file_grants_call(grants, &call, directory, &opened);
    if (directory >= 0)
        close(directory);
    if (opened < 0)
        return;
    struct stat st;
    fuzz_require(fstat(opened, &st) == 0 && S_ISREG(st.st_mode));
    const ssize_t written = write(opened, "!", 1); /* fails if it was opened for reading */
    (void)written;
    close(opened);
}

static void run_requests(const uint8_t *data, size_t size)
{
    static FileGrants grants;
    static char line[LINE_SIZE];
    grants.count = 0;
    fuzz_require(
        file_grants_add(&grants, &(SandboxRule){"granted", SANDBOX_WRITE, "film.mp4", NULL}));
    fuzz_require(
        file_grants_add(&grants, &(SandboxRule){"granted", SANDBOX_WRITE, "%d.png", NULL}));
    fuzz_require(grants.count == 2);
    for (int i = 0; i < MAX_REQUESTS && size; i++) {
        const uint8_t *end = memchr(data, '\n', size);
        const size_t length = end ? (size_t)(end - data) : size;
        snprintf(line, sizeof line, "%.*s", (int)length, (const char *)data);
        request(&grants, line);
        data += length + (end != NULL);
        size -= length + (end != NULL);
    }
    close(grants.items[0].directory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (access(MEMORY, W_OK) == 0)
        setenv("TMPDIR", MEMORY, 0);
    const int before = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    scratch_make(&root);
    fuzz_require(before >= 0 && chdir(root.directory) == 0);
    make_files();
    const State state = state_of_others();
    run_requests(data, size);
    const State after = state_of_others();
    fuzz_require(!memcmp(&state, &after, sizeof state));
    fuzz_require(fchdir(before) == 0);
    close(before);
    scratch_remove(&root);
    return 0;
}
