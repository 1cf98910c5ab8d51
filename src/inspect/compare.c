#include "inspect/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "base/text_escape.h"
#include "film/path_conflicts.h"
#include "inspect/compare_exr.h"
#include "inspect/comparison/film_comparison.h"
#include "inspect/comparison/frame_pairing.h"
#include "output/image_file.h"

enum { AMPLIFICATION = 4 }; /* factor of the difference image */

typedef struct Comparison {
    const CompareOptions *options;
    FILE *out;
    Json json;
    FilmComparison film;
    int64_t below;       /* the threshold */
    FramePair worst;     /* number -1: none differs */
    int64_t deep, mixed; /* pairs of 16 bits a sample; of them, pairs of 8 and 16 bits */
    int max_difference;  /* in pairs of 16 bits, 0..65535 */
    Arena *worst_arena;
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
    options->has_threshold = true;
    options->min_psnr = db ? value : 0;
    options->min_ssim = db ? -1 : value;
    return true;
}

bool compare_parse_tolerance(CompareOptions *options, const char *text)
{
    double value;
    if (!text_to_double(&value, text) || value < 0)
        return false;
    options->has_tolerance = true;
    options->tolerance = value;
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

/* ---- pairs of frames ---- */

static bool is_below(const CompareOptions *o, const FramePair *pair)
{
    if (o->min_psnr > 0)
        return pair->psnr < o->min_psnr;
    return o->min_ssim >= 1 ? !pair->equal : pair->ssim < o->min_ssim;
}

static bool is_deep(const FramePair *pair)
{
    return pair->bits_a == 16 || pair->bits_b == 16;
}

static void count_deep(Comparison *c, const FramePair *pair)
{
    c->deep += is_deep(pair);
    c->mixed += pair->bits_a != pair->bits_b;
    if (is_deep(pair) && pair->max_difference > c->max_difference)
        c->max_difference = pair->max_difference;
}

static void write_pair(Comparison *c, const FramePair *pair)
{
    if (c->options->format == REPORT_JSON) {
        json_newline(&c->json);
        json_open(&c->json, '{');
        json_pair_int(&c->json, "frame", pair->number);
        json_pair_bool(&c->json, "equal", pair->equal);
        json_pair_short(&c->json, "psnr", pair->psnr); /* null if infinite */
        json_pair_short(&c->json, "ssim", pair->ssim);
        if (is_deep(pair))
            json_pair_int(&c->json, "max_difference_16_bit", pair->max_difference);
        json_close(&c->json, '}');
    } else if (c->options->verbose) {
        fprintf(c->out,
                pair->equal ? "frame %" PRId64 ": equal\n"
                            : "frame %" PRId64 ": PSNR %.2f dB, SSIM %.5f\n",
                pair->number, pair->psnr, pair->ssim);
    }
}

static bool visit_pair(void *user, const FramePair *pair, Diag *diag)
{
    Comparison *c = user;
    (void)diag;
    c->below += is_below(c->options, pair);
    count_deep(c, pair);
    if (!pair->equal && (c->worst.number < 0 || pair->psnr < c->worst.psnr)) {
        c->worst = *pair;
        if (c->options->difference_file)
            keep_worst_pair(c, pair->a, pair->b);
    }
    write_pair(c, pair);
    return true;
}

/* ---- summary ---- */

static bool is_match(const Comparison *c)
{
    return c->film.compared && !c->below && !c->film.only_a && !c->film.only_b;
}

static void write_deep_text(const Comparison *c)
{
    if (c->deep)
        fprintf(c->out, "%" PRId64 " frames compared at 16 bits: largest difference %d of 65535\n",
                c->deep, c->max_difference);
    if (c->mixed)
        fprintf(c->out, "%" PRId64 " of them have 8 bits in one input and 16 in the other\n",
                c->mixed);
}

static void write_text(const Comparison *c)
{
    fprintf(c->out, "%" PRId64 " frames compared: %" PRId64 " equal, %" PRId64 " different\n",
            c->film.compared, c->film.equal, c->film.compared - c->film.equal);
    if (c->film.only_a || c->film.only_b)
        text_printf(c->out, "%" PRId64 " frames only in %s, %" PRId64 " only in %s\n",
                    c->film.only_a, c->options->a, c->film.only_b, c->options->b);
    write_deep_text(c);
    if (c->film.first < 0)
        return;
    fprintf(c->out, "first difference: frame %" PRId64 "\n", c->film.first);
    fprintf(c->out, "worst: frame %" PRId64 ", PSNR %.2f dB, SSIM %.5f\n", c->worst.number,
            c->worst.psnr, c->worst.ssim);
    fprintf(c->out, "all: PSNR %.2f dB, SSIM %.5f\n", film_comparison_psnr(&c->film),
            film_comparison_ssim(&c->film));
    if (c->below && c->options->min_psnr > 0)
        fprintf(c->out, "%" PRId64 " frames are below %.10g dB\n", c->below, c->options->min_psnr);
    else if (c->below && c->options->min_ssim < 1)
        fprintf(c->out, "%" PRId64 " frames are below an SSIM of %.10g\n", c->below,
                c->options->min_ssim);
}

static void write_json_end(Comparison *c)
{
    Json *json = &c->json;
    json_close(json, ']');
    json_newline(json);
    json_pair_int(json, "compared", c->film.compared);
    json_pair_int(json, "equal", c->film.equal);
    json_pair_int(json, "only_a", c->film.only_a);
    json_pair_int(json, "only_b", c->film.only_b);
    json_pair_int(json, "first_difference", c->film.first); /* -1 if there is none */
    json_pair_int(json, "worst", c->worst.number);
    json_pair_short(json, "psnr", film_comparison_psnr(&c->film));
    json_pair_short(json, "ssim", film_comparison_ssim(&c->film));
    if (c->deep) {
        json_pair_int(json, "frames_16_bit", c->deep);
        json_pair_int(json, "frames_8_and_16_bit", c->mixed);
        json_pair_int(json, "max_difference_16_bit", c->max_difference);
    }
    json_pair_int(json, "below_threshold", c->below);
    json_pair_bool(json, "ok", is_match(c));
    json_close(json, '}');
    json_newline(json);
}

/* What differs, on one line. */
static const char *describe_difference(const Comparison *c, Arena *arena)
{
    if (!c->film.compared)
        return "no frames were compared";
    const char *only = frame_pairing_describe(c->film.only_a, c->film.only_b, arena);
    if (c->film.first < 0)
        return arena_printf(arena, "%sall others are equal", only);
    return arena_printf(arena,
                        "%s%" PRId64 " of %" PRId64 " frames differ, first frame %" PRId64
                        "; worst frame %" PRId64 ", PSNR %.2f dB, SSIM %.5f",
                        only, c->film.compared - c->film.equal, c->film.compared, c->film.first,
                        c->worst.number, c->worst.psnr, c->worst.ssim);
}

static void add_difference(ProblemList *problems, const CompareOptions *options, const char *text)
{
    problem_list_add(problems, &(DiagMessage){.level = DIAG_ERROR,
                                              .code = "difference",
                                              .file = options->b,
                                              .text = text,
                                              .hint = ""});
}

/* The annotations of GitHub and the JUnit file. */
static bool write_reports(FILE *out, const CompareOptions *options, const ProblemList *problems,
                          bool match, Diag *diag)
{
    const char *subject = arena_printf(problems->arena, "%s = %s", options->a, options->b);
    const JunitReport report = {"compare", &subject, 1, !match};
    if (options->format == REPORT_GITHUB)
        problem_list_write_github(out, problems);
    return !options->junit || problem_list_save_junit(options->junit, problems, &report, diag);
}

static bool run_comparison(Comparison *c, FrameSource *a, FrameSource *b, ProblemList *problems,
                           Diag *diag)
{
    if (c->options->format == REPORT_JSON) {
        json_open(&c->json, '{');
        json_pair_open(&c->json, "frames", '[');
    }
    const bool compared_all = film_comparison_run(&c->film, a, b, c->options->stop, diag);
    if (c->options->format == REPORT_JSON)
        write_json_end(c);
    else if (compared_all)
        write_text(c);
    if (compared_all && !is_match(c))
        add_difference(problems, c->options, describe_difference(c, problems->arena));
    if (compared_all && c->options->difference_file && c->worst_image.pixels &&
        !image_file_save(c->options->difference_file, &c->worst_image, diag))
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

static bool compare_images(FILE *out, const CompareOptions *options, FrameSource *a, FrameSource *b,
                           ProblemList *problems, Diag *diag)
{
    Comparison c = {.options = options,
                    .out = out,
                    .json = json_init(out),
                    .worst_arena = arena_create(),
                    .worst.number = -1};
    c.film = film_comparison_init(visit_pair, &c);
    const bool good = run_comparison(&c, a, b, problems, diag);
    arena_destroy(c.worst_arena);
    return good;
}

static bool compare_channels(FILE *out, const CompareOptions *options, FrameSource *a,
                             FrameSource *b, ProblemList *problems, Diag *diag)
{
    const char *difference = NULL;
    const bool good = compare_exr_write(out, options, a, b, &difference, problems->arena, diag);
    if (difference) {
        add_difference(problems, options, difference);
        diag->kind = diag->kind == DIAG_NONE ? DIAG_FAILED : diag->kind;
    }
    return good;
}

/* Whether the options are those of the inputs. */
static bool check_options(const CompareOptions *options, const FrameSource *a, const FrameSource *b,
                          Diag *diag)
{
    const bool exr = frame_source_is_exr(a);
    if (exr != frame_source_is_exr(b))
        return diag_fail(diag, DIAG_USAGE, "%s: .exr files can only be compared with .exr files",
                         exr ? options->a : options->b);
    if (exr && options->difference_file)
        return diag_fail(diag, DIAG_USAGE, "--output: .exr files have no image of the difference");
    if (exr && options->has_threshold)
        return diag_fail(diag, DIAG_USAGE,
                         "--threshold: .exr files have no SSIM or PSNR; use --tolerance");
    return exr || !options->has_tolerance ||
           diag_fail(diag, DIAG_USAGE, "--tolerance: only for .exr files; use --threshold");
}

bool compare_write(FILE *out, const CompareOptions *options, Diag *diag)
{
    if (options->difference_file && !check_difference_file(options, diag))
        return false;
    Arena *arena = arena_create();
    ProblemList problems = {.arena = arena};
    diag->observer = problem_list_observe;
    diag->observer_user = &problems;
    FrameSource *a = frame_source_open(options->a, diag);
    FrameSource *b = a ? frame_source_open(options->b, diag) : NULL;
    bool good = b && check_options(options, a, b, diag) &&
                (frame_source_is_exr(a) ? compare_channels(out, options, a, b, &problems, diag)
                                        : compare_images(out, options, a, b, &problems, diag));
    diag->observer = NULL;
    frame_source_close(a);
    frame_source_close(b);
    good = write_reports(out, options, &problems, good, diag) && good;
    arena_destroy(arena);
    return good;
}
