// SPDX-License-Identifier: MIT
#include "inspect/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/text_escape.h"
#include "film/path_conflicts.h"
#include "inspect/comparison/film_comparison.h"
#include "inspect/comparison/track_comparison.h"
#include "media/exr/exr_difference.h"
#include "output/sink.h"

enum { AMPLIFICATION = 4 }; /* factor of the difference image */

/* ---- the results ---- */

typedef struct PairResult {
    int64_t frame;
    bool equal, ok;
    double psnr, ssim, max_difference;
    int max_difference_16_bit;
} PairResult;

static const ResultField PairResult_fields[] = {
    MEMBER(PairResult, frame, "number of the frame in the first input"),
    MEMBER(PairResult, equal, "all samples are equal"),
    MEMBER(PairResult, ok, "within the threshold or the tolerance"),
    MEMBER(PairResult, psnr, "PSNR; null if they are equal, or OpenEXR files", .unit = "dB",
           .nullable = true),
    MEMBER(PairResult, ssim, "SSIM; null of OpenEXR files", .nullable = true),
    MEMBER(PairResult, max_difference_16_bit,
           "largest difference of two samples, 0 to 65535, if a file has 16 bits",
           .nullable = true),
    MEMBER(PairResult, max_difference, "largest difference of two finite samples of OpenEXR files",
           .nullable = true),
};
RESULT(PairResult, "a pair of frames");

typedef struct ImageResult {
    int64_t worst, frames_16_bit, frames_8_and_16_bit, below_threshold;
    double psnr, ssim;
    int max_difference_16_bit;
} ImageResult;

static const ResultField ImageResult_fields[] = {
    MEMBER(ImageResult, worst, "frame with the smallest PSNR; null if all are equal",
           .nullable = true),
    MEMBER(ImageResult, psnr, "PSNR of all frames; null if all are equal", .unit = "dB",
           .nullable = true),
    MEMBER(ImageResult, ssim, "mean SSIM; null if no frames were compared", .nullable = true),
    MEMBER(ImageResult, frames_16_bit, "pairs of which a file has 16 bits"),
    MEMBER(ImageResult, frames_8_and_16_bit, "pairs of a file of 8 bits and one of 16"),
    MEMBER(ImageResult, max_difference_16_bit, "largest difference of two samples of these pairs"),
    MEMBER(ImageResult, below_threshold, "pairs below the threshold"),
};
RESULT(ImageResult, "two films of images");

static const ResultField ExrChannelDifference_fields[] = {
    MEMBER(ExrChannelDifference, name, "name of the channel"),
    MEMBER_NAMED(ExrChannelDifference, is_id, "ids",
                 "ids of a Cryptomatte, which are equal or not"),
    MEMBER(ExrChannelDifference, differing, "samples that differ"),
    MEMBER(ExrChannelDifference, not_finite, "samples of these of which one is infinite or NaN"),
    MEMBER_NAMED(ExrChannelDifference, max, "max_difference",
                 "largest difference of two finite samples; 0 of ids"),
    MEMBER(ExrChannelDifference, max_frame, "frame with this difference", .nullable = true),
    MEMBER(ExrChannelDifference, only_a, "frames of which only the first file has the channel"),
    MEMBER(ExrChannelDifference, only_b, "frames of which only the second file has the channel"),
};
RESULT(ExrChannelDifference, "a channel of OpenEXR files");

typedef struct ExrResult {
    ExrChannelDifference *channels;
    size_t channel_count;
    int64_t above_tolerance;
} ExrResult;

static const ResultField ExrResult_fields[] = {
    MEMBER_LIST(ExrResult, channels, channel_count, ExrChannelDifference,
                "channels in the order of their names"),
    MEMBER(ExrResult, above_tolerance, "pairs above the tolerance, or with other channels"),
};
RESULT(ExrResult, "two films of OpenEXR files");

typedef struct CompareResult {
    PairResult *frames;
    size_t frame_count;
    const TrackResult *tracks;
    int64_t compared, equal, only_a, only_b, first_difference;
    const ImageResult *images;
    const ExrResult *exr;
    bool ok;
} CompareResult;

