// SPDX-License-Identifier: MIT
/* Each call, by each way to name a directory: it is made there, or refused, and nothing else
 * changes.  No Landlock: what is refused here is refused by the grants alone. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/file_grants.h"
#include "scratch.h"
#include "tree.h"
#include "unit_test.h"

/* ---- four directories with the same files; granted: granted/film.mp4 and what belongs to it ----
 */

#define STATE "granted/.film.mp4.odori"

static Scratch root;
static FileGrants grants;

static void make_file(const char *name)
{
    const int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    assert_true(fd >= 0 && write(fd, "content", 7) == 7);
    close(fd);
}

static void make_files(const char *directory)
{
    static const char *const names[] = {"film.mp4", ".film.mp4.1.tmp", "other.mp4"};
    static const char *const directories[] = {".film.mp4.empty", "empty"};
    char path[PATH_MAX];
    mkdir(directory, 0777);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        make_file(path);
    }
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, directories[i]);
        assert_int_equal(mkdir(path, 0777), 0);
    }
}

static int set_up(void **state)
{
    (void)state;
    scratch_make(&root);
    assert_int_equal(chdir(root.directory), 0);
    make_files(".");
    make_files("other");
    make_files("granted");
    make_files(STATE);
    grants = (FileGrants){.count = 0};
    return !file_grants_add(&grants, &(SandboxRule){"granted", SANDBOX_WRITE, "film.mp4", NULL}) ||
           grants.count != 1;
}

static int tear_down(void **state)
{
    (void)state;
    close(grants.items[0].directory);
    scratch_remove(&root);
    return chdir("/");
}

static bool is_of_output(const char *name)
{
    return !strcmp(name, "film.mp4") || !strncmp(name, ".film.mp4.", 10);
}

static bool is_granted(const char *name)
{
    return !strcmp(name, "granted");
}

typedef struct State {
    Digest others, granted;
} State;

static State state_of_others(void)
{
    return (State){tree_digest(".", is_granted), tree_digest("granted", is_of_output)};
}

/* Makes a call with a directory, NULL for none; 0 or an errno. */
static int call_in(const char *directory, const FileCall *call)
{
    int opened = -1;
    const int passed = directory ? open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC) : AT_FDCWD;
    assert_true(passed >= 0 || passed == AT_FDCWD);
    const int error = file_grants_call(&grants, call, passed, &opened);
    if (passed >= 0)
        close(passed);
    if (opened >= 0)
        close(opened);
    assert_int_equal(opened >= 0, !error && call->kind == FILE_CALL_OPEN);
    return error;
}

/* ---- each call and each directory ---- */

typedef struct Attempt {
    const char *what;
    FileCallKind kind;
    int flags;
    const char *path, *to; /* of the output, whose checkpoint directory may be changed, too */
    const char *other_path, *other_to;
    const char *made, *gone; /* after it */
} Attempt;

static const Attempt attempts[] = {
    {"open", FILE_CALL_OPEN, O_WRONLY | O_TRUNC, "film.mp4", "", "other.mp4", "", "film.mp4", NULL},
    {"create", FILE_CALL_OPEN, O_RDWR | O_CREAT, ".film.mp4.2.tmp", "", "new", "",
     ".film.mp4.2.tmp", NULL},
    {"unlink", FILE_CALL_UNLINK, 0, "film.mp4", "", "other.mp4", "", NULL, "film.mp4"},
    {"rename", FILE_CALL_RENAME, 0, ".film.mp4.1.tmp", "film.mp4", "film.mp4", "other.mp4",
     "film.mp4", ".film.mp4.1.tmp"},
    {"take", FILE_CALL_RENAME, 0, "film.mp4", ".film.mp4.2.tmp", "other.mp4", "film.mp4",
     ".film.mp4.2.tmp", "film.mp4"},
    {"mkdir", FILE_CALL_MKDIR, 0, ".film.mp4.new", "", "new", "", ".film.mp4.new", NULL},
    {"rmdir", FILE_CALL_RMDIR, 0, ".film.mp4.empty", "", "empty", "", NULL, ".film.mp4.empty"},
};

