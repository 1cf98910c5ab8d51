// SPDX-License-Identifier: MIT
/*
 * result.h - what the program found, as JSON and as a JSON Schema, by rows next to the struct
 *
 *     typedef struct ShardStatus {
 *         const char *shard;
 *         int64_t frames;
 *     } ShardStatus;
 *
 *     static const ResultField ShardStatus_fields[] = {
 *         MEMBER(ShardStatus, shard, "number of the shard and their count"),
 *         MEMBER(ShardStatus, frames, "completed frames"),
 *     };
 *     RESULT(ShardStatus, "progress of a shard");
 *
 * That is the table ShardStatus_result.  A member without a row is in no file, a row without a
 * member does not compile, and the type of a value is that of its member.  Constant data only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/hash.h"
#include "base/json.h"
#include "record/values.h"

typedef enum ResultType {
    RESULT_BOOL,
    RESULT_SIGNED,   /* integers of any size; if nullable, less than 0 is null */
    RESULT_UNSIGNED, /* also an enumeration, with the texts of its values */
    RESULT_FLOAT,
    RESULT_DOUBLE, /* NaN and infinity are null */
    RESULT_TEXT,   /* NULL is null */
    RESULT_DIGEST, /* 64 hexadecimal digits; if nullable, zeros are null */
    RESULT_FRAMES, /* FrameRanges: pairs of the first and the last frame */
    RESULT_RECORD  /* a struct */
} ResultType;

/* How often the type is at the offset. */
typedef enum ResultForm {
    RESULT_ONE,
    RESULT_ARRAY,    /* `length` of them */
    RESULT_LIST,     /* a pointer to them, and their count; if nullable, NULL is null */
    RESULT_STREAM,   /* a ResultStream of them */
    RESULT_OPTIONAL, /* a pointer to a struct; NULL is null */
    RESULT_PART,     /* a pointer to a struct whose members are those of the object around it; if
                      * nullable, NULL for none of them */
    RESULT_CASE      /* a ResultCase: a word, and the members that an object with it has */
} ResultForm;

typedef struct ResultTable ResultTable;

typedef struct ResultStream {
    const void *(*next)(void *user); /* valid until the next call; NULL: the end */
    void *user;
} ResultStream;

typedef struct ResultCase {
    const char *word; /* one of the words of the table */
    const ResultTable *table;
    const void *record;
} ResultCase;

/* Writes lines of text in place of "  KEY: VALUE".  all: also what is left out of short texts. */
typedef void ResultText(FILE *out, const void *record, bool all);
ResultText result_text_none; /* nothing */

typedef struct ResultField {
    const char *key;
    ResultType type;
    ResultForm form;
    size_t offset, size; /* of the member; of one item */
    size_t length;       /* ARRAY */
    size_t width;        /* floats of an item that is an array of them; 0: it is none */
    size_t item_offset;  /* LIST: of the value in an item */
    size_t count_offset, count_size;
    const char *const *words;        /* UNSIGNED: texts of its values, NULL-terminated; or NULL */
    const ResultTable *table;        /* RECORD */
    const ResultTable *const *cases; /* CASE: NULL-terminated */
    ResultText *text;                /* NULL: as result_text says */
    const char *help;                /* a noun phrase, without the unit */
    const char *unit;
    bool nullable, exact; /* DOUBLE: 17 digits instead of 10 */
} ResultField;

struct ResultTable {
    const char *help;         /* a noun phrase */
    const char *const *words; /* of a case, NULL-terminated */
    const ResultField *fields;
    size_t count, size; /* of fields; of the struct */
};

#define RESULT_AT(S, member) (&((S *)0)->member)
/* What `pointer` points to. */
#define RESULT_TYPE(pointer) \
    _Generic((pointer),                  \
        bool *: RESULT_BOOL,             \
        int *: RESULT_SIGNED,            \
        long *: RESULT_SIGNED,           \
        long long *: RESULT_SIGNED,      \
        unsigned *: RESULT_UNSIGNED,     \
        unsigned long *: RESULT_UNSIGNED, \
        float *: RESULT_FLOAT,           \
        double *: RESULT_DOUBLE,         \
        const char **: RESULT_TEXT,      \
        Digest *: RESULT_DIGEST,         \
        FrameRanges *: RESULT_FRAMES)
#define RESULT_ROW(S, member, name, TYPE, FORM, item, ...)                        \
    {                                                                             \
        .key = (name), .offset = offsetof(S, member), .type = TYPE, .form = FORM, \
        .size = sizeof(item), .help = __VA_ARGS__                                 \
    }
#define RESULT_COUNT(S, number) \
    .count_offset = offsetof(S, number), .count_size = sizeof((S *)0)->number
