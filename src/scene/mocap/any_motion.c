#include "scene/mocap/any_motion.h"

#include "format/motion/motion_file.h"

bool any_motion_load(VmdMotion *out, bool *converted, Bytes bytes, const PmxModel *model,
                     MocapLegs legs, Arena *arena, Diag *diag)
{
    *converted = mocap_is_known(bytes);
    if (!*converted)
        return motion_file_load(out, bytes, arena, diag);
    if (model)
        return retarget_file(out, bytes, model, legs, arena, diag);
    return !diag->errors &&
           diag_error(diag, "motion capture moves models; it has no camera and no light");
}