typedef struct Directory {
    const char *passed; /* NULL: the path contains it */
    const char *before; /* the part of the path before the name */
    const char *is;     /* the directory that it names */
} Directory;

static const Directory directories[] = {
    {NULL, "granted/", "granted"},
    {NULL, "$granted/", "granted"},
    {NULL, "./other/../granted/", "granted"},
    {"granted", "", "granted"},
    {NULL, STATE "/", STATE},
    {NULL, "$" STATE "/", STATE},
    {STATE, "", STATE},
    {NULL, "", "."},
    {".", "", "."},
    {NULL, "$", "."},
    {NULL, "granted/../", "."},
    {NULL, STATE "/../../", "."},
    {NULL, "other/", "other"},
    {"other", "", "other"},
    {NULL, STATE "/../../other/", "other"},
};

static void set_path(char out[FILE_CALL_PATH_SIZE], const char *before, const char *name)
{
    const bool absolute = *before == '$';
    if (*name)
        snprintf(out, FILE_CALL_PATH_SIZE, "%s%s%s", absolute ? root.directory : "",
                 before + absolute, name);
}

static bool exists(const char *directory, const char *name)
{
    char path[PATH_MAX];
    struct stat st;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return lstat(path, &st) == 0;
}

static void attempt(const Attempt *a, const Directory *d, bool other)
{
    /* all that is below the checkpoint directory */
    const bool granted = !strcmp(d->is, STATE) || (!strcmp(d->is, "granted") && !other);
    FileCall call = {.kind = (int32_t)a->kind, .flags = a->flags, .mode = 0777};
    set_path(call.path, d->before, other ? a->other_path : a->path);
    set_path(call.to, d->before, other ? a->other_to : a->to);
    const State before = state_of_others();
    const int error = call_in(d->passed, &call);
    const State after = state_of_others();
    if (granted ? error != 0 : error != EACCES)
        fail_msg("%s '%s' in %s: %s", a->what, call.path, d->passed ? d->passed : "-",
                 strerror(error));
    if (memcmp(&before, &after, sizeof before) != 0)
        fail_msg("%s '%s' in %s changed other files", a->what, call.path, d->passed);
    if (granted && !other &&
        ((a->made && !exists(d->is, a->made)) || (a->gone && exists(d->is, a->gone))))
        fail_msg("%s '%s' in %s had no effect there", a->what, call.path, d->passed);
    if (!granted)
        return;
    tear_down(NULL);
    set_up(NULL);
}

static void makes_calls_where_they_are_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++)
        for (size_t k = 0; k < sizeof directories / sizeof *directories; k++) {
            attempt(&attempts[i], &directories[k], false);
            attempt(&attempts[i], &directories[k], true);
        }
}

/* ---- other requests ---- */

static const struct {
    const char *what, *passed;
    FileCall call;
    int error;
} requests[] = {
    {"no name", NULL, {.kind = FILE_CALL_OPEN, .flags = O_WRONLY, .path = "granted/"}, EACCES},
    {"dot", "granted", {.kind = FILE_CALL_RMDIR, .path = "."}, EACCES},
    {"dots", STATE, {.kind = FILE_CALL_RMDIR, .path = ".."}, EACCES},
    {"a path in a directory", "granted", {.kind = FILE_CALL_UNLINK, .path = "./film.mp4"}, EACCES},
    {"no directory", NULL, {.kind = FILE_CALL_MKDIR, .path = "granted/none/film.mp4"}, EACCES},
    {"a directory that exists", NULL, {.kind = FILE_CALL_MKDIR, .path = "other"}, EACCES},
    {"one in another", "other", {.kind = FILE_CALL_MKDIR, .path = "granted"}, EACCES},
    {"the same below", "other", {.kind = FILE_CALL_MKDIR, .path = "empty"}, EACCES},
    {"another call", NULL, {.kind = FILE_CALL_JOIN, .path = "granted/film.mp4"}, EINVAL},
    {"an unknown call", NULL, {.kind = -1, .path = "granted/film.mp4"}, EINVAL},
    {"out of the grant",
     NULL,
     {.kind = FILE_CALL_RENAME, .path = "granted/film.mp4", .to = "other/film.mp4"},
     EACCES},
    {"into it",
     NULL,
     {.kind = FILE_CALL_RENAME, .path = "other/film.mp4", .to = "granted/film.mp4"},
     EACCES},
};

