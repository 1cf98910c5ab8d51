// SPDX-License-Identifier: MIT
#include "run/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process_memory.h"
#include "base/text_escape.h"
#include "base/text_stream.h"

static const double TTY_S = 0.1, PLAIN_S = 10, JSON_S = 1; /* minimal intervals */
static const int64_t PLAIN_STEPS = 10;                     /* plain: also at each tenth */

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && value[0];
}

static ProgressMode choose_mode(ProgressMode mode, bool terminal)
{
    const char *kind = getenv("TERM");
    const bool dumb = kind && !strcmp(kind, "dumb");
    if (mode != PROGRESS_AUTO)
        return mode;
    return terminal && !dumb && !is_set("CI") ? PROGRESS_TTY : PROGRESS_PLAIN;
}

void progress_init(Progress *progress, FILE *out, ProgressMode mode, ProgressColor color)
{
    const bool terminal = isatty(fileno(out)) == 1;
    *progress = (Progress){
        .out = out,
        .mode = choose_mode(mode, terminal),
        .color = color == COLOR_ALWAYS || (color == COLOR_AUTO && terminal && !is_set("NO_COLOR")),
        .start_s = clock_monotonic_s(),
        .frame = -1,
        .frames = -1,
    };
    progress->describes_outputs = progress->mode == PROGRESS_JSON;
}

static void drop_pending(Progress *progress)
{
    memory_free(progress->pending);
    progress->pending = NULL;
    progress->pending_size = 0;
}

/* ---- speed ---- */

typedef struct Speed {
    double fps, left_s; /* NaN if unknown */
} Speed;

static Speed speed_of(const Progress *progress, double now)
{
    const int64_t completed = progress->done - progress->skipped;
    const double elapsed = now - progress->stage_s;
    if (completed <= 0 || elapsed <= 0)
        return (Speed){(double)NAN, (double)NAN};
    const double rate = (double)completed / elapsed;
    return (Speed){progress->counts_frames ? rate : (double)NAN,
                   progress->total ? (double)(progress->total - progress->done) / rate
                                   : (double)NAN};
}

/* ---- JSON lines ---- */

typedef struct StartEvent {
    const char *job, *renderer;
    int64_t frames, first, last;
    int pid;
} StartEvent;

static const ResultField StartEvent_fields[] = {
    MEMBER(StartEvent, job, "name of the job, or file of the batch", .nullable = true),
    MEMBER(StartEvent, renderer, "name of the OpenGL renderer", .nullable = true),
    MEMBER(StartEvent, frames, "requested frames; 0 if the run ended before they were known"),
    MEMBER(StartEvent, first, "first of them", .nullable = true),
    MEMBER(StartEvent, last, "last of them", .nullable = true),
    MEMBER(StartEvent, pid, "number of the main process"),
};

typedef Progress StageEvent;

static const ResultField StageEvent_fields[] = {
    MEMBER(Progress, stage, "name of the stage, such as load, render or join"),
    MEMBER(Progress, total, "its steps; 0 if unknown"),
    MEMBER(Progress, skipped, "steps that an earlier run completed"),
};

typedef struct StepEvent {
    const char *stage;
    int64_t done, total, rss_mib;
    double fps, eta_s;
} StepEvent;

static const ResultField StepEvent_fields[] = {
    MEMBER(StepEvent, stage, "name of the stage"),
    MEMBER(StepEvent, done, "completed steps"),
    MEMBER(StepEvent, total, "steps of the stage; 0 if unknown"),
    MEMBER(StepEvent, fps, "frames per second", .nullable = true),
    MEMBER(StepEvent, eta_s, "time left", .unit = "seconds", .nullable = true),
    MEMBER(StepEvent, rss_mib, "memory of the main process", .unit = "MiB"),
};

typedef struct StatusEvent {
    const StepEvent *step;
    ProgressProcesses processes;
} StatusEvent;

typedef struct FrameEvent {
    int64_t frame;
    double ms;
} FrameEvent;

static const ResultField FrameEvent_fields[] = {
    MEMBER(FrameEvent, frame, "number of the frame"),
    MEMBER(FrameEvent, ms, "CPU time of its drawing", .unit = "milliseconds"),
};

typedef struct JobEvent {
    const char *job, *what, *message;
    double took_s;
    int exit;
} JobEvent;

