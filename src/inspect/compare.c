#include "inspect/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/image_metrics.h"
#include "base/text.h"
#include "base/text_escape.h"
#include "film/path_conflicts.h"
#include "inspect/frame_source.h"
#include "output/sink.h"

enum { AMPLIFICATION = 4 }; /* factor of the difference image */

typedef struct Pair {
    int64_t number;
    double psnr, ssim;
} Pair;

typedef struct Comparison {
    const CompareOptions *options;
    FILE *out;
    Json json;
    FrameSource *a, *b;
    Arena *scratch, *worst_arena;
    int64_t compared, equal, below; /* below: the threshold */
    int64_t only_a, only_b, first;  /* first: differing frame, or -1 */
    double mse, ssim;               /* sums */
    Pair worst;
    Image worst_image; /* of the worst pair, in `worst_arena` */
} Comparison;

bool compare_parse_threshold(CompareOptions *options, const char *text)
{
    char number[32];
    const size_t length = strlen(text);
    const bool db = length > 2 && text_equal_ignoring_case(text + length - 2, "dB");
    const size_t digits = db ? length - 2 : length;
    double value;
    if (digits >= sizeof number)
        return false;
    memcpy(number, text, digits);
    number[digits] = '\0';
    if (!text_to_double(&value, number) || value < 0 || value > (db ? 200 : 1))
        return false;
    options->min_psnr = db ? value : 0;
    options->min_ssim = db ? -1 : value;
    return true;
}

/* ---- the worst pair ---- */

static uint8_t amplify(uint8_t a, uint8_t b)
{
    const int d = AMPLIFICATION * abs(a - b);
    return (uint8_t)(d < 255 ? d : 255);
}

/* Three images side by side: A, B and the amplified difference. */
static void keep_worst_pair(Comparison *c, const Image *a, const Image *b)
{
    const size_t width = (size_t)a->width, row = 4 * width;
    if (c->worst_image.width != 3 * a->width || c->worst_image.height != a->height) {
        arena_reset(c->worst_arena);
        c->worst_image = (Image){3 * a->width, a->height, false,
                                 arena_calloc(c->worst_arena, 3 * width * (size_t)a->height, 4)};
    }
    for (size_t y = 0; y < (size_t)a->height; y++) {
        const uint8_t *left = a->pixels + y * row, *right = b->pixels + y * row;
        uint8_t *to = c->worst_image.pixels + 3 * y * row;
        memcpy(to, left, row);
        memcpy(to + row, right, row);
        for (size_t x = 0; x < row; x++)
            to[2 * row + x] = x % 4 == 3 ? 255 : amplify(left[x], right[x]);
    }
    c->worst_image.has_alpha = a->has_alpha || b->has_alpha;
}

static bool save_worst_pair(const Comparison *c, Diag *diag)
{
    const Image *image = &c->worst_image;
    const SinkOptions options = {.file = c->options->difference_file,
                                 .width = image->width,
                                 .height = image->height,
                                 .alpha = image->has_alpha,
                                 .fps_num = 1,
                                 .fps_den = 1,
                                 .frame_count = 1};
    Sink *sink = sink_png.create(&options, diag);
    const bool ok = sink && sink_png.write(sink, image, 0, diag) && sink_png.finish(sink, diag);
    sink_png.destroy(sink);
    return ok;
}

/* ---- pairs of frames ---- */

static bool is_below(const CompareOptions *o, const ImageMetrics *l, double psnr)
{
    if (o->min_psnr > 0)
        return psnr < o->min_psnr;
    return o->min_ssim >= 1 ? !l->equal : l->ssim < o->min_ssim;
}

static void write_pair(Comparison *c, const Pair *pair, bool equal)
{
    if (c->options->format == REPORT_JSON) {
        json_newline(&c->json);
        json_open(&c->json, '{');
        json_pair_int(&c->json, "frame", pair->number);
        json_pair_bool(&c->json, "equal", equal);
        json_pair_short(&c->json, "psnr", pair->psnr); /* null if infinite */
        json_pair_short(&c->json, "ssim", pair->ssim);
        json_close(&c->json, '}');
    } else if (c->options->verbose) {
        fprintf(c->out,
                equal ? "frame %" PRId64 ": equal\n"
                      : "frame %" PRId64 ": PSNR %.2f dB, SSIM %.5f\n",
                pair->number, pair->psnr, pair->ssim);
    }
}