static void refuses_other_requests(void **state)
{
    const State before = state_of_others();
    (void)state;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        const int error = call_in(requests[i].passed, &requests[i].call);
        if (error != requests[i].error)
            fail_msg("%s: %s", requests[i].what, strerror(error));
    }
    FileCall call = {.kind = FILE_CALL_UNLINK};
    memset(call.path, 'x', sizeof call.path);
    assert_int_equal(call_in(NULL, &call), EINVAL);
    const State after = state_of_others();
    assert_memory_equal(&before, &after, sizeof before);
}

/* ---- links ---- */

static int open_output(const char *path, int flags)
{
    FileCall call = {.kind = FILE_CALL_OPEN, .flags = flags, .mode = 0666};
    snprintf(call.path, sizeof call.path, "%s", path);
    return call_in(NULL, &call);
}

static void writes_to_no_file_with_another_name(void **state)
{
    const State before = state_of_others();
    (void)state;
    assert_int_equal(link("other/film.mp4", "granted/.film.mp4.hard"), 0);
    assert_int_equal(symlink("../other/film.mp4", "granted/.film.mp4.soft"), 0);
    assert_int_equal(symlink("../other", "granted/.film.mp4.out"), 0);
    assert_int_equal(mkfifo("granted/.film.mp4.fifo", 0666), 0);
    assert_int_equal(open_output("granted/.film.mp4.hard", O_WRONLY | O_TRUNC), EMLINK);
    assert_int_equal(open_output("granted/.film.mp4.hard", O_RDWR | O_CREAT), EMLINK);
    assert_int_equal(open_output("granted/.film.mp4.soft", O_WRONLY | O_TRUNC), ELOOP);
    assert_int_equal(open_output("granted/.film.mp4.out/film.mp4", O_WRONLY | O_TRUNC), EACCES);
    assert_int_equal(open_output("granted/.film.mp4.fifo", O_RDWR), EPERM);
    assert_int_equal(open_output("granted/film.mp4", O_WRONLY | O_TRUNC), 0);
    const State after = state_of_others();
    assert_memory_equal(&before, &after, sizeof before);
}

/* The path that the system gives for it is that of another directory. */
static void is_not_misled_by_a_removed_directory(void **state)
{
    const FileCall call = {.kind = FILE_CALL_UNLINK, .path = "film.mp4"};
    int opened = -1;
    (void)state;
    assert_int_equal(mkdir("granted/.film.mp4.d", 0777), 0);
    const int removed = open("granted/.film.mp4.d", O_PATH | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(rmdir("granted/.film.mp4.d"), 0);
    make_files("granted/.film.mp4.d (deleted)");
    assert_int_equal(file_grants_call(&grants, &call, removed, &opened), EACCES);
    assert_true(exists("granted/.film.mp4.d (deleted)", "film.mp4"));
    close(removed);
}

/* ---- a directory that is exchanged with a link while calls are made ---- */

static void exchange_for_ever(const char *a, const char *b)
{
    enum { EXCHANGE = 2 };
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;)
        syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, EXCHANGE);
}

static void follows_no_link_that_appears(void **state)
{
    enum { CALLS = 3000 };
    const State before = state_of_others();
    (void)state;
    assert_int_equal(symlink("../../other", STATE "/link"), 0);
    assert_int_equal(mkdir(STATE "/real", 0777), 0);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        exchange_for_ever(STATE "/link", STATE "/real");
    for (int i = 0; i < CALLS; i++) {
        open_output(STATE "/real/film.mp4", O_WRONLY | O_TRUNC);
        open_output(STATE "/real/new", O_WRONLY | O_CREAT);
    }
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    const State after = state_of_others();
    assert_memory_equal(&before, &after, sizeof before);
}

