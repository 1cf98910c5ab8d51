// SPDX-License-Identifier: MIT
#include "base/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
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
    };
}

static void drop_pending(Progress *progress)
{
    memory_free(progress->pending);
    progress->pending = NULL;
    progress->pending_size = 0;
}

/* ---- JSON lines ---- */

typedef struct Line { /* one object, collected in memory and written at once */
    Progress *progress;
    Arena *arena;
    TextStream stream;
    Json json;
} Line;

static void line_begin(Line *line, Progress *progress, const char *event)
{
    line->progress = progress;
    line->arena = arena_create();
    const double t = !strcmp(event, "start") ? 0 : clock_monotonic_s() - progress->start_s;
    line->json = json_init(text_stream_open(&line->stream, line->arena));
    json_print(&line->json, "{v:1 t:%g event:%s", round(t * 1000) / 1000, event);
}

/* Lines before the start are kept, since `start` comes first and needs the number of frames. */
static void add_pending(Progress *progress, const char *text, size_t size)
{
    progress->pending = memory_resize(progress->pending, progress->pending_size + size);
    memcpy(progress->pending + progress->pending_size, text, size);
    progress->pending_size += size;
}

static void line_end(Line *line, bool first)
{
    json_print(&line->json, "}\n");
    const char *text = text_stream_close(&line->stream);
    if (line->progress->started || first)
        fwrite(text, 1, line->stream.size, line->progress->out);
    else
        add_pending(line->progress, text, line->stream.size);
    fflush(line->progress->out);
    arena_destroy(line->arena);
}

/* With three decimals; -1 (unknown) becomes null. */
static void add_number(Line *line, const char *key, double value)
{
    json_key(&line->json, key);
    json_print(&line->json, "%g", value < 0 ? (double)NAN : round(value * 1000) / 1000);
}

/* ---- speed ---- */

typedef struct Speed {
    double fps, left_s; /* -1 if unknown */
} Speed;

