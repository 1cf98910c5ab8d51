/*
 * export_bvh.h - a captured skeleton as a BVH file (Biovision hierarchy)
 */
#ifndef CONVERT_EXPORT_EXPORT_BVH_H
#define CONVERT_EXPORT_EXPORT_BVH_H

#include "base/file.h"
#include "convert/export/capture.h"

/* The text of the file, in the arena. */
Bytes export_bvh(const Capture *capture, const CapturedModel *model, Arena *arena);

#endif