static const ResultField CompareResult_fields[] = {
    MEMBER_LIST(CompareResult, frames, frame_count, PairResult, "pairs of frames"),
    MEMBER_OPTIONAL_PART(CompareResult, tracks, TrackResult),
    MEMBER(CompareResult, compared, "pairs that were compared"),
    MEMBER(CompareResult, equal, "pairs of equal frames"),
    MEMBER(CompareResult, only_a, "frames that only the first input has"),
    MEMBER(CompareResult, only_b, "frames that only the second input has"),
    MEMBER(CompareResult, first_difference, "first frame that differs", .nullable = true),
    MEMBER_OPTIONAL_PART(CompareResult, images, ImageResult),
    MEMBER_OPTIONAL_PART(CompareResult, exr, ExrResult),
    MEMBER(CompareResult, ok,
           "all pairs are within the threshold or tolerance, none is missing, and two videos have "
           "the same rate, length and sound"),
};
const ResultTable compare_result = RESULT_TABLE(CompareResult, "differences of two films");

/* ---- the comparison ---- */

typedef struct Comparison {
    const CompareOptions *options;
    FILE *out;
    Arena *arena;
    ARENA_LIST(PairResult) pairs; /* for JSON */
    FilmComparison film; /* the counts of images and of OpenEXR files; the metrics of images */
    int64_t failed;      /* pairs below the threshold, or not within the tolerance */

    /* images */
    FramePair worst;                  /* number -1: none differs */
    int64_t pairs_16bit, pairs_mixed; /* pairs of 16 bits a sample; of them, of 8 and 16 bits */
    int max_difference;               /* in pairs of 16 bits, 0..65535 */
    Image worst_image;                /* image of the worst pair, in `worst_arena` */
    Arena *worst_arena;

    bool videos; /* both inputs are, so that they have a rate and perhaps a sound */
    TrackComparison tracks;

    bool exr; /* OpenEXR files are compared, not images */
    ExrDifference channels;
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

/* ---- the worst pair of images ---- */

/* Keeps three images side by side: A, B and the amplified difference. */
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
        for (size_t x = 0; x < row; x++) {
            const int d = x % 4 == 3 ? 255 : AMPLIFICATION * abs(left[x] - right[x]);
            to[2 * row + x] = (uint8_t)(d < 255 ? d : 255);
        }
    }
    c->worst_image.has_alpha = a->has_alpha || b->has_alpha;
}

/* ---- pairs of frames ---- */

static bool visit_pair(void *user, const FramePair *pair, Diag *diag)
{
    Comparison *c = user;
    const CompareOptions *o = c->options;
    const bool has_16bit = pair->bits_a == 16 || pair->bits_b == 16;
    (void)diag;
    const bool fails = o->min_psnr > 0    ? pair->psnr < o->min_psnr
                       : o->min_ssim >= 1 ? !pair->equal
                                          : pair->ssim < o->min_ssim;
    c->failed += fails;
    c->pairs_16bit += has_16bit;
    c->pairs_mixed += pair->bits_a != pair->bits_b;
    if (has_16bit && pair->max_difference > c->max_difference)
        c->max_difference = pair->max_difference;
    if (!pair->equal && (c->worst.number < 0 || pair->psnr < c->worst.psnr)) {
        c->worst = *pair;
        if (o->difference_file)
            keep_worst_pair(c, pair->a, pair->b);
    }

    if (o->format == REPORT_JSON) {
        *arena_push(c->arena, &c->pairs) =
            (PairResult){.frame = pair->number,
                         .equal = pair->equal,
                         .ok = !fails,
                         .psnr = pair->psnr,
                         .ssim = pair->ssim,
                         .max_difference = (double)NAN,
                         .max_difference_16_bit = has_16bit ? pair->max_difference : -1};
    } else if (o->verbose) {
        fprintf(c->out,
                pair->equal ? "frame %" PRId64 ": equal\n"
                            : "frame %" PRId64 ": PSNR %.2f dB, SSIM %.5f\n",
                pair->number, pair->psnr, pair->ssim);
    }
    return true;
}

