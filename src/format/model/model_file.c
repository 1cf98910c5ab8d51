#include "format/model/model_file.h"

#include "format/file_kind.h"
#include "format/model/pmd.h"
#include "format/model/xfile.h"

bool model_file_load(PmxModel *model, Bytes bytes, Arena *arena, Diag *diag)
{
    switch (file_kind_of_bytes(bytes)) {
    case FILE_PMX:
        return pmx_load(model, bytes, arena, diag);
    case FILE_PMD:
        return pmd_load(model, bytes, arena, diag);
    case FILE_X:
        return xfile_load(model, bytes, arena, diag);
    default:
        return diag_error(
            diag, "unknown model format: the file starts with none of 'PMX ', 'Pmd' and 'xof '");
    }
}