static bool compare_pair(Comparison *c, const Image *a, const Image *b, int64_t number, Diag *diag)
{
    if (a->width != b->width || a->height != b->height)
        return diag_fail(diag, DIAG_FAILED, "frame %" PRId64 ": the sizes differ: %dx%d and %dx%d",
                         number, a->width, a->height, b->width, b->height);
    arena_reset(c->scratch);
    const ImageMetrics l = image_metrics_compare(a, b, c->scratch);
    const Pair pair = {number, image_metrics_psnr(l.mse), l.ssim};
    c->compared++;
    c->equal += l.equal;
    c->below += is_below(c->options, &l, pair.psnr);
    c->mse += l.mse;
    c->ssim += l.ssim;
    if (!l.equal && c->first < 0)
        c->first = number;
    if (!l.equal && (c->worst.number < 0 || pair.psnr < c->worst.psnr)) {
        c->worst = pair;
        if (c->options->difference_file)
            keep_worst_pair(c, a, b);
    }
    write_pair(c, &pair, l.equal);
    return true;
}

/* Reads both inputs in parallel.  With numbers, a frame that only one of them has is counted and
 * skipped. */
static bool compare_frames(Comparison *c, Diag *diag)
{
    const bool numbered = frame_source_is_numbered(c->a) && frame_source_is_numbered(c->b);
    const Image *a = NULL, *b = NULL;
    int64_t number_a = 0, number_b = 0;
    bool next_a = true, next_b = true;
    for (;;) {
        if ((next_a && !frame_source_read(&a, &number_a, c->a, diag)) ||
            (next_b && !frame_source_read(&b, &number_b, c->b, diag)))
            return false;
        if (c->options->stop && *c->options->stop)
            return false;
        if (!a && !b)
            return true;
        next_a = a && (!b || !numbered || number_a <= number_b);
        next_b = b && (!a || !numbered || number_b <= number_a);
        c->only_a += next_a && !next_b;
        c->only_b += next_b && !next_a;
        if (next_a && next_b && !compare_pair(c, a, b, number_a, diag))
            return false;
    }
}

/* ---- summary ---- */

static bool is_match(const Comparison *c)
{
    return c->compared && !c->below && !c->only_a && !c->only_b;
}

static void write_text(const Comparison *c)
{
    const double n = (double)c->compared;
    fprintf(c->out, "%" PRId64 " frames compared: %" PRId64 " equal, %" PRId64 " different\n",
            c->compared, c->equal, c->compared - c->equal);
    if (c->only_a || c->only_b)
        text_printf(c->out, "%" PRId64 " frames only in %s, %" PRId64 " only in %s\n", c->only_a,
                    c->options->a, c->only_b, c->options->b);
    if (c->first < 0)
        return;
    fprintf(c->out, "first difference: frame %" PRId64 "\n", c->first);
    fprintf(c->out, "worst: frame %" PRId64 ", PSNR %.2f dB, SSIM %.5f\n", c->worst.number,
            c->worst.psnr, c->worst.ssim);
    fprintf(c->out, "all: PSNR %.2f dB, SSIM %.5f\n", image_metrics_psnr(c->mse / n), c->ssim / n);
    if (c->below && c->options->min_psnr > 0)
        fprintf(c->out, "%" PRId64 " frames are below %.10g dB\n", c->below, c->options->min_psnr);
    else if (c->below && c->options->min_ssim < 1)
        fprintf(c->out, "%" PRId64 " frames are below an SSIM of %.10g\n", c->below,
                c->options->min_ssim);
}