static const ResultField JobEvent_fields[] = {
    MEMBER(JobEvent, job, "name of the job"),
    MEMBER(JobEvent, what, "what happens to it: begins, done, failed, ..."),
    MEMBER(JobEvent, took_s, "duration; null when it begins", .unit = "seconds", .nullable = true),
    MEMBER(JobEvent, exit, "exit status; null when it begins", .nullable = true),
    MEMBER(JobEvent, message, "reason of a failure", .nullable = true),
};

static const ResultField ProgressOutput_fields[] = {
    MEMBER(ProgressOutput, file, "file"),
    MEMBER_NAMED(ProgressOutput, size, "bytes", "size, of all files of an image sequence together",
                 .unit = "bytes", .nullable = true),
    MEMBER_NAMED(ProgressOutput, digest, "sha256",
                 "SHA-256 of the file, or of all files of an image sequence, one after another",
                 .nullable = true),
    MEMBER(ProgressOutput, frames, "number of its frames", .nullable = true),
    MEMBER(ProgressOutput, seconds, "duration of a film", .unit = "seconds", .nullable = true),
};
const ResultTable ProgressOutput_result =
    RESULT_TABLE(ProgressOutput, "a written file, or an image sequence");

static const ResultField ProgressStage_fields[] = {
    MEMBER(ProgressStage, stage, "name of the stage"),
    MEMBER(ProgressStage, seconds, "its wall time", .unit = "seconds"),
};
const ResultTable ProgressStage_result = RESULT_TABLE(ProgressStage, "a stage of the run");

typedef struct EndEvent {
    bool ok;
    int exit;
    int64_t rendered, skipped;
    const ProgressOutput *outputs;
    size_t output_count;
} EndEvent;

static const ResultField EndEvent_fields[] = {
    MEMBER(EndEvent, ok, "the exit status is 0"),
    MEMBER(EndEvent, exit, "exit status"),
    MEMBER(EndEvent, rendered, "rendered frames"),
    MEMBER(EndEvent, skipped, "frames that an earlier run completed"),
    MEMBER_LIST(EndEvent, outputs, output_count, ProgressOutput, "written files"),
};

/* As it is shown, and in parts, as a Problem of inspect/problem_report.h. */
typedef struct MessageEvent {
    const char *message, *code, *file, *text, *hint;
    int line, column;
} MessageEvent;

static const ResultField MessageEvent_fields[] = {
    MEMBER(MessageEvent, message, "message as it is shown"),
    MEMBER(MessageEvent, code, "class of a warning (help warnings), kind of an error",
           .nullable = true),
    MEMBER(MessageEvent, file, "file with the problem", .nullable = true),
    MEMBER(MessageEvent, line, "line in it, from 1 on", .nullable = true),
    MEMBER(MessageEvent, column, "column in the line, from 1 on", .nullable = true),
    MEMBER(MessageEvent, text, "message without place and hint"),
    MEMBER(MessageEvent, hint, "what to write instead", .nullable = true),
};

static const ResultTable StartEvent_result =
                             RESULT_CASE_TABLE(StartEvent, "the first line", "start"),
                         StageEvent_result =
                             RESULT_CASE_TABLE(StageEvent, "a stage begins", "stage"),
                         StepEvent_result =
                             RESULT_CASE_TABLE(StepEvent, "completed steps", "progress"),
                         FrameEvent_result =
                             RESULT_CASE_TABLE(FrameEvent, "a rendered frame, with -v", "frame"),
                         JobEvent_result = RESULT_CASE_TABLE(JobEvent, "a job of a batch", "job"),
                         MessageEvent_result = RESULT_CASE_TABLE(MessageEvent, "a message", "note",
                                                                 "warning", "error"),
                         EndEvent_result = RESULT_CASE_TABLE(EndEvent, "the last line", "end");

static const ResultField StatusEvent_fields[] = {
    MEMBER_PART(StatusEvent, step, StepEvent),
    MEMBER_NAMED(StatusEvent, processes.workers, "workers", "worker processes"),
    MEMBER_NAMED(StatusEvent, processes.alive, "alive", "workers of these that run"),
    MEMBER_NAMED(StatusEvent, processes.worker_mib, "worker_mib", "memory of the largest worker",
                 .unit = "MiB"),
    MEMBER_NAMED(StatusEvent, processes.encoder_mib, "encoder_mib", "memory of the encoder",
                 .unit = "MiB"),
};
static const ResultTable StatusEvent_result =
    RESULT_CASE_TABLE(StatusEvent, "the answer to signal USR1", "status");

