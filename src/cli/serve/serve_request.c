// SPDX-License-Identifier: MIT
#include "cli/serve/serve_request.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "cli/arguments.h"
#include "record/json_read.h"
#include "run/pipeline/warm_film.h"

enum { MAX_ID = 128, MAX_JOB_BYTES = 1 << 20, MAX_PRIORITY = 1000 };

static const char *const verb_names[] = {"render", "still",  "check",  "info",
                                         "plan",   "cancel", "status", "shutdown"};

/* Bits of verbs: which members a request may have. */
enum {
    OF_RENDER = 1 << SERVE_RENDER,
    OF_STILL = 1 << SERVE_STILL,
    OF_DRAWING = OF_RENDER | OF_STILL,
    OF_CHECK = 1 << SERVE_CHECK,
    OF_INFO = 1 << SERVE_INFO,
    OF_PLAN = 1 << SERVE_PLAN,
    OF_JOBS = OF_DRAWING | OF_CHECK | OF_PLAN,
    OF_WORK = OF_JOBS | OF_INFO,
    OF_CANCEL = 1 << SERVE_CANCEL,
    OF_ALL = (1 << SERVE_VERBS) - 1
};

static const struct {
    const char *name;
    JsonKind kind;
    unsigned verbs;
} members[] = {
    {"id", JSON_OTHER, OF_ALL},           {"verb", JSON_TEXT, OF_ALL},
    {"job", JSON_OTHER, OF_JOBS},         {"files", JSON_LIST, OF_WORK},
    {"set", JSON_OTHER, OF_JOBS},         {"frames", JSON_OTHER, OF_DRAWING | OF_PLAN},
    {"output", JSON_TEXT, OF_DRAWING},    {"preset", JSON_TEXT, OF_JOBS},
    {"overwrite", JSON_BOOL, OF_DRAWING}, {"deadline_s", JSON_NUMBER, OF_WORK},
    {"priority", JSON_NUMBER, OF_WORK},   {"target", JSON_OTHER, OF_CANCEL},
};

typedef struct Parser {
    ServeRequest *request;
    const JsonValue *line;
    const char **error;
    TextList words;
    Hash *scene;
    Arena *arena;
} Parser;

#define FAIL(p, ...) (*(p)->error = arena_printf((p)->arena, __VA_ARGS__), false)

/* ---- values ---- */

static void write_value(Json *json, const JsonValue *value);

static void write_items(Json *json, const JsonValue *value)
{
    for (uint32_t i = 0; i < value->count; i++) {
        if (value->kind == JSON_OBJECT)
            json_key(json, value->items[i]->key);
        write_value(json, value->items[i]);
    }
}

static void write_value(Json *json, const JsonValue *value)
{
    switch (value->kind) {
    case JSON_TEXT:
        json_text(json, value->text);
        break;
    case JSON_BOOL:
        json_print(json, "%hhd", value->number > 0);
        break;
    case JSON_NUMBER:
        if (value->integer == JSON_NO_INTEGER)
            json_print(json, "%.17g", value->number);
        else
            json_int(json, value->integer);
        break;
    case JSON_LIST:
        json_print(json, "[");
        write_items(json, value);
        json_print(json, "]");
        break;
    case JSON_OBJECT:
        json_print(json, "{");
        write_items(json, value);
        json_print(json, "}");
        break;
    case JSON_OTHER:
        json_text(json, NULL);
        break;
    }
}

const char *serve_json_text(const JsonValue *value, Arena *arena)
{
    TextStream stream;
    Json json = json_init(text_stream_open(&stream, arena));
    json.one_line = true;
    write_value(&json, value);
    return text_stream_close(&stream);
}

static const char *id_text(const JsonValue *id, Arena *arena)
{
    const bool valid = id && ((id->kind == JSON_TEXT && strlen(id->text) <= MAX_ID) ||
                              (id->kind == JSON_NUMBER && id->integer != JSON_NO_INTEGER));
    return valid ? serve_json_text(id, arena) : NULL;
}

static void add_word(Parser *p, const char *word)
{
    *arena_push(p->arena, &p->words) = word;
}

/* ---- which scene it is ---- */

static void hash_text(Parser *p, const char *text)
{
    hash_add(p->scene, text, strlen(text) + 1);
}

/* The members of a job that do not name inputs, and that a loaded film can change. */
static void hash_job(Parser *p, const JsonValue *value, const char *prefix)
{
    for (uint32_t i = 0; i < value->count; i++) {
        const JsonValue *item = value->items[i];
        const char *key = arena_printf(p->arena, "%s%s", prefix, item->key);
        if (warm_film_is_free(key))
            continue;
        if (item->kind == JSON_OBJECT) {
            hash_job(p, item, arena_printf(p->arena, "%s.", key));
        } else {
            hash_text(p, key);
            hash_text(p, serve_json_text(item, p->arena));
        }
    }
}

