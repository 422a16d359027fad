/* Loaded before the C library (LD_PRELOAD): kills the program right before its n-th call of a function, counted in each
 * thread, so that the call does not happen. Or counts: what the thread calls that calls most.
 *
 * KILL_CALL  the function: pwrite64, or send
 * KILL_AT    n; 0 or nothing: only count
 * KILL_COUNT the file into which a program that ends by itself writes its count */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *counted;
static unsigned long kill_at;
static atomic_ulong most;
static _Thread_local unsigned long calls;

static ssize_t (*real_pwrite64)(int, const void *, size_t, off64_t);
static ssize_t (*real_send)(int, const void *, size_t, int);

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("KILL_AT");
    counted = getenv("KILL_CALL");
    kill_at = at ? strtoul(at, NULL, 10) : 0;
    real_pwrite64 = dlsym(RTLD_NEXT, "pwrite64");
    real_send = dlsym(RTLD_NEXT, "send");
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("KILL_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%lu", atomic_load(&most));
        fclose(file);
    }
}

static void count(const char *call) {
    if (!counted || strcmp(counted, call) != 0) return;
    calls++;
    if (calls == kill_at) kill(getpid(), SIGKILL);
    unsigned long known = atomic_load(&most);
    while (calls > known && !atomic_compare_exchange_weak(&most, &known, calls)) {}
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t at) {
    count("pwrite64");
    return real_pwrite64(file, bytes, length, at);
}

ssize_t send(int socket, const void *bytes, size_t length, int flags) {
    count("send");
    return real_send(socket, bytes, length, flags);
}