static Speed speed_of(const Progress *progress, double now)
{
    const int64_t completed = progress->done - progress->skipped;
    const double elapsed = now - progress->stage_s;
    if (completed <= 0 || elapsed <= 0)
        return (Speed){-1, -1};
    const double rate = (double)completed / elapsed;
    return (Speed){progress->counts_frames ? rate : -1,
                   progress->total ? (double)(progress->total - progress->done) / rate : -1};
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

/* Begins the line of an event that describes the current stage. */
static void stage_line_begin(Line *line, Progress *progress, const char *event, double now)
{
    const Speed speed = speed_of(progress, now);
    line_begin(line, progress, event);
    json_print(&line->json, "stage:%s done:%jd total:%jd", progress->stage, progress->done,
               progress->total);
    add_number(line, "fps", speed.fps);
    add_number(line, "eta_s", speed.left_s);
}

static void report_json_progress(Progress *progress, double now)
{
    Line line;
    stage_line_begin(&line, progress, "progress", now);
    json_print(&line.json, "rss_mib:%jd", process_memory_usage(getpid()));
    line_end(&line, false);
}

static void report_json_status(Progress *progress, double now)
{
    const ProgressProcesses *processes = &progress->processes;
    Line line;
    stage_line_begin(&line, progress, "status", now);
    json_print(&line.json, "workers:%d alive:%d rss_mib:%jd worker_mib:%jd encoder_mib:%jd",
               processes->workers, processes->alive, process_memory_usage(getpid()),
               processes->worker_mib, processes->encoder_mib);
    line_end(&line, false);
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
        report_json_status(progress, now);
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
        report_json_progress(progress, now);
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
    Line line;
    if (progress->started)
        return;
    if (progress->mode == PROGRESS_JSON) {
        line_begin(&line, progress, "start");
        json_print(&line.json, "job:%s", job);
        if (progress->renderer)
            json_print(&line.json, "renderer:%s", progress->renderer);
        json_print(&line.json, "frames:%jd", frames);
        if (frames)
            json_print(&line.json, "first:%jd last:%jd", first, last);
        json_print(&line.json, "pid:%d", getpid());
        line_end(&line, true);
        if (progress->pending)
            fwrite(progress->pending, 1, progress->pending_size, progress->out);
        drop_pending(progress);
    } else if (progress->renderer && progress->verbose && progress->mode != PROGRESS_NONE) {
        text_printf(progress->out, "OpenGL: %s\n", progress->renderer);
    }
    progress->started = true;
}

static void begin_stage(Progress *progress, const char *stage, int64_t total, int64_t skipped)
{
    Line line;
    clear_bar(progress);
    progress->stage = stage;
    progress->total = total;
    progress->skipped = progress->done = progress->reported = skipped;
    progress->skipped_all += skipped;
    progress->stage_s = progress->reported_s = clock_monotonic_s();
    if (progress->mode == PROGRESS_JSON) {
        line_begin(&line, progress, "stage");
        json_print(&line.json, "stage:%s total:%jd skipped:%jd", stage, total, skipped);
        line_end(&line, false);
    }
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
    Line line;
    progress->rendered++;
    progress->frame = frame;
    if (!progress->verbose)
        return;
    if (progress->mode == PROGRESS_JSON) {
        line_begin(&line, progress, "frame");
        json_print(&line.json, "frame:%jd", frame);
        add_number(&line, "ms", ms);
        line_end(&line, false);
    } else if (progress->mode == PROGRESS_PLAIN) {
        fprintf(progress->out, "frame %" PRId64 ": %.1f ms\n", frame, ms);
    }
}

static void report_json_job(Progress *progress, const char *job, const char *what, double took_s,
                            int exit_status, const char *message)
{
    Line line;
    line_begin(&line, progress, "job");
    json_print(&line.json, "job:%s what:%s", job, what);
    if (took_s >= 0) {
        add_number(&line, "took_s", took_s);
        json_print(&line.json, "exit:%d", exit_status);
    }
    if (message)
        json_print(&line.json, "message:%s", message);
    line_end(&line, false);
}

void progress_job(Progress *progress, const char *job, const char *what, double took_s,
                  int exit_status, const char *message)
{
    char time[32];
    if (progress->mode == PROGRESS_JSON) {
        report_json_job(progress, job, what, took_s, exit_status, message);
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

void progress_output(Progress *progress, const char *file, int64_t size)
{
    if (progress->output_count < PROGRESS_OUTPUTS)
        progress->outputs[progress->output_count++] = (ProgressOutput){file, size};
}

static void report_json_end(Progress *progress, int exit_status)
{
    Line line;
    progress_start(progress, progress->job, 0, 0, 0);
    line_begin(&line, progress, "end");
    const bool ok = exit_status == 0;
    json_print(&line.json, "ok:%hhd exit:%d rendered:%jd skipped:%jd outputs:[", ok, exit_status,
               progress->rendered, progress->skipped_all);
    for (size_t i = 0; i < progress->output_count; i++) {
        json_print(&line.json, "{file:%s bytes:", progress->outputs[i].file);
        if (progress->outputs[i].size < 0)
            json_text(&line.json, NULL);
        else
            json_int(&line.json, progress->outputs[i].size);
        json_print(&line.json, "}");
    }
    json_print(&line.json, "]");
    line_end(&line, false);
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

/* As it is shown, and in parts, as a Problem of inspect/problem_report.h. */
static void report_json_message(Progress *progress, const DiagMessage *m)
{
    static const char *const events[] = {"note", "warning", "error"};
    const double unknown = (double)NAN; /* which becomes null */
    Line line;
    line_begin(&line, progress, events[m->level]);
    json_print(&line.json, "message:%s code:%s file:%s line:%g column:%g text:%s hint:%s", m->shown,
               *m->code ? m->code : NULL, *m->file ? m->file : NULL, m->line ? m->line : unknown,
               m->column ? m->column : unknown, m->text, *m->hint ? m->hint : NULL);
    line_end(&line, false);
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
