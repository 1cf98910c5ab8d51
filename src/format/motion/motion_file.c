#include "format/motion/motion_file.h"

#include <string.h>

#include "format/motion/vpd.h"

static bool starts_with(Bytes bytes, const char *magic)
{
    return bytes.size >= strlen(magic) && !memcmp(bytes.data, magic, strlen(magic));
}

bool motion_file_load(VmdMotion *motion, Bytes bytes, Arena *arena, Diag *diag)
{
    if (starts_with(bytes, "Vocaloid Motion Data"))
        return vmd_load(motion, bytes, arena, diag);
    if (starts_with(bytes, VPD_MAGIC) || starts_with(bytes, "\xEF\xBB\xBF" VPD_MAGIC))
        return vpd_load(motion, bytes, arena, diag);
    return diag_error(diag, "neither a VMD motion nor a VPD pose");
}