static bool compare_exr_pair(Comparison *c, int64_t number, const ExrImage *a, const ExrImage *b,
                             Diag *diag)
{
    if (a->width != b->width || a->height != b->height)
        return diag_fail(diag, DIAG_FAILED, "frame %" PRId64 ": the sizes differ: %dx%d and %dx%d",
                         number, a->width, a->height, b->width, b->height);
    const ExrPair pair = exr_difference_add(&c->channels, a, b, number, c->options->tolerance);
    c->film.compared++;
    c->film.equal += pair.equal;
    c->failed += !pair.within;
    if (!pair.equal && c->film.first < 0)
        c->film.first = number;

    if (c->options->format == REPORT_JSON) {
        *arena_push(c->arena, &c->pairs) = (PairResult){.frame = number,
                                                        .equal = pair.equal,
                                                        .ok = pair.within,
                                                        .psnr = (double)NAN,
                                                        .ssim = (double)NAN,
                                                        .max_difference = pair.max,
                                                        .max_difference_16_bit = -1};
    } else if (c->options->verbose) {
        fprintf(c->out,
                pair.equal ? "frame %" PRId64 ": equal\n"
                           : "frame %" PRId64 ": differs, by at most %.9g where both are finite\n",
                number, pair.max);
    }
    return true;
}

static bool compare_exr_films(Comparison *c, FrameSource *a, FrameSource *b, Diag *diag)
{
    FramePairs pairs = frame_source_pair(a, b, c->options->stop);
    bool good = frame_source_next_pair(&pairs, diag);
    while (good && pairs.a)
        good = compare_exr_pair(c, pairs.a->number, pairs.a->exr, pairs.b->exr, diag) &&
               frame_source_next_pair(&pairs, diag);
    c->film.only_a = pairs.only_a;
    c->film.only_b = pairs.only_b;
    return good;
}

/* ---- summary ---- */

static bool is_match(const Comparison *c)
{
    return c->film.compared && !c->failed && !c->film.only_a && !c->film.only_b &&
           !c->tracks.differences.count;
}

static void write_channel_text(const Comparison *c, const ExrChannelDifference *d)
{
    if (d->only_a)
        text_printf(c->out, "channel '%s': only in %s in %s\n", d->name, c->options->a,
                    text_frames(d->only_a).text);
    if (d->only_b)
        text_printf(c->out, "channel '%s': only in %s in %s\n", d->name, c->options->b,
                    text_frames(d->only_b).text);
    if (d->is_id && d->differing)
        text_printf(c->out, "channel '%s': %" PRId64 " ids differ\n", d->name, d->differing);
    else if (d->max > 0)
        text_printf(c->out,
                    "channel '%s': %" PRId64 " samples differ, by at most %.9g (frame %" PRId64
                    ")\n",
                    d->name, d->differing, d->max, d->max_frame);
    if (d->not_finite && !d->is_id)
        text_printf(c->out,
                    "channel '%s': %" PRId64
                    " samples differ of which one is infinite or not a number\n",
                    d->name, d->not_finite);
}

