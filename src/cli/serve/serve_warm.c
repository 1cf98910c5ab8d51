// SPDX-License-Identifier: MIT
#include "cli/serve/serve_warm.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file_calls.h"
#include "base/process_memory.h"

/* ---- drawers ---- */

/* It ends when its socket is closed. */
static void drop_drawer(Drawer *drawer)
{
    if (drawer->socket >= 0)
        close(drawer->socket);
    *drawer = (Drawer){.socket = -1};
}

int64_t warm_scenes_mib(const WarmScenes *warm)
{
    int64_t mib = 0;
    for (size_t i = 0; i < WARM_MAX_SCENES; i++)
        mib += warm->scenes[i].mib;
    for (size_t i = 0; i < WARM_MAX_DRAWERS; i++)
        mib += warm->drawers[i].mib;
    return mib;
}

static void evict_drawers(WarmScenes *warm)
{
    for (;;) {
        Drawer *oldest = NULL;
        int waiting = 0;
        for (size_t i = 0; i < WARM_MAX_DRAWERS; i++) {
            Drawer *drawer = &warm->drawers[i];
            if (!drawer->used || drawer->busy)
                continue;
            waiting++;
            if (!oldest || drawer->used_s < oldest->used_s)
                oldest = drawer;
        }
        if (!oldest || (waiting <= warm->max_drawers && warm_scenes_mib(warm) <= warm->max_mib))
            return;
        drop_drawer(oldest);
    }
}

Drawer *warm_drawer_take(WarmScenes *warm, WarmScene *scene, const void *client)
{
    Drawer *free_one = NULL;
    int pair[2];
    for (size_t i = 0; i < WARM_MAX_DRAWERS; i++) {
        Drawer *drawer = &warm->drawers[i];
        char byte;
        if (!drawer->used)
            free_one = drawer;
        if (!drawer->used || drawer->busy || drawer->scene != scene || drawer->client != client)
            continue;
        if (recv(drawer->socket, &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN) {
            drawer->busy = true;
            return drawer;
        }
        drop_drawer(drawer); /* it has died */
        free_one = drawer;
    }
    if (!free_one || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return NULL;
    *free_one =
        (Drawer){.used = true, .busy = true, .scene = scene, .client = client, .socket = pair[0]};
    file_calls_send(scene->socket, "D", 1, pair[1]); /* where it has died, nothing answers */
    close(pair[1]);
    return free_one;
}

void warm_drawer_release(WarmScenes *warm, Drawer *drawer, bool remains, pid_t pid)
{
    drawer->busy = false;
    drawer->used_s = clock_monotonic_s();
    if (!remains || !drawer->client || drawer->scene->pid <= 0)
        drop_drawer(drawer);
    else if (!drawer->mib)
        drawer->mib = process_memory_usage(pid);
    evict_drawers(warm);
}

void warm_drawers_forget(WarmScenes *warm, const void *client)
{
    for (size_t i = 0; i < WARM_MAX_DRAWERS; i++) {
        Drawer *drawer = &warm->drawers[i];
        if (!drawer->used || drawer->client != client)
            continue;
        drawer->client = NULL;
        if (!drawer->busy)
            drop_drawer(drawer);
    }
}

/* ---- scenes ---- */

void warm_scene_drop(WarmScenes *warm, WarmScene *scene)
{
    for (size_t i = 0; i < WARM_MAX_DRAWERS; i++)
        if (warm->drawers[i].scene == scene && !warm->drawers[i].busy)
            drop_drawer(&warm->drawers[i]);
    if (scene->socket >= 0)
        close(scene->socket);
    if (scene->pid > 0)
        kill(-scene->pid, SIGKILL);
    *scene = (WarmScene){.socket = -1};
}

WarmScene *warm_scene_find(WarmScenes *warm, const Digest *key)
{
    for (size_t i = 0; i < WARM_MAX_SCENES; i++)
        if (warm->scenes[i].used && digest_equal(&warm->scenes[i].key, key))
            return &warm->scenes[i];
    return NULL;
}

int warm_scenes_count(const WarmScenes *warm)
{
    int count = 0;
    for (size_t i = 0; i < WARM_MAX_SCENES; i++)
        count += warm->scenes[i].used;
    return count;
}

/* Ends those that no request uses, as long as there are more than so many, or too much memory. */
static void evict_scenes(WarmScenes *warm, int count)
{
    evict_drawers(warm);
    for (;;) {
        WarmScene *oldest = NULL;
        for (size_t i = 0; i < WARM_MAX_SCENES; i++) {
            WarmScene *scene = &warm->scenes[i];
            if (scene->used && scene->ready && !scene->running &&
                (!oldest || scene->used_s < oldest->used_s))
                oldest = scene;
        }
        if (!oldest || (warm_scenes_count(warm) <= count && warm_scenes_mib(warm) <= warm->max_mib))
            return;
        warm_scene_drop(warm, oldest);
    }
}

WarmScene *warm_scene_add(WarmScenes *warm, const Digest *key)
{
    if (warm->max_scenes < 1)
        return NULL;
    evict_scenes(warm, warm->max_scenes - 1);
    if (warm_scenes_count(warm) >= warm->max_scenes)
        return NULL;
    WarmScene *scene = warm->scenes;
    while (scene->used)
        scene++;
    *scene = (WarmScene){.used = true, .socket = -1, .key = *key, .used_s = clock_monotonic_s()};
    return scene;
}

void warm_scene_ready(WarmScenes *warm, WarmScene *scene)
{
    scene->ready = true;
    scene->mib = process_memory_usage(scene->pid);
    if (scene->mib <= 0)
        scene->mib = 1;
    scene->running++; /* it is not the one that ends */
    evict_scenes(warm, warm->max_scenes);
    scene->running--;
}

void warm_scenes_reap(WarmScenes *warm, pid_t pid)
{
    for (size_t i = 0; i < WARM_MAX_SCENES; i++) {
        WarmScene *scene = &warm->scenes[i];
        if (!scene->used || !scene->ready || scene->pid != pid)
            continue;
        close(scene->socket);
        scene->socket = -1;
        scene->pid = 0;
        if (!scene->running)
            warm_scene_drop(warm, scene);
        else
            memset(&scene->key, 0, sizeof scene->key);
    }
}

void warm_scenes_init(WarmScenes *warm, int max_scenes, int64_t max_mib, int max_drawers)
{
    *warm = (WarmScenes){.max_scenes = max_scenes, .max_mib = max_mib, .max_drawers = max_drawers};
    for (size_t i = 0; i < WARM_MAX_SCENES; i++)
        warm->scenes[i].socket = -1;
    for (size_t i = 0; i < WARM_MAX_DRAWERS; i++)
        warm->drawers[i].socket = -1;
}

void warm_scenes_finish(WarmScenes *warm)
{
    for (size_t i = 0; i < WARM_MAX_SCENES; i++)
        if (warm->scenes[i].used)
            warm_scene_drop(warm, &warm->scenes[i]);
}