/* A job file by its name and its bytes. */
static void hash_file(Parser *p, const char *path)
{
    Diag quiet = diag_quiet();
    Digest digest;
    uint64_t bytes;
    hash_text(p, path);
    if (job_has_job_extension(path) && file_digest(&digest, &bytes, path, NULL, &quiet))
        hash_add(p->scene, &digest, sizeof digest);
}

/* ---- members ---- */

static bool check_members(Parser *p)
{
    for (uint32_t i = 0; i < p->line->count; i++) {
        const JsonValue *value = p->line->items[i];
        size_t k = 0;
        while (k < sizeof members / sizeof *members && strcmp(members[k].name, value->key) != 0)
            k++;
        if (k == sizeof members / sizeof *members || !(members[k].verbs >> p->request->verb & 1))
            return FAIL(p, "%s has no member '%.64s'", verb_names[p->request->verb], value->key);
        if (members[k].kind != JSON_OTHER && members[k].kind != value->kind)
            return FAIL(p, "%s: a %s is expected", value->key,
                        members[k].kind == JSON_TEXT     ? "text"
                        : members[k].kind == JSON_LIST   ? "list of texts"
                        : members[k].kind == JSON_NUMBER ? "number"
                                                         : "boolean");
        for (uint32_t other = 0; other < i; other++)
            if (!strcmp(p->line->items[other]->key, value->key))
                return FAIL(p, "the member '%s' occurs twice", value->key);
    }
    return true;
}

/* An operand or a value that begins like a flag, or would be read from the server's own input. */
static bool check_name(Parser *p, const char *member, const char *name)
{
    return (*name && *name != '-') || FAIL(p, "%s: '%.64s' is no name of a file", member, name);
}

static bool add_files(Parser *p, const JsonValue *files)
{
    for (uint32_t i = 0; i < json_count(files); i++) {
        const char *name = json_string(json_item(files, i), NULL);
        if (!name)
            return FAIL(p, "files: a list of texts is expected");
        if (!check_name(p, "files", name))
            return false;
        hash_file(p, name);
        add_word(p, name);
    }
    return true;
}

static bool add_job(Parser *p)
{
    const JsonValue *job = json_member(p->line, "job"), *files = json_member(p->line, "files");
    if ((job != NULL) == (json_count(files) > 0))
        return FAIL(p, "one of job and files is expected");
    if (!job)
        return add_files(p, files);
    if (job->kind == JSON_TEXT) {
        p->request->job = job->text;
        hash_file(p, job->text);
        add_word(p, job->text);
        return check_name(p, "job", job->text);
    }
    if (job->kind != JSON_OBJECT)
        return FAIL(p, "job: the name of a file or an object is expected");
    p->request->input = serve_json_text(job, p->arena);
    if (strlen(p->request->input) > MAX_JOB_BYTES)
        return FAIL(p, "job: more than %d KiB", MAX_JOB_BYTES >> 10);
    hash_job(p, job, "");
    add_word(p, "-");
    return true;
}

static bool add_set(Parser *p, const char *text)
{
    const size_t size = strcspn(text, "=");
    if (!text[size] || !size)
        return FAIL(p, "set: '%.64s' is not of the form key=value", text);
    if (!warm_film_is_free(arena_strndup(p->arena, text, size)))
        hash_text(p, text);
    add_word(p, "--set");
    add_word(p, text);
    return true;
}

static bool add_sets(Parser *p, const JsonValue *set)
{
    if (set && set->kind != JSON_OBJECT && set->kind != JSON_LIST)
        return FAIL(p, "set: an object of keys and values or a list of texts is expected");
    for (uint32_t i = 0; set && i < set->count; i++) {
        const JsonValue *item = set->items[i];
        if (set->kind == JSON_LIST && item->kind != JSON_TEXT)
            return FAIL(p, "set: a list of texts such as 'render.size=[640,360]' is expected");
        if (!add_set(p, set->kind == JSON_LIST ? item->text
                                               : arena_printf(p->arena, "%s=%s", item->key,
                                                              serve_json_text(item, p->arena))))
            return false;
    }
    return true;
}

static bool add_value(Parser *p, const char *flag, const char *member)
{
    const char *text = json_string(json_member(p->line, member), NULL);
    if (!text)
        return true;
    if (!check_name(p, member, text))
        return false;
    add_word(p, flag);
    add_word(p, text);
    return true;
}

static bool add_frames(Parser *p)
{
    const JsonValue *frames = json_member(p->line, "frames");
    if (!frames)
        return p->request->verb != SERVE_STILL || FAIL(p, "still: frames is expected");
    const char *text = frames->kind == JSON_NUMBER && frames->integer >= 0
                           ? serve_json_text(frames, p->arena)
                           : json_string(frames, NULL);
    if (!text || !*text || *text == '-')
        return FAIL(p, "frames: a frame or a text such as '30' or '0-99' is expected");
    if (p->request->verb == SERVE_STILL && strpbrk(text, "-+,"))
        return FAIL(p, "frames: still draws one frame, not '%.64s'", text);
    add_word(p, "--frames");
    add_word(p, text);
    return true;
}

