// SPDX-License-Identifier: MIT
#include "cli/serve/serve_answer.h"

#include "base/text_stream.h"

static const ResultField ServeResult_fields[] = {
    MEMBER(ServeResult, ok, "the status is 0"),
    MEMBER(ServeResult, status, "exit status, as of the same command"),
    MEMBER(ServeResult, code,
           "kind of the error: that of the first error event, or bad-request, busy, cancelled, "
           "deadline, stopped, crashed",
           .nullable = true),
    MEMBER(ServeResult, message, "the first error", .nullable = true),
    MEMBER(ServeResult, warm, "drawn by a process that had the film loaded"),
    MEMBER(ServeResult, attempts, "how often it was started: 2 if a process was killed"),
    MEMBER(ServeResult, wait_s, "time in the queue", .unit = "seconds"),
    MEMBER(ServeResult, wall_s, "time since it was started", .unit = "seconds"),
    MEMBER(ServeResult, cpu_s, "CPU time of its processes; 0 if it is not known",
           .unit = "seconds"),
};
const ResultTable serve_result = RESULT_TABLE(ServeResult, "the end of a request");

static const ResultField ServeStatus_fields[] = {
    MEMBER(ServeStatus, clients, "clients that are connected"),
    MEMBER(ServeStatus, queued, "requests that wait"),
    MEMBER(ServeStatus, running, "requests that run"),
    MEMBER(ServeStatus, scenes, "films that are loaded"),
    MEMBER(ServeStatus, scenes_mib, "memory of their processes", .unit = "MiB"),
    MEMBER(ServeStatus, finished, "requests that have ended"),
    MEMBER(ServeStatus, restarted, "requests that were started again"),
};
const ResultTable serve_status_result = RESULT_TABLE(ServeStatus, "the state of the server");

static const char *text_of(const ResultTable *table, const void *value, Arena *arena)
{
    TextStream stream;
    Json json = json_init(text_stream_open(&stream, arena));
    json.one_line = true;
    result_write(&json, table, value);
    return text_stream_close(&stream);
}

const char *serve_answer_result(const char *id, const ServeResult *result, const char *outputs,
                                Arena *arena)
{
    return arena_printf(arena, "{\"id\":%s,%s%s%s\"result\":%s}", id, outputs ? "\"outputs\":" : "",
                        outputs ? outputs : "", outputs ? "," : "",
                        text_of(&serve_result, result, arena));
}

const char *serve_answer_status(const char *id, const ServeStatus *status, Arena *arena)
{
    return arena_printf(arena, "{\"id\":%s,\"output\":%s}", id,
                        text_of(&serve_status_result, status, arena));
}