/* ---- grants that must be below a directory ---- */

/* Whether a grant for the path is added; it is for a directory below `granted`, then. */
static bool is_within_granted(const char *path)
{
    FileGrants own = {.count = 0};
    char within[PATH_MAX];
    struct stat found, other;
    assert_non_null(realpath("granted", within));
    assert_true(file_grants_add(&own, &(SandboxRule){path, SANDBOX_WRITE, NULL, within}));
    if (!own.count)
        return false;
    assert_int_equal(fstat(own.items[0].directory, &found), 0);
    assert_int_equal(stat("other", &other), 0);
    assert_int_not_equal(found.st_ino, other.st_ino);
    assert_memory_equal(own.items[0].path, within, strlen(within));
    close(own.items[0].directory);
    return true;
}

static void is_for_nothing_outside(void **state)
{
    (void)state;
    assert_int_equal(mkdir("granted-too", 0777), 0);
    assert_int_equal(symlink(".film.mp4.odori", "granted/in"), 0);
    assert_int_equal(symlink("../other", "granted/out"), 0);
    assert_true(is_within_granted("granted"));
    assert_true(is_within_granted("./granted/../granted/"));
    assert_true(is_within_granted(STATE "/empty"));
    assert_true(is_within_granted("granted/in"));
    assert_false(is_within_granted("granted/out"));
    assert_false(is_within_granted("granted/.."));
    assert_false(is_within_granted("granted-too"));
    assert_false(is_within_granted("other"));
    assert_false(is_within_granted("granted/none"));
    assert_false(is_within_granted("granted/film.mp4"));
}

static void is_for_no_link_that_appears(void **state)
{
    enum { TRIES = 20000 };
    (void)state;
    assert_int_equal(symlink("../../other", STATE "/link"), 0);
    assert_int_equal(mkdir(STATE "/real", 0777), 0);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        exchange_for_ever(STATE "/link", STATE "/real");
    for (int i = 0; i < TRIES; i++)
        is_within_granted(STATE "/real");
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* ---- grants of a client that got some of those of another ---- */

static void needs_the_grants_above(void **state)
{
    FileGrants own = {.above = &grants};
    FileCall call = {.kind = FILE_CALL_UNLINK, .path = "granted/other.mp4"};
    int opened;
    (void)state;
    assert_true(file_grants_add(&own, &(SandboxRule){".", SANDBOX_WRITE, NULL, NULL}));
    assert_int_equal(file_grants_call(&own, &call, AT_FDCWD, &opened), EACCES);
    assert_true(exists("granted", "other.mp4"));
    strcpy(call.path, "granted/film.mp4");
    assert_int_equal(file_grants_call(&own, &call, AT_FDCWD, &opened), 0);
    close(own.items[0].directory);
}

static void counts_its_grants(void **state)
{
    FileGrants own = {.count = 0};
    const SandboxRule rule = {"granted", SANDBOX_WRITE, NULL, NULL};
    (void)state;
    assert_true(file_grants_add(&own, &(SandboxRule){"none", SANDBOX_WRITE, NULL, NULL}));
    assert_true(file_grants_add(&own, &(SandboxRule){"film.mp4", SANDBOX_WRITE, NULL, NULL}));
    assert_int_equal(own.count, 0);
    for (size_t i = 0; i < FILE_GRANTS_MAX; i++)
        assert_true(file_grants_add(&own, &rule));
    assert_false(file_grants_add(&own, &rule));
    close(own.items[0].directory); /* shared by all of them */
    assert_int_equal(fcntl(own.items[FILE_GRANTS_MAX - 1].directory, F_GETFD), -1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(makes_calls_where_they_are_checked),
        TEST(refuses_other_requests),
        TEST(writes_to_no_file_with_another_name),
        TEST(is_not_misled_by_a_removed_directory),
        TEST(follows_no_link_that_appears),
        TEST(is_for_nothing_outside),
        TEST(is_for_no_link_that_appears),
        TEST(needs_the_grants_above),
        TEST(counts_its_grants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
