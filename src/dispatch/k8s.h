// SPDX-License-Identifier: MIT
/*
 * k8s.h - writes the stages of a distributed render as Kubernetes manifests
 *
 * Up to three Jobs (bake, shards, join) in one file.  A Kubernetes Job cannot wait for another, so
 * each has a label, and comments contain the commands that apply them one after another.  The
 * shards are an Indexed Job with a pod failure policy per index (Kubernetes 1.29 or newer).
 */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "dispatch/stages.h"

typedef struct K8sOptions {
    const char *image; /* container image that contains Stages.program */
    const char *claim; /* PersistentVolumeClaim with the files of the job, ReadWriteMany */
    const char *mount; /* mount point in the container and working directory */
} K8sOptions;

/* False after an error was reported: DIAG_USAGE for invalid Kubernetes names. */
bool k8s_write(FILE *out, const Stages *stages, const K8sOptions *options, Arena *arena,
               Diag *diag);