static const ResultTable *const events[] = {
    &StartEvent_result,   &StageEvent_result, &StepEvent_result,
    &StatusEvent_result,  &FrameEvent_result, &JobEvent_result,
    &MessageEvent_result, &EndEvent_result,   NULL};

typedef struct Event {
    int v;
    double t;
    ResultCase event;
} Event;

static const ResultField Event_fields[] = {
    MEMBER(Event, v, "version of this format, 1"),
    MEMBER(Event, t, "time since the start", .unit = "seconds"),
    MEMBER_CASE(Event, event, "event", events, "what the line reports"),
};
const ResultTable progress_result = RESULT_TABLE(Event, "a line of --progress json");

/* With three decimals. */
static double rounded(double value)
{
    return round(value * 1000) / 1000;
}

double progress_seconds(const Progress *progress)
{
    return rounded(clock_monotonic_s() - progress->start_s);
}

/* Lines before the start are kept, since `start` comes first and needs the number of frames. */
static void add_pending(Progress *progress, const char *text, size_t size)
{
    progress->pending = memory_resize(progress->pending, progress->pending_size + size);
    memcpy(progress->pending + progress->pending_size, text, size);
    progress->pending_size += size;
}

/* A line is collected in memory and written at once. */
static void write_event(Progress *progress, const char *word, const ResultTable *table,
                        const void *record)
{
    const bool first = table == &StartEvent_result;
    const Event event = {1, first ? 0 : progress_seconds(progress), {word, table, record}};
    Arena *arena = arena_create();
    TextStream stream;
    result_print_line(text_stream_open(&stream, arena), &progress_result, &event);
    const char *text = text_stream_close(&stream);
    if (progress->started || first)
        fwrite(text, 1, stream.size, progress->out);
    else
        add_pending(progress, text, stream.size);
    fflush(progress->out);
    arena_destroy(arena);
}