#define RESULT_ROWS(S, member, name, FORM, T, item, ...) \
    RESULT_ROW(S, member, name, RESULT_RECORD, FORM,     \
               _Generic((item), T                        \
                        : (item)),                       \
               __VA_ARGS__, .table = &T##_result)

/* The help may be followed by .unit = "seconds" and .nullable = true. */
#define MEMBER(S, member, ...) MEMBER_NAMED(S, member, #member, __VA_ARGS__)
#define MEMBER_NAMED(S, member, name, ...)                                                       \
    RESULT_ROW(S, member, name, RESULT_TYPE(RESULT_AT(S, member)), RESULT_ONE, ((S *)0)->member, \
               __VA_ARGS__)
#define MEMBER_ARRAY(S, member, ...) MEMBER_ARRAY_NAMED(S, member, #member, __VA_ARGS__)
#define MEMBER_ARRAY_NAMED(S, member, name, ...)                                                  \
    RESULT_ROW(S, member, name, RESULT_TYPE(((S *)0)->member), RESULT_ARRAY, ((S *)0)->member[0], \
               __VA_ARGS__, .length = sizeof((S *)0)->member / sizeof((S *)0)->member[0])
#define MEMBER_VALUES(S, member, number, ...) \
    MEMBER_VALUES_NAMED(S, member, number, #member, __VA_ARGS__)
#define MEMBER_VALUES_NAMED(S, member, number, name, ...)                                        \
    RESULT_ROW(S, member, name, RESULT_TYPE(((S *)0)->member), RESULT_LIST, ((S *)0)->member[0], \
               __VA_ARGS__, RESULT_COUNT(S, number))
/* The texts that structs in a list have as a member. */
#define MEMBER_NAMES(S, member, number, T, field, name, ...)                                \
    RESULT_ROW(S, member, name, RESULT_TEXT, RESULT_LIST, ((S *)0)->member[0], __VA_ARGS__, \
               RESULT_COUNT(S, number), .item_offset = offsetof(T, field))
/* A list of arrays of floats. */
#define MEMBER_VECTORS(S, member, number, ...)                                    \
    RESULT_ROW(S, member, #member, RESULT_TYPE(((S *)0)->member[0]), RESULT_LIST, \
               ((S *)0)->member[0], __VA_ARGS__, RESULT_COUNT(S, number),         \
               .width = sizeof((S *)0)->member[0] / sizeof((S *)0)->member[0][0])
#define MEMBER_WORD(S, member, texts, ...) MEMBER_WORD_NAMED(S, member, #member, texts, __VA_ARGS__)
#define MEMBER_WORD_NAMED(S, member, name, texts, ...)                                      \
    RESULT_ROW(S, member, name, RESULT_UNSIGNED, RESULT_ONE, ((S *)0)->member, __VA_ARGS__, \
               .words = (texts))
#define MEMBER_RECORD(S, member, T, ...) MEMBER_RECORD_NAMED(S, member, #member, T, __VA_ARGS__)
#define MEMBER_RECORD_NAMED(S, member, name, T, ...) \
    RESULT_ROWS(S, member, name, RESULT_ONE, T, ((S *)0)->member, __VA_ARGS__)
#define MEMBER_OPTIONAL(S, member, T, ...)                                              \
    RESULT_ROWS(S, member, #member, RESULT_OPTIONAL, T, *((S *)0)->member, __VA_ARGS__, \
                .nullable = true)
#define MEMBER_PART(S, member, T) \
    RESULT_ROWS(S, member, #member, RESULT_PART, T, *((S *)0)->member, "")
#define MEMBER_OPTIONAL_PART(S, member, T) \
    RESULT_ROWS(S, member, #member, RESULT_PART, T, *((S *)0)->member, "", .nullable = true)
#define MEMBER_LIST(S, member, number, T, ...) \
    MEMBER_LIST_NAMED(S, member, number, #member, T, __VA_ARGS__)
#define MEMBER_LIST_NAMED(S, member, number, name, T, ...)                         \
    RESULT_ROWS(S, member, name, RESULT_LIST, T, ((S *)0)->member[0], __VA_ARGS__, \
                RESULT_COUNT(S, number))
#define MEMBER_STREAM(S, member, T, ...)                                                    \
    {                                                                                       \
        .key = #member, .offset = offsetof(S, member), .type = RESULT_RECORD,               \
        .form = RESULT_STREAM, .size = sizeof(T), .help = __VA_ARGS__, .table = &T##_result \
    }
#define MEMBER_CASE(S, member, name, tables, ...)                                                 \
    {                                                                                             \
        .key = (name), .offset = offsetof(S, member), .type = RESULT_RECORD, .form = RESULT_CASE, \
        .size = sizeof((S *)0)->member, .help = __VA_ARGS__, .cases = (tables)                    \
    }
/* An ARENA_LIST. */
#define MEMBER_ITEMS(S, list, T, ...)                                                       \
    RESULT_ROWS(S, list.items, #list, RESULT_LIST, T, ((S *)0)->list.items[0], __VA_ARGS__, \
                RESULT_COUNT(S, list.count))

#define RESULT_TABLE(S, text)                                                                \
    {                                                                                        \
        .help = text, .fields = S##_fields, .count = sizeof S##_fields / sizeof *S##_fields, \
        .size = sizeof(S)                                                                    \
    }
#define RESULT(S, text) static const ResultTable S##_result = RESULT_TABLE(S, text)
/* A table of a RESULT_CASE, with its words. */
#define RESULT_CASE_TABLE(S, text, ...)                                                      \
    {                                                                                        \
        .help = text, .fields = S##_fields, .count = sizeof S##_fields / sizeof *S##_fields, \
        .size = sizeof(S), .words = (const char *const[])                                    \
        {                                                                                    \
            __VA_ARGS__, NULL                                                                \
        }                                                                                    \
    }

/* Writes a struct as an object, by the rows alone. */
void result_write(Json *json, const ResultTable *table, const void *record);

/* The same with a line break at its end; each struct of a list begins a line. */
void result_print(FILE *out, const ResultTable *table, const void *record);

/* The same on one line, as JSON Lines need it; only structs of a stream begin lines. */
void result_print_line(FILE *out, const ResultTable *table, const void *record);

/*
 * Writes a struct as text, a line "  KEY: VALUE" for each member.  Unsigned integers of 0, empty
 * texts and what is not known are left out, and so are lists and structs without a ResultText.
 *
 * all  also lists of texts, an item a line
 */
void result_text(FILE *out, const ResultTable *table, const void *record, bool all);
