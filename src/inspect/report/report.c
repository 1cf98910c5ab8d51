#include "inspect/report/report.h"

#include <string.h>

#include "base/text.h"
#include "base/text_stream.h"
#include "film/path_conflicts.h"
#include "inspect/report/page.h"

bool report_parse_limit(uint64_t *bytes, const char *text)
{
    static const char units[] = "KMGkmg";
    char number[32];
    const size_t length = strlen(text);
    if (!length || length >= sizeof number)
        return false;
    memcpy(number, text, length + 1);
    const char *unit = strchr(units, number[length - 1]);
    double value, factor = 1;
    if (unit) {
        number[length - 1] = '\0';
        for (size_t i = 0; i <= (size_t)(unit - units) % 3; i++)
            factor *= 1 << 10;
    }
    if (!text_to_double(&value, number) || value < 0 || value * factor > FILE_MAX_SIZE)
        return false;
    *bytes = (uint64_t)(value * factor);
    return true;
}

bool report_check_output(const char *file, const Job *job, bool overwrite, Diag *diag)
{
    char start[512];
    FILE *in = fopen(file, "rbe");
    const size_t wanted = strlen(page_start), size = in ? fread(start, 1, wanted, in) : 0;
    if (in)
        fclose(in);
    const bool is_report = size == wanted && !memcmp(start, page_start, size);
    return path_conflicts_check_file("--output", file, job, NULL, diag) &&
           (is_report || file_check_new(file, overwrite, diag));
}

static bool write_page(const char *file, const ReportData *data, Progress *progress, Diag *diag)
{
    TextStream stream;
    page_write(text_stream_open(&stream, data->arena), data);
    const char *text = text_stream_close(&stream);
    if (!file) {
        fwrite(text, 1, stream.size, stdout); /* main checks standard output */
        return true;
    }
    if (!file_save(file, text, stream.size, diag))
        return false;
    progress_output(progress, file, (int64_t)stream.size);
    return true;
}

bool report_write(const char *file, const Job *job, const ReportOptions *options,
                  Progress *progress, const volatile sig_atomic_t *stop, Diag *diag)
{
    Arena *arena = arena_create();
    ReportData *data = arena_array(arena, ReportData, 1);
    Film film;
    const bool good = report_data_collect(data, &film, job, options, progress, stop, arena, diag) &&
                      write_page(file, data, progress, diag);
    arena_destroy(arena);
    return good;
}
