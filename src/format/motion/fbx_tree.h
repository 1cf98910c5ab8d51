// SPDX-License-Identifier: MIT
/*
 * fbx_tree.h - the records of an FBX file, binary or text, as a tree
 *
 * Only what a motion may need is kept: settings, connections and, of the objects, models, poses,
 * clusters of skins and animations.  Names, texts and arrays refer to the bytes of the file, which
 * must live as long as the tree; arrays are unpacked when they are asked for.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

enum { FBX_MAX_DEPTH = 64, FBX_MAX_ITEMS = 1 << 22 }; /* nested records; numbers of an array */

typedef struct FbxValue {
    char type; /* 'n' a number, 's' a text, 'a' an array of a binary file, '*' one of a text file */
    char item; /* of 'a': its type: f, d, l, i, b or c */
    double number; /* whole numbers below 2^53 are exact; '*': number of items */
    int64_t integer;
    Bytes bytes;
} FbxValue;

typedef struct FbxNode FbxNode;
struct FbxNode {
    Bytes name;
    FbxValue *values;
    uint32_t value_count;
    FbxNode *first, *next; /* child, sibling */
};

typedef struct FbxTree {
    FbxNode *first;   /* the outermost records */
    uint32_t version; /* 7400 for FBX 7.4 */
    bool is_text, big_endian;
} FbxTree;

bool fbx_tree_read(FbxTree *tree, Bytes bytes, Arena *arena, Diag *diag);

/* Whether a name or a text of the file is this. */
bool fbx_is(Bytes text, const char *wanted);

/* The first child of this name, or the first in a list of siblings; NULL: none, or node is NULL. */
const FbxNode *fbx_child(const FbxNode *node, const char *name);
const FbxNode *fbx_find(const FbxNode *first, const char *name);

/* A value of a record; 0 or no bytes if there is none of this kind. */
double fbx_number(const FbxNode *node, uint32_t index);
int64_t fbx_integer(const FbxNode *node, uint32_t index);
Bytes fbx_text(const FbxNode *node, uint32_t index);

typedef struct FbxNumbers {
    double *items; /* finite */
    size_t count;
} FbxNumbers;

/* The numbers of a child of a record, an array or several values; none if it has no such child. */
bool fbx_numbers(FbxNumbers *out, const FbxTree *tree, const FbxNode *node, const char *child,
                 Arena *arena, Diag *diag);
