// SPDX-License-Identifier: MIT
/*
 * main - runs the test files of a room
 *
 *     ROOM             every file, each in a process of its own
 *     ROOM NAME...     these files, such as test_curve or ik/test_ik; one alone runs in this
 * process, as a debugger needs it ROOM --list      prints their names
 *
 * A file may crash, change its limits or its working directory: the next one does not notice.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_file.h"

/* By its path in the room, or by its last part. */
static const TestFile *find(const char *name)
{
    for (const TestFile *file = TEST_FILES; file->name; file++) {
        const char *slash = strrchr(file->name, '/');
        if (!strcmp(file->name, name) || (slash && !strcmp(slash + 1, name)))
            return file;
    }
    return NULL;
}

static bool run_in_child(const TestFile *file)
{
    int status;
    printf("%s\n", file->name);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        exit(file->run());
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

static int run_all(void)
{
    int failed = 0;
    for (const TestFile *file = TEST_FILES; file->name; file++)
        if (!run_in_child(file)) {
            fprintf(stderr, "%s failed\n", file->name);
            failed++;
        }
    return failed ? 1 : 0;
}

static int run_named(char **names, int count)
{
    int failed = 0;
    for (int i = 0; i < count; i++) {
        const TestFile *file = find(names[i]);
        if (!file) {
            fprintf(stderr, "'%s' is not one of the test files (--list)\n", names[i]);
            return 2;
        }
        if (count == 1)
            return file->run();
        failed += !run_in_child(file);
    }
    return failed ? 1 : 0;
}

int main(int argc, char **argv)
{
    if (argc == 1)
        return run_all();
    if (strcmp(argv[1], "--list") != 0)
        return run_named(argv + 1, argc - 1);
    for (const TestFile *file = TEST_FILES; file->name; file++)
        puts(file->name);
    return 0;
}
