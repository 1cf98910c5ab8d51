// SPDX-License-Identifier: MIT
#include "run/checkpoint/frame_identity.h"

#include <string.h>

static const PictureDigest unknown;

bool picture_digest_is_known(const PictureDigest *picture)
{
    return memcmp(picture, &unknown, sizeof unknown) != 0;
}

bool picture_digests_equal(const PictureDigest *a, const PictureDigest *b)
{
    return picture_digest_is_known(a) && !memcmp(a, b, sizeof *a);
}

bool frame_identities_equal(const FrameIdentity *a, const FrameIdentity *b)
{
    return picture_digests_equal(&a->picture, &b->picture) &&
           !memcmp(a->made, b->made, sizeof a->made);
}

FrameIdentity frame_identity_make(const Digest *output, const PictureDigest *pictures, size_t count,
                                  size_t index)
{
    FrameIdentity identity = {0};
    for (size_t i = 0; i < count; i++)
        if (!picture_digest_is_known(&pictures[i]))
            return identity;
    Hash *hash = hash_create();
    hash_add(hash, output, sizeof *output);
    hash_add(hash, pictures, count * sizeof *pictures);
    const Digest digest = hash_finish(hash);
    identity.picture = pictures[index];
    memcpy(identity.made, digest.bytes, sizeof identity.made);
    return identity;
}

void frame_identity_text(char out[FRAME_IDENTITY_TEXT_SIZE], const FrameIdentity *identity)
{
    Digest digest = {{0}};
    char text[DIGEST_TEXT_SIZE];
    memcpy(digest.bytes, identity, sizeof *identity);
    digest_text(text, &digest);
    memcpy(out, text, FRAME_IDENTITY_TEXT_SIZE - 1);
    out[FRAME_IDENTITY_TEXT_SIZE - 1] = '\0';
}

bool frame_identity_parse(FrameIdentity *out, const char *text)
{
    char whole[DIGEST_TEXT_SIZE];
    Digest digest;
    memset(whole, '0', sizeof whole - 1);
    whole[sizeof whole - 1] = '\0';
    if (strlen(text) != FRAME_IDENTITY_TEXT_SIZE - 1)
        return false;
    memcpy(whole, text, FRAME_IDENTITY_TEXT_SIZE - 1);
    if (!digest_parse(&digest, whole))
        return false;
    memcpy(out, digest.bytes, sizeof *out);
    return picture_digest_is_known(&out->picture);
}