static const char *real_directory(const char *file, Arena *arena)
{
    const char *directory = path_directory(file, arena);
    const char *full = path_absolute(*directory ? directory : ".", arena);
    return full ? full : directory;
}

static bool add_output(Parser *p)
{
    const char *output = json_string(json_member(p->line, "output"), NULL);
    if (p->request->verb == SERVE_STILL && !output)
        return FAIL(p, "still: output is expected");
    if (output && file_is_stream(output))
        return FAIL(p, "output: '%.64s' is no file", output);
    if (!add_value(p, "--output", "output"))
        return false;
    p->request->output = output;
    p->request->overwrite = json_bool(json_member(p->line, "overwrite"), false);
    if (p->request->overwrite)
        add_word(p, "--overwrite");
    if (output)
        hash_text(p, real_directory(output, p->arena));
    p->request->has_scene = output && !file_is_null(output);
    return true;
}

static bool read_deadline(Parser *p)
{
    ServeRequest *r = p->request;
    const double priority = json_number(json_member(p->line, "priority"), 0);
    r->deadline_s = json_number(json_member(p->line, "deadline_s"), 0);
    if (json_member(p->line, "deadline_s") && !(r->deadline_s > 0 && r->deadline_s <= 1e6))
        return FAIL(p, "deadline_s: a number of seconds is expected (> 0..1000000)");
    if (!(fabs(priority) <= MAX_PRIORITY))
        return FAIL(p, "priority: a number is expected (-%d..%d)", MAX_PRIORITY, MAX_PRIORITY);
    r->priority = (int)priority;
    return true;
}

static bool read_target(Parser *p)
{
    p->request->target = id_text(json_member(p->line, "target"), p->arena);
    return p->request->target || FAIL(p, "cancel: target, the id of a request, is expected");
}

/* ---- the command line ---- */

static bool add_words(Parser *p, const ServeHost *host)
{
    const ServeVerb verb = p->request->verb;
    const bool draws = verb == SERVE_RENDER || verb == SERVE_STILL;
    add_word(p, "odori");
    add_word(p, verb == SERVE_STILL ? "render" : verb_names[verb]);
    for (const char *const *word = host->words; *word; word++)
        add_word(p, *word);
    add_word(p, "--json");
    if (draws)
        add_word(p, "--progress=json");
    if (verb == SERVE_INFO)
        return (json_count(json_member(p->line, "files")) > 0 || FAIL(p, "files is expected")) &&
               add_files(p, json_member(p->line, "files"));
    const char *preset = json_string(json_member(p->line, "preset"), NULL);
    if (preset)
        hash_text(p, preset);
    return add_job(p) && add_sets(p, json_member(p->line, "set")) && add_frames(p) &&
           add_value(p, "--preset", "preset") && (!draws || add_output(p));
}

static bool find_verb(Parser *p)
{
    const char *name = json_string(json_member(p->line, "verb"), NULL);
    for (int i = 0; name && i < SERVE_VERBS; i++)
        if (!strcmp(name, verb_names[i])) {
            p->request->verb = (ServeVerb)i;
            return true;
        }
    const char *nearest = name ? text_nearest(name, verb_names, SERVE_VERBS) : NULL;
    if (!name)
        return FAIL(p, "verb, a text, is expected");
    return nearest ? FAIL(p, "unknown verb '%.64s'; did you mean '%s'?", name, nearest)
                   : FAIL(p, "unknown verb '%.64s'", name);
}

static bool parse(Parser *p, const ServeHost *host)
{
    ServeRequest *r = p->request;
    if (!p->line)
        return FAIL(p, "the line is no JSON");
    if (p->line->kind != JSON_OBJECT)
        return FAIL(p, "an object is expected");
    const char *id = id_text(json_member(p->line, "id"), p->arena);
    if (!id)
        return FAIL(p, "id, a text of at most %d bytes or a whole number, is expected", MAX_ID);
    r->id = id;
    if (!find_verb(p) || !check_members(p))
        return false;
    if (r->verb == SERVE_CANCEL)
        return read_target(p);
    return r->verb >= SERVE_CANCEL || (read_deadline(p) && add_words(p, host));
}

bool serve_request_parse(ServeRequest *request, const char **error, const ServeHost *host,
                         const char *line, size_t size, Arena *arena)
{
    *request = (ServeRequest){.id = "null"};
    Parser p = {.request = request,
                .line = json_read(NULL, line, size, arena),
                .error = error,
                .scene = hash_create(),
                .arena = arena};
    const bool good = parse(&p, host);
    request->scene = hash_finish(p.scene);
    request->word_count = p.words.count;
    add_word(&p, NULL);
    request->words = p.words.items;
    return good;
}
