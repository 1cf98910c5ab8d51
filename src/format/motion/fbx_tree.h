// SPDX-License-Identifier: MIT
/*
 * fbx_tree.h - the records of an FBX file, binary or text, as a tree
 *
 * Names, texts and arrays refer to the bytes of the file, which must live as long as the tree;
 * arrays are unpacked when they are asked for.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

enum { FBX_MAX_DEPTH = 64, FBX_MAX_ITEMS = 1 << 22 }; /* nested records; numbers of an array */

typedef struct FbxValue {
    char type; /* 'n' a number, 's' a text, 'a' an array */
    char item; /* of an array: its type in a binary file, f d l i b c, or 't', text */
    double number;
    int64_t integer; /* of whole numbers */
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
    FbxNode root;
    uint32_t version; /* 7400 for FBX 7.4 */
    bool is_text;
} FbxTree;

bool fbx_tree_read(FbxTree *tree, Bytes bytes, Arena *arena, Diag *diag);

/* Whether a name or a text of the file is this. */
bool fbx_is(Bytes text, const char *wanted);

/* The first child of this name; NULL: none, or node is NULL. */
const FbxNode *fbx_child(const FbxNode *node, const char *name);

/* A value of a record; 0 or no bytes if there is none of this kind. */
double fbx_number(const FbxNode *node, uint32_t index);
int64_t fbx_integer(const FbxNode *node, uint32_t index);
Bytes fbx_text(const FbxNode *node, uint32_t index);

typedef struct FbxNumbers {
    double *items; /* finite */
    size_t count;
} FbxNumbers;

/* The array of a child of a record; no numbers if it has no such child. */
bool fbx_numbers(FbxNumbers *out, const FbxNode *node, const char *child, Arena *arena, Diag *diag);
