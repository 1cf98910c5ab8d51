// SPDX-License-Identifier: MIT
/*
 * test_file.h - the test files of a room's program, a table that the Makefile writes
 */
#ifndef SUPPORT_TEST_FILE_H
#define SUPPORT_TEST_FILE_H

typedef struct TestFile {
    const char *name; /* path in the room, such as "ik/test_chain"; NULL in the last */
    int (*run)(void); /* runs its tests with cmocka; returns the number that failed */
} TestFile;

extern const TestFile TEST_FILES[];

#endif
