#include "format/model/model_file.h"

#include <string.h>

#include "base/text.h"
#include "format/model/pmd.h"
#include "format/model/xfile.h"

bool model_file_load(PmxModel *model, Bytes bytes, Arena *arena, Diag *diag)
{
    char start[] = "...";

    if (bytes.size >= strlen(start))
        memcpy(start, bytes.data, strlen(start));
    if (!strcmp(start, "Pmd"))
        return pmd_load(model, bytes, arena, diag);
    if (text_equal_ignoring_case(start, "pmx"))
        return pmx_load(model, bytes, arena, diag);
    if (xfile_detect(bytes))
        return xfile_load(model, bytes, arena, diag);
    return diag_error(
        diag, "unknown model format: the file starts with none of 'PMX ', 'Pmd' and 'xof '");
}