/* "0:45", "1:02:03" */
static void format_time(char *out, size_t size, double seconds)
{
    const long s = (long)(seconds + 0.5);
    if (s >= 3600)
        snprintf(out, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(out, size, "%ld:%02ld", s / 60, s % 60);
}

/* "render 742/1800 41% 23.4 f/s ETA 0:45" */
static void format_status(char *out, size_t size, const Progress *progress, double now)
{
    const Speed speed = speed_of(progress, now);
    char left[32];
    size_t n = (size_t)snprintf(out, size, "%s %" PRId64, progress->stage, progress->done);
    if (progress->total && n < size)
        n += (size_t)snprintf(out + n, size - n, "/%" PRId64 " %d%%", progress->total,
                              (int)(100 * progress->done / progress->total));
    if (speed.fps >= 0 && n < size)
        n += (size_t)snprintf(out + n, size - n, " %.1f f/s", speed.fps);
    if (speed.left_s >= 0 && progress->done < progress->total && n < size) {
        format_time(left, sizeof left, speed.left_s);
        n += (size_t)snprintf(out + n, size - n, " ETA %s", left);
    }
    if (progress->skipped && n < size)
        snprintf(out + n, size - n, " %" PRId64 " skipped", progress->skipped);
}

/* ---- a bar ---- */

static size_t terminal_width(const Progress *progress)
{
    struct winsize size;
    if (ioctl(fileno(progress->out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

static void clear_bar(Progress *progress)
{
    if (progress->bar)
        fputs("\r\033[K", progress->out);
    progress->bar = false;
}

static void draw_bar(Progress *progress, double now)
{
    enum { CELLS = 24 };
    char status[160], cells[CELLS * 3 + 1] = "";
    const int64_t filled = progress->total ? CELLS * progress->done / progress->total : 0;

    format_status(status, sizeof status, progress, now);
    for (int64_t i = 0; i < CELLS; i++)
        strcat(cells, i < filled ? "━" : "╌");
    fputc('\r', progress->out);
    if (progress->total && strlen(status) + CELLS + 3 < terminal_width(progress))
        fprintf(progress->out, "%s  ", cells);
    fprintf(progress->out, "%.*s\033[K", (int)terminal_width(progress) - 1, status);
    progress->bar = true;
    fflush(progress->out);
}

/* ---- reports ---- */

static void report_json_step(Progress *progress, double now, bool status)
{
    const Speed speed = speed_of(progress, now);
    const StepEvent step = {progress->stage,    progress->done,
                            progress->total,    process_memory_usage(getpid()),
                            rounded(speed.fps), rounded(speed.left_s)};
    const StatusEvent event = {&step, progress->processes};
    if (status)
        write_event(progress, "status", &StatusEvent_result, &event);
    else
        write_event(progress, "progress", &StepEvent_result, &step);
}

/* "odori: status: render 742/1800 41% 23.4 f/s ETA 0:45; 2 of 2 workers; MiB: main 106, worker 356,
 * encoder 264" */
static void report_status(Progress *progress, double now)
{
    const ProgressProcesses *processes = &progress->processes;
    const bool bar = progress->bar;
    char status[160];
    format_status(status, sizeof status, progress, now);
    clear_bar(progress);
    fprintf(progress->out, "odori: status: %s", status);
    if (processes->workers)
        fprintf(progress->out, "; %d of %d workers", processes->alive, processes->workers);
    fprintf(progress->out, "; MiB: main %" PRId64, process_memory_usage(getpid()));
    if (processes->workers)
        fprintf(progress->out, ", worker %" PRId64, processes->worker_mib);
    if (processes->encoder_mib)
        fprintf(progress->out, ", encoder %" PRId64, processes->encoder_mib);
    fputc('\n', progress->out);
    if (bar)
        draw_bar(progress, now);
    fflush(progress->out);
}

/* Also under -q, because it was requested. */
static void report_requested_status(Progress *progress, double now)
{
    if (!progress->status_requests || *progress->status_requests == progress->status_reported ||
        !progress->stage || progress->ended)
        return;
    progress->status_reported = *progress->status_requests;
    if (progress->mode == PROGRESS_JSON)
        report_json_step(progress, now, true);
    else
        report_status(progress, now);
}

void progress_format_position(char *out, size_t size, const Progress *progress)
{
    const int n =
        snprintf(out, size, "%s: %" PRId64 " of %" PRId64 " done",
                 progress->stage ? progress->stage : "load", progress->done, progress->total);
    if (progress->frame >= 0 && n > 0 && (size_t)n < size)
        snprintf(out + n, size - (size_t)n, ", the last was frame %" PRId64, progress->frame);
}

/* ---- Open Job Description: lines that a render manager reads from the output ---- */

static void report_openjd(Progress *progress, double now)
{
    char status[160];
    const double percent =
        progress->total ? 100 * (double)progress->done / (double)progress->total : 0;
    format_status(status, sizeof status, progress, now);
    if (percent > progress->percent)
        progress->percent = percent;
    fprintf(progress->out, "openjd_progress: %.1f\nopenjd_status: %s\n", progress->percent, status);
    fflush(progress->out);
}

/* The first error; a message of several lines would end at its first one. */
static void report_openjd_failure(Progress *progress, const char *message)
{
    char line[1024];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(message, "\n"), message);
    if (!progress->failed)
        text_printf(progress->out, "openjd_fail: %s\n", line);
    progress->failed = true;
}

static bool is_due(const Progress *progress, double now)
{
    const double since = now - progress->reported_s;
    const bool last = progress->total && progress->done >= progress->total;
    const bool news = progress->done != progress->reported;
    const int64_t tenth = progress->total / PLAIN_STEPS;

    switch (progress->mode) {
    case PROGRESS_TTY:
        return since >= TTY_S || last;
    case PROGRESS_PLAIN:
        return news &&
               (since >= PLAIN_S || last ||
                (tenth && since >= 1 && progress->done / tenth > progress->reported / tenth));
    case PROGRESS_JSON:
    case PROGRESS_OPENJD:
        return news && (since >= JSON_S || last);
    default:
        return false;
    }
}

void progress_tick(Progress *progress)
{
    progress_step(progress, progress->done);
}

void progress_step(Progress *progress, int64_t done)
{
    const double now = clock_monotonic_s();
    progress->done = done;
    report_requested_status(progress, now);
    if (progress->quiet || !progress->stage || !is_due(progress, now))
        return;
    if (progress->mode == PROGRESS_TTY) {
        draw_bar(progress, now);
    } else if (progress->mode == PROGRESS_JSON) {
        report_json_step(progress, now, false);
    } else if (progress->mode == PROGRESS_OPENJD) {
        report_openjd(progress, now);
    } else {
        char status[160];
        format_status(status, sizeof status, progress, now);
        fprintf(progress->out, "%s\n", status);
        fflush(progress->out);
    }
    progress->reported_s = now;
    progress->reported = done;
}

void progress_start(Progress *progress, const char *job, int64_t frames, int64_t first,
                    int64_t last)
{
    const StartEvent event = {.job = job,
                              .renderer = *progress->renderer ? progress->renderer : NULL,
                              .frames = frames,
                              .first = frames ? first : -1,
                              .last = frames ? last : -1,
                              .pid = getpid()};
    if (progress->started)
        return;
    progress->frames = frames;
    if (progress->mode == PROGRESS_JSON) {
        write_event(progress, "start", &StartEvent_result, &event);
        if (progress->pending)
            fwrite(progress->pending, 1, progress->pending_size, progress->out);
        drop_pending(progress);
    } else if (*progress->renderer && progress->verbose && progress->mode != PROGRESS_NONE) {
        text_printf(progress->out, "OpenGL: %s\n", progress->renderer);
    }
    progress->started = true;
}

void progress_end_stage(Progress *progress)
{
    ProgressStage *at = progress->stages, *end = at + progress->stage_count;
    if (!progress->stage)
        return;
    while (at < end && strcmp(at->stage, progress->stage) != 0)
        at++;
    if (at == end && progress->stage_count == PROGRESS_STAGES)
        return;
    if (at == end)
        progress->stages[progress->stage_count++] = (ProgressStage){progress->stage, 0};
    at->seconds = rounded(at->seconds + clock_monotonic_s() - progress->stage_s);
}

static void begin_stage(Progress *progress, const char *stage, int64_t total, int64_t skipped)
{
    clear_bar(progress);
    progress_end_stage(progress);
    progress->stage = stage;
    progress->total = total;
    progress->skipped = progress->done = progress->reported = skipped;
    progress->skipped_all += skipped;
    progress->stage_s = progress->reported_s = clock_monotonic_s();
    if (progress->mode == PROGRESS_JSON)
        write_event(progress, "stage", &StageEvent_result, progress);
    if (progress->mode == PROGRESS_TTY && !progress->quiet)
        draw_bar(progress, progress->stage_s);
    if (progress->mode == PROGRESS_OPENJD)
        report_openjd(progress, progress->stage_s);
    report_requested_status(progress, progress->stage_s);
}

void progress_stage(Progress *progress, const char *stage, int64_t total, int64_t skipped)
{
    progress->counts_frames = true;
    begin_stage(progress, stage, total, skipped);
}

void progress_stage_of_items(Progress *progress, const char *stage, int64_t total)
{
    progress->counts_frames = false;
    begin_stage(progress, stage, total, 0);
}

void progress_frame(Progress *progress, int64_t frame, double ms)
{
    progress->rendered++;
    progress->frame = frame;
    if (!progress->verbose)
        return;
    if (progress->mode == PROGRESS_JSON) {
        write_event(progress, "frame", &FrameEvent_result, &(FrameEvent){frame, rounded(ms)});
    } else if (progress->mode == PROGRESS_PLAIN) {
        fprintf(progress->out, "frame %" PRId64 ": %.1f ms\n", frame, ms);
    }
}

void progress_job(Progress *progress, const char *job, const char *what, double took_s,
                  int exit_status, const char *message)
{
    char time[32];
    if (progress->mode == PROGRESS_JSON) {
        const bool ended = took_s >= 0;
        const JobEvent event = {job, what, message, ended ? rounded(took_s) : (double)NAN,
                                ended ? exit_status : -1};
        write_event(progress, "job", &JobEvent_result, &event);
        return;
    }
    if (progress->quiet || progress->mode == PROGRESS_NONE)
        return;
    const bool bar = progress->bar;
    clear_bar(progress);
    text_printf(progress->out, "%s: %s", job, what);
    format_time(time, sizeof time, took_s);
    if (took_s >= 0 && exit_status)
        fprintf(progress->out, " after %s (%d)", time, exit_status);
    else if (took_s >= 0)
        fprintf(progress->out, " in %s", time);
    if (message)
        text_printf(progress->out, ": %s", message);
    fputc('\n', progress->out);
    if (bar)
        draw_bar(progress, clock_monotonic_s());
    fflush(progress->out);
}

void progress_clear(Progress *progress)
{
    clear_bar(progress);
    fflush(progress->out);
}

void progress_output(Progress *progress, const ProgressOutput *output)
{
    progress->outputs =
        memory_resize(progress->outputs, (progress->output_count + 1) * sizeof *progress->outputs);
    progress->outputs[progress->output_count++] = *output;
}

/* A digest that cannot be read, which is no fault of the run, is left out. */
void progress_measure_output(const Progress *progress, ProgressOutput *output)
{
    Diag trial = diag_quiet();
    struct stat st;
    uint64_t bytes;
    if (file_is_stream(output->file) || stat(output->file, &st) != 0)
        return;
    output->size = (int64_t)st.st_size;
    if (progress->describes_outputs &&
        !file_digest(&output->digest, &bytes, output->file, NULL, &trial))
        output->digest = (Digest){{0}};
}

void progress_output_file(Progress *progress, const char *file)
{
    ProgressOutput output = {.file = file, .size = -1, .frames = -1, .seconds = (double)NAN};
    progress_measure_output(progress, &output);
    progress_output(progress, &output);
}

static void report_json_end(Progress *progress, int exit_status)
{
    const EndEvent event = {exit_status == 0,      exit_status,       progress->rendered,
                            progress->skipped_all, progress->outputs, progress->output_count};
    progress_start(progress, progress->job, 0, 0, 0);
    write_event(progress, "end", &EndEvent_result, &event);
}

/* "600 frames in 0:26, 23.1 f/s", and a line for each output */
static void report_end(Progress *progress)
{
    const double now = clock_monotonic_s();
    char time[32];
    format_time(time, sizeof time, now - progress->start_s);
    fprintf(progress->out, "%s in %s", text_frames(progress->rendered).text, time);
    if (progress->rendered && now > progress->start_s)
        fprintf(progress->out, ", %.1f f/s",
                (double)progress->rendered / (now - progress->start_s));
    fputc('\n', progress->out);
    for (size_t i = 0; i < progress->output_count; i++) {
        const ProgressOutput *output = &progress->outputs[i];
        const double size = (double)output->size;
        if (output->size < 0)
            text_printf(progress->out, "wrote %s\n", output->file);
        else if (output->size < 1000000)
            text_printf(progress->out, "wrote %s, %.1f kB\n", output->file, size / 1e3);
        else
            text_printf(progress->out, "wrote %s, %.1f MB\n", output->file, size / 1e6);
    }
}

void progress_end(Progress *progress, int exit_status)
{
    if (progress->ended)
        return;
    clear_bar(progress);
    if (progress->mode == PROGRESS_JSON)
        report_json_end(progress, exit_status);
    else if (exit_status == 0 && !progress->quiet && progress->mode != PROGRESS_NONE)
        report_end(progress);
    fflush(progress->out);
    progress->ended = true;
    drop_pending(progress);
    memory_free(progress->outputs);
    progress->outputs = NULL;
    progress->output_count = 0;
}

/* ---- messages ---- */

/* Names come from files: no escape sequence in one may reach the terminal, and no line break may
 * look like a new message.  Continuation lines of our own messages begin with a space. */
static void write_sanitized(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\n')
            fputs(text[1] == ' ' ? "\n" : "\n    ", out);
        else if ((unsigned char)*text < 0x20 || *text == 0x7F)
            fputc('?', out);
        else if ((unsigned char)text[0] == 0xC2 && ((unsigned char)text[1] & 0xE0) == 0x80)
            fputc('?', out), text++; /* U+0080..U+009F */
        else
            fputc(*text, out);
    }
    fputc('\n', out);
}

static void report_json_message(Progress *progress, const DiagMessage *m)
{
    static const char *const words[] = {"note", "warning", "error"};
    const MessageEvent event = {.message = m->shown,
                                .code = *m->code ? m->code : NULL,
                                .file = *m->file ? m->file : NULL,
                                .text = m->text,
                                .hint = *m->hint ? m->hint : NULL,
                                .line = m->line ? (int)m->line : -1,
                                .column = m->column ? (int)m->column : -1};
    write_event(progress, words[m->level], &MessageEvent_result, &event);
}

void progress_report(void *user, const DiagMessage *message)
{
    static const char *const words[] = {"", "warning: ", "error: "};
    static const char *const colors[] = {"", "\033[33m", "\033[31m"};
    Progress *progress = user;
    const DiagLevel level = message->level;

    if (level != DIAG_ERROR && progress->quiet)
        return;
    if (progress->mode == PROGRESS_JSON && !progress->ended) {
        report_json_message(progress, message);
        return;
    }
    const bool bar = progress->bar;
    clear_bar(progress);
    fprintf(progress->out, "odori: %s%s%s", progress->color ? colors[level] : "", words[level],
            progress->color ? "\033[0m" : "");
    write_sanitized(progress->out, message->shown);
    if (level == DIAG_ERROR && progress->mode == PROGRESS_OPENJD)
        report_openjd_failure(progress, message->shown);
    if (bar)
        draw_bar(progress, clock_monotonic_s());
    fflush(progress->out);
}
