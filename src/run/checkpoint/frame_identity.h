// SPDX-License-Identifier: MIT
/*
 * frame_identity.h - what a recorded frame shows, and what its bytes were made from
 *
 * A picture digest covers everything that decides the pixels of a frame (run/pipeline/
 * picture_digest.h).  The bytes of a still depend on that and on the settings of its output; those
 * of a packet also on the other pictures of its segment.  Two frames with equal identities have
 * equal bytes, whichever job, run or shard wrote them.
 *
 * As text: 44 hexadecimal digits.  An identity without a picture is not known.
 */
#pragma once

#include "base/hash.h"

typedef struct PictureDigest {
    uint8_t bytes[16]; /* all 0: not known */
} PictureDigest;

typedef struct FrameIdentity {
    PictureDigest picture;
    uint8_t made[6]; /* of the output, and of all pictures of a segment */
} FrameIdentity;

enum { FRAME_IDENTITY_TEXT_SIZE = 2 * sizeof(FrameIdentity) + 1 };

bool picture_digest_is_known(const PictureDigest *picture);
bool picture_digests_equal(const PictureDigest *a, const PictureDigest *b);

/* False if one of them is not known. */
bool frame_identities_equal(const FrameIdentity *a, const FrameIdentity *b);

/*
 * The identity of one of the frames that were made together.
 *
 * output    digest of the settings of the output
 * pictures  [count] those of a segment; of a still only its own
 * returns   zeros if one of the pictures is not known
 */
FrameIdentity frame_identity_make(const Digest *output, const PictureDigest *pictures, size_t count,
                                  size_t index);

void frame_identity_text(char out[FRAME_IDENTITY_TEXT_SIZE], const FrameIdentity *identity);
bool frame_identity_parse(FrameIdentity *out, const char *text);
