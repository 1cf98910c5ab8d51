/*
 * export_vmd.h - a captured dance as a VMD motion with IK and physics baked into bone keys
 */
#ifndef CONVERT_EXPORT_EXPORT_VMD_H
#define CONVERT_EXPORT_EXPORT_VMD_H

#include "base/file.h"
#include "convert/export/capture.h"

/* The bytes of the file, in the arena.  Warns about bones that a VMD file cannot name. */
Bytes export_vmd(const Capture *capture, const CapturedModel *model, Arena *arena, Diag *diag);

#endif
