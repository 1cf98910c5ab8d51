// SPDX-License-Identifier: MIT
/*
 * fbx_tree.h - the records of an FBX file, binary or text, as a tree
 *
 * Names and values refer to the bytes of the file, which must live as long as the tree; values are
 * read when they are asked for.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

enum { FBX_MAX_DEPTH = 64, FBX_MAX_ITEMS = 1 << 22 }; /* nested records; numbers of an array */

typedef struct FbxNode FbxNode;
struct FbxNode {
    Bytes name;
    Bytes values; /* one after the other, as in the file */
    bool is_text;
    FbxNode *first, *next; /* child, sibling */
};

typedef struct FbxTree {
    FbxNode root;
    uint32_t version; /* 7400 for FBX 7.4 */
} FbxTree;

bool fbx_tree_read(FbxTree *tree, Bytes bytes, Arena *arena, Diag *diag);

/* Whether a name or a text of the file is this. */
bool fbx_is(Bytes text, const char *wanted);

/* The first child of this name; NULL: none, or node is NULL. */
const FbxNode *fbx_child(const FbxNode *node, const char *name);

/* A value of a record; 0, no bytes, or `otherwise` if there is none. */
int64_t fbx_integer(const FbxNode *node, uint32_t index);
Bytes fbx_text(const FbxNode *node, uint32_t index);
double fbx_number(const FbxNode *node, uint32_t index, double otherwise);

typedef struct FbxNumbers {
    double *items; /* finite */
    size_t count;
} FbxNumbers;

/* The array of a child of a record; no numbers if it has no such child. */
bool fbx_numbers(FbxNumbers *out, const FbxNode *node, const char *child, Arena *arena, Diag *diag);