static void write_text(const Comparison *c)
{
    const CompareOptions *o = c->options;
    fprintf(c->out, "%s compared: %" PRId64 " equal, %" PRId64 " different\n",
            text_frames(c->film.compared).text, c->film.equal, c->film.compared - c->film.equal);
    if (c->film.only_a || c->film.only_b)
        text_printf(c->out, "%s only in %s, %" PRId64 " only in %s\n",
                    text_frames(c->film.only_a).text, o->a, c->film.only_b, o->b);
    if (c->videos)
        track_comparison_write_text(c->out, &c->tracks);
    if (c->pairs_16bit)
        fprintf(c->out, "%s compared at 16 bits: largest difference %d of 65535\n",
                text_frames(c->pairs_16bit).text, c->max_difference);
    if (c->pairs_mixed)
        fprintf(c->out, "%" PRId64 " of them have 8 bits in one input and 16 in the other\n",
                c->pairs_mixed);
    for (size_t i = 0; i < c->channels.channels.count; i++)
        write_channel_text(c, &c->channels.channels.items[i]);
    if (c->film.first >= 0)
        fprintf(c->out, "first difference: frame %" PRId64 "\n", c->film.first);
    if (c->film.first >= 0 && !c->exr) {
        fprintf(c->out, "worst: frame %" PRId64 ", PSNR %.2f dB, SSIM %.5f\n", c->worst.number,
                c->worst.psnr, c->worst.ssim);
        fprintf(c->out, "all: PSNR %.2f dB, SSIM %.5f\n", film_comparison_psnr(&c->film),
                film_comparison_ssim(&c->film));
    }
    if (c->failed && c->exr && o->tolerance > 0)
        fprintf(c->out, "%s above the tolerance of %.10g\n", text_frames(c->failed).text,
                o->tolerance);
    if (c->failed && !c->exr && o->min_psnr > 0)
        fprintf(c->out, "%s below %.10g dB\n", text_frames(c->failed).text, o->min_psnr);
    else if (c->failed && !c->exr && o->min_ssim < 1)
        fprintf(c->out, "%s below an SSIM of %.10g\n", text_frames(c->failed).text, o->min_ssim);
}

static void write_json(const Comparison *c)
{
    const FilmComparison *film = &c->film;
    const ImageResult images = {.worst = c->worst.number,
                                .psnr = film_comparison_psnr(film),
                                .ssim = film_comparison_ssim(film),
                                .frames_16_bit = c->pairs_16bit,
                                .frames_8_and_16_bit = c->pairs_mixed,
                                .max_difference_16_bit = c->max_difference,
                                .below_threshold = c->failed};
    const ExrResult exr = {c->channels.channels.items, c->channels.channels.count, c->failed};
    TrackResult tracks;
    if (c->videos)
        tracks = track_comparison_result(&c->tracks);
    const CompareResult result = {.frames = c->pairs.items,
                                  .frame_count = c->pairs.count,
                                  .tracks = c->videos ? &tracks : NULL,
                                  .compared = film->compared,
                                  .equal = film->equal,
                                  .only_a = film->only_a,
                                  .only_b = film->only_b,
                                  .first_difference = film->first,
                                  .images = c->exr ? NULL : &images,
                                  .exr = c->exr ? &exr : NULL,
                                  .ok = is_match(c)};
    result_print(c->out, &compare_result, &result);
}

static const char *describe_images(const Comparison *c, Arena *arena)
{
    const FilmComparison *film = &c->film;
    if (!film->compared)
        return "no frames were compared";
    if (c->exr)
        return arena_printf(arena,
                            "other channels, or differences above %.10g, in %" PRId64 " of %s",
                            c->options->tolerance, c->failed, text_frames(film->compared).text);
    if (film->first < 0)
        return "all compared frames are equal";
    return arena_printf(arena,
                        "differences in %" PRId64 " of %s, first frame %" PRId64
                        "; worst frame %" PRId64 ", PSNR %.2f dB, SSIM %.5f",
                        film->compared - film->equal, text_frames(film->compared).text, film->first,
                        c->worst.number, c->worst.psnr, c->worst.ssim);
}

/* All differences on one line. */
static const char *describe_difference(const Comparison *c, Arena *arena)
{
    const FilmComparison *film = &c->film;
    const char *text = "";
    for (size_t i = 0; i < c->tracks.differences.count; i++)
        text = arena_printf(arena, "%s%s; ", text, c->tracks.differences.items[i]);
    if (film->only_a || film->only_b)
        text = arena_printf(arena, "%s%s only in the first, %" PRId64 " only in the second; ", text,
                            text_frames(film->only_a).text, film->only_b);
    return arena_printf(arena, "%s%s", text, describe_images(c, arena));
}

/* ---- both inputs ---- */

static bool compare_tracks(Comparison *c, FrameSource *a, FrameSource *b, Arena *arena, Diag *diag)
{
    const CompareOptions *o = c->options;
    const VideoInfo *left = frame_source_video(a), *right = frame_source_video(b);
    c->videos = left && right;
    return !c->videos || track_comparison_run(&c->tracks, (const char *const[]){o->a, o->b},
                                              (const VideoInfo[]){*left, *right}, o->tolerance,
                                              o->stop, arena, diag);
}