static void write_json_end(Comparison *c)
{
    Json *json = &c->json;
    const double n = c->compared ? (double)c->compared : 1;
    json_close(json, ']');
    json_newline(json);
    json_pair_int(json, "compared", c->compared);
    json_pair_int(json, "equal", c->equal);
    json_pair_int(json, "only_a", c->only_a);
    json_pair_int(json, "only_b", c->only_b);
    json_pair_int(json, "first_difference", c->first); /* -1 if there is none */
    json_pair_int(json, "worst", c->worst.number);
    json_pair_short(json, "psnr", image_metrics_psnr(c->mse / n));
    json_pair_short(json, "ssim", c->compared ? c->ssim / n : (double)NAN);
    json_pair_int(json, "below_threshold", c->below);
    json_pair_bool(json, "ok", is_match(c));
    json_close(json, '}');
    json_newline(json);
}

/* What differs, on one line. */
static const char *describe_difference(const Comparison *c, Arena *arena)
{
    if (!c->compared)
        return "no frames were compared";
    const char *only =
        c->only_a || c->only_b
            ? arena_printf(arena,
                           "%" PRId64 " frames only in the first, %" PRId64 " only in the second; ",
                           c->only_a, c->only_b)
            : "";
    if (c->first < 0)
        return arena_printf(arena, "%sall others are equal", only);
    return arena_printf(arena,
                        "%s%" PRId64 " of %" PRId64 " frames differ, first frame %" PRId64
                        "; worst frame %" PRId64 ", PSNR %.2f dB, SSIM %.5f",
                        only, c->compared - c->equal, c->compared, c->first, c->worst.number,
                        c->worst.psnr, c->worst.ssim);
}

/* The annotation of GitHub and the JUnit file. */
static bool write_reports(Comparison *c, Diag *diag)
{
    Arena *arena = arena_create();
    ProblemList problems = {.arena = arena};
    const char *subject = arena_printf(arena, "%s = %s", c->options->a, c->options->b);
    const JunitReport report = {"compare", &subject, 1, !is_match(c)};
    if (!is_match(c))
        problem_list_add(&problems, &(DiagMessage){.level = DIAG_ERROR,
                                                   .code = "difference",
                                                   .file = c->options->b,
                                                   .text = describe_difference(c, arena),
                                                   .hint = ""});
    if (c->options->format == REPORT_GITHUB)
        problem_list_write_github(c->out, &problems);
    const bool good =
        !c->options->junit || problem_list_save_junit(c->options->junit, &problems, &report, diag);
    arena_destroy(arena);
    return good;
}

static bool compare(Comparison *c, Diag *diag)
{
    if (c->options->format == REPORT_JSON) {
        json_open(&c->json, '{');
        json_key(&c->json, "frames");
        json_open(&c->json, '[');
    }
    const bool compared_all = compare_frames(c, diag);
    if (c->options->format == REPORT_JSON)
        write_json_end(c);
    else if (compared_all)
        write_text(c);
    if (compared_all && !write_reports(c, diag))
        return false;
    if (compared_all && c->options->difference_file && c->worst_image.pixels &&
        !save_worst_pair(c, diag))
        return false;
    if (compared_all && !is_match(c) && diag->kind == DIAG_NONE)
        diag->kind = DIAG_FAILED;
    return compared_all && is_match(c);
}

/* The image of the difference must not replace what is compared. */
static bool check_difference_file(const CompareOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    PathConflicts *conflicts = path_conflicts_create(DIAG_USAGE, arena);
    path_conflicts_add_source(conflicts, "first operand", options->a);
    path_conflicts_add_source(conflicts, "second operand", options->b);
    const bool good =
        path_conflicts_add_output(conflicts, "--output", options->difference_file, NULL, diag) &&
        file_check_new(options->difference_file, options->overwrite, diag);
    arena_destroy(arena);
    return good;
}

bool compare_write(FILE *out, const CompareOptions *options, Diag *diag)
{
    if (options->difference_file && !check_difference_file(options, diag))
        return false;
    Comparison c = {.options = options,
                    .out = out,
                    .json = json_init(out),
                    .scratch = arena_create(),
                    .worst_arena = arena_create(),
                    .first = -1,
                    .worst.number = -1};
    c.a = frame_source_open(options->a, diag);
    c.b = c.a ? frame_source_open(options->b, diag) : NULL;
    const bool good = c.b && compare(&c, diag);
    frame_source_close(c.a);
    frame_source_close(c.b);
    arena_destroy(c.scratch);
    arena_destroy(c.worst_arena);
    return good;
}
