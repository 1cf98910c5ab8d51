// SPDX-License-Identifier: MIT
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text_stream.h"
#include "unit_test.h"

static void test_memory_is_zeroed(void **state)
{
    (void)state;
    const uint8_t zeros[300] = {0};
    uint8_t *memory = memory_alloc(100, 3);
    assert_memory_equal(memory, zeros, sizeof zeros);
    memset(memory, 7, 300);
    memory = memory_resize(memory, 100000);
    for (size_t i = 0; i < 300; i++)
        assert_int_equal(memory[i], 7);
    memory_free(memory);
    memory_free(NULL);
}

static void test_empty_allocations_are_valid(void **state)
{
    (void)state;
    void *memory = memory_alloc(0, 16), *other = memory_alloc(16, 0);
    assert_non_null(memory);
    assert_non_null(other);
    memory = memory_resize(memory, 0);
    assert_non_null(memory);
    memory_free(memory);
    memory_free(other);
}

/* ---- processes that run out of memory ---- */

static void request_too_much(void)
{
    memory_alloc(1, SIZE_MAX / 2);
}

static void request_wrapping_product(void)
{
    memory_alloc(SIZE_MAX / 4, 8);
}

static void resize_too_much(void)
{
    memory_resize(memory_alloc(1, 1), SIZE_MAX / 2);
}

static void fill_arena(void)
{
    arena_alloc(arena_create(), SIZE_MAX / 2);
}

static void name_child_and_fail(void)
{
    prctl(PR_SET_NAME, "odori-worker");
    request_too_much();
}

static void exit_handler(void)
{
    static const char text[] = "exit handler\n";
    const ssize_t n = write(STDERR_FILENO, text, sizeof text - 1);
    (void)n;
}

/* AddressSanitizer reports what it cannot allocate, in lines that begin with "==". */
static void remove_sanitizer_lines(char *text)
{
    while (!strncmp(text, "==", 2)) {
        const char *end = strchr(text, '\n');
        memmove(text, end ? end + 1 : "", end ? strlen(end) : 1);
    }
}

/* Exit status of a process that runs `act`, and what it wrote to stderr. */
static int run_failing(void (*act)(void), char *message, size_t size)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], STDERR_FILENO);
        atexit(exit_handler);
        act();
        _exit(1);
    }
    close(ends[1]);
    size_t used = 0;
    for (ssize_t n; (n = read(ends[0], message + used, size - 1 - used)) > 0;)
        used += (size_t)n;
    message[used] = '\0';
    remove_sanitizer_lines(message);
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_exhaustion_ends_the_process_with_one_message(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        void (*act)(void);
    } rows[] = {
        {"an allocation", request_too_much},
        {"a product that wraps", request_wrapping_product},
        {"a larger size", resize_too_much},
        {"an arena", fill_arena},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        print_message("%s\n", rows[i].what);
        assert_int_equal(run_failing(rows[i].act, text, sizeof text), MEMORY_EXIT);
        assert_int_equal(strncmp(text, "odori: error: out of memory: ", 29), 0);
        assert_non_null(strstr(text, " bytes requested"));
        assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1); /* one line */
    }
}

static void test_child_leaves_the_message_to_main(void **state)
{
    (void)state;
    char text[512];
    assert_int_equal(run_failing(name_child_and_fail, text, sizeof text), MEMORY_EXIT);
    assert_string_equal(text, "");
}

/* ---- text in memory ---- */

static void test_text_stream_collects_what_is_written(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    for (int i = 0; i < 5000; i++)
        fprintf(out, "%d ", i);
    fputc('\0', out);
    const char *text = text_stream_close(&stream);
    const char *at = text;
    for (int i = 0; i < 5000; i++) {
        char *end;
        assert_int_equal(strtol(at, &end, 10), i);
        at = end + 1;
    }
    assert_int_equal(stream.size, (size_t)(at - text) + 1);
    assert_int_equal(text[stream.size], '\0');
    arena_destroy(arena);
}

static void test_empty_text_stream_is_empty_text(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    TextStream stream;
    text_stream_open(&stream, arena);
    assert_string_equal(text_stream_close(&stream), "");
    assert_int_equal(stream.size, 0);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_is_zeroed),
        cmocka_unit_test(test_empty_allocations_are_valid),
        cmocka_unit_test(test_exhaustion_ends_the_process_with_one_message),
        cmocka_unit_test(test_child_leaves_the_message_to_main),
        cmocka_unit_test(test_text_stream_collects_what_is_written),
        cmocka_unit_test(test_empty_text_stream_is_empty_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
