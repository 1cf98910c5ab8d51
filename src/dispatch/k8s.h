/*
 * k8s.h - the stages of a film as manifests for Kubernetes
 *
 * Three Jobs in one file, told apart by a label, since Kubernetes does not let a Job wait for
 * another: comments say how to apply them one after the other.  The shards are an Indexed Job (1.29
 * or newer).
 */
#ifndef DISPATCH_K8S_H
#define DISPATCH_K8S_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "dispatch/stages.h"

typedef struct K8sOptions {
    const char *image; /* of the container; `program` of the stages is in it */
    const char *claim; /* of the volume with the job's folder, writable by many */
    const char *mount; /* where it is in the container; names that are not absolute start here */
} K8sOptions;

/* Errors: DIAG_USAGE for names that Kubernetes does not take. */
bool k8s_write(FILE *out, const Stages *stages, const K8sOptions *options, Arena *arena,
               Diag *diag);

/*
 * A name of the form that Kubernetes asks for (RFC 1123: a-z, 0-9 and -), at most 39 characters:
 * what `name` has of these, and a digest of it and the words, since 踊り has none.
 */
enum { K8S_NAME_SIZE = 40 };
void k8s_name(char out[K8S_NAME_SIZE], const Stages *stages);

#endif