static bool run_comparison(Comparison *c, FrameSource *a, FrameSource *b, ProblemList *problems,
                           Diag *diag)
{
    const CompareOptions *o = c->options;
    const bool compared_all = c->exr ? compare_exr_films(c, a, b, diag)
                                     : film_comparison_run(&c->film, a, b, o->stop, diag) &&
                                           compare_tracks(c, a, b, problems->arena, diag);
    if (o->format == REPORT_JSON)
        write_json(c);
    else if (compared_all)
        write_text(c);
    if (!compared_all)
        return false;
    const bool match = is_match(c);
    const DiagMessage difference = {.level = DIAG_ERROR,
                                    .code = "difference",
                                    .file = o->b,
                                    .text = match ? "" : describe_difference(c, problems->arena),
                                    .hint = ""};
    if (!match)
        problem_list_add(problems, &difference);
    if (o->difference_file && c->worst_image.pixels &&
        !sink_png_save_image(o->difference_file, &c->worst_image, NULL, diag))
        return false;
    if (!match && diag->kind == DIAG_NONE)
        diag->kind = DIAG_FAILED;
    return match;
}

/* The image of the difference must not replace a file that is compared. */
static bool check_difference_file(const CompareOptions *options, Arena *arena, Diag *diag)
{
    PathConflicts *conflicts = path_conflicts_create(DIAG_USAGE, arena);
    path_conflicts_add_source(conflicts, "first operand", options->a);
    path_conflicts_add_source(conflicts, "second operand", options->b);
    return path_conflicts_add_output(conflicts, "--output", options->difference_file, NULL, diag) &&
           file_check_new(options->difference_file, options->overwrite, diag);
}

/* Whether the options are those of the inputs. */
static bool check_options(const CompareOptions *options, FrameSource *a, FrameSource *b, Diag *diag)
{
    const bool exr = frame_source_is_exr(a);
    const bool videos = frame_source_video(a) && frame_source_video(b);
    if (exr != frame_source_is_exr(b))
        return diag_fail(diag, DIAG_USAGE, "%s: .exr files can only be compared with .exr files",
                         exr ? options->a : options->b);
    if (exr && options->difference_file)
        return diag_fail(diag, DIAG_USAGE, "--output: .exr files have no image of the difference");
    if (exr && options->has_threshold)
        return diag_fail(diag, DIAG_USAGE,
                         "--threshold: .exr files have no SSIM or PSNR; use --tolerance");
    return exr || videos || !options->has_tolerance ||
           diag_fail(diag, DIAG_USAGE,
                     "--tolerance: only for .exr files and the sound of videos; use --threshold");
}

bool compare_write(FILE *out, const CompareOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    Comparison c = {.options = options,
                    .out = out,
                    .arena = arena,
                    .worst = {.number = -1},
                    .worst_arena = arena_create(),
                    .channels = {.arena = arena}};
    ProblemList problems = {.arena = arena};
    bool good = false;
    c.film = film_comparison_init(visit_pair, &c);
    if (options->difference_file && !check_difference_file(options, arena, diag))
        goto done;

    diag->observer = problem_list_add;
    diag->observer_user = &problems;
    FrameSource *a = frame_source_open(options->a, diag);
    FrameSource *b = a ? frame_source_open(options->b, diag) : NULL;
    if (b && check_options(options, a, b, diag)) {
        c.exr = frame_source_is_exr(a);
        good = run_comparison(&c, a, b, &problems, diag);
    }
    diag->observer = NULL;
    frame_source_close(a);
    frame_source_close(b);

    const char *subject = arena_printf(arena, "%s = %s", options->a, options->b);
    const JunitReport report = {"compare", &subject, 1, !good};
    if (options->format == REPORT_GITHUB)
        problem_list_write_github(out, &problems);
    if (options->junit && !problem_list_save_junit(options->junit, &problems, &report, diag))
        good = false;
done:
    arena_destroy(c.worst_arena);
    arena_destroy(arena);
    return good;
}
