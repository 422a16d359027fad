/* Loaded before the C library (LD_PRELOAD): the program's clocks run faster than the machine's, and its clock of the day
 * jumps ahead whenever somebody writes another instant into the file. What waits for a time waits as much shorter.
 *
 * FAKED_TIME_FILE    8 bytes: nanoseconds since 1970 that the clock of the day shows at the origin; read at every look
 * FAKED_TIME_ORIGIN  the origin, in nanoseconds since 1970 on the machine's clock
 * FAKED_TIME_PACE    how many times as fast the clocks run */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

static const volatile int64_t *shown_at_origin;
static int64_t origin;
static int64_t pace = 1;

static int (*real_clock_gettime)(clockid_t, struct timespec *);
static int (*real_clock_nanosleep)(clockid_t, int, const struct timespec *, struct timespec *);
static int (*real_epoll_wait)(int, struct epoll_event *, int, int);
static int (*real_poll)(struct pollfd *, nfds_t, int);
static long (*real_syscall)(long, ...);

static void begin(void) {
    static int has_begun;
    if (__atomic_exchange_n(&has_begun, 1, __ATOMIC_SEQ_CST)) return;
    real_clock_nanosleep = dlsym(RTLD_NEXT, "clock_nanosleep");
    real_epoll_wait = dlsym(RTLD_NEXT, "epoll_wait");
    real_poll = dlsym(RTLD_NEXT, "poll");
    real_syscall = dlsym(RTLD_NEXT, "syscall");
    const char *path = getenv("FAKED_TIME_FILE");
    const char *since = getenv("FAKED_TIME_ORIGIN");
    const char *times = getenv("FAKED_TIME_PACE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0 && since && times) {
        void *page = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
        close(file);
        if (page != MAP_FAILED) {
            origin = strtoll(since, NULL, 10);
            pace = strtoll(times, NULL, 10);
            shown_at_origin = page;
        }
    }
    __atomic_store_n(&real_clock_gettime, dlsym(RTLD_NEXT, "clock_gettime"), __ATOMIC_SEQ_CST);
}

__attribute__((constructor)) static void begin_early(void) { begin(); }

static int64_t nanos(const struct timespec *time) { return time->tv_sec * SECOND + time->tv_nsec; }

static struct timespec timespec_of(int64_t nanos) {
    return (struct timespec){.tv_sec = nanos / SECOND, .tv_nsec = nanos % SECOND};
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!__atomic_load_n(&real_clock_gettime, __ATOMIC_SEQ_CST)) begin();
    int done = real_clock_gettime(clock, time);
    if (done != 0 || !shown_at_origin) return done;
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
        *time = timespec_of((nanos(time) - origin) * pace + *shown_at_origin);
        break;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME:
        *time = timespec_of(nanos(time) * pace);
        break;
    }
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *into) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (into) *into = now.tv_sec;
    return now.tv_sec;
}

/* Milliseconds that a wait takes on the machine's clock, at least one where it is not to end at once. */
static int shorter(int millis) { return millis <= 0 ? millis : (int)((millis + pace - 1) / pace); }

int epoll_wait(int file, struct epoll_event *events, int most, int millis) {
    return real_epoll_wait(file, events, most, shorter(millis));
}

int poll(struct pollfd *files, nfds_t count, int millis) { return real_poll(files, count, shorter(millis)); }

/* Of an absolute sleep none is known here. What is left of one that was interrupted is told on the faked clock. */
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left) {
    if (!real_clock_nanosleep) begin();
    if (flags & TIMER_ABSTIME) return real_clock_nanosleep(clock, flags, wanted, left);
    struct timespec wait = timespec_of(nanos(wanted) / pace);
    int done = real_clock_nanosleep(clock, flags, &wait, left);
    if (done == EINTR && left) *left = timespec_of(nanos(left) * pace);
    return done;
}

int nanosleep(const struct timespec *wanted, struct timespec *left) {
    int done = clock_nanosleep(CLOCK_REALTIME, 0, wanted, left);
    if (done != 0) errno = done;
    return done == 0 ? 0 : -1;
}

int usleep(useconds_t micros) {
    struct timespec wanted = timespec_of(micros * 1000LL);
    return nanosleep(&wanted, NULL);
}

/* A wait on a futex, by which threads of Rust park: until an instant of the faked clocks, or for a while. */
static long wait_on_futex(long number, long *arguments) {
    long operation = arguments[1];
    const struct timespec *wanted = (const struct timespec *)arguments[3];
    int64_t until = nanos(wanted);
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT) {
        until /= pace;
    } else if (operation & FUTEX_CLOCK_REALTIME) {
        until = (until - *shown_at_origin) / pace + origin;
    } else {
        until /= pace;
    }
    struct timespec real = timespec_of(until);
    return real_syscall(number, arguments[0], operation, arguments[2], &real, arguments[4], arguments[5]);
}

long syscall(long number, ...) {
    long arguments[6];
    va_list list;
    va_start(list, number);
    for (int n = 0; n < 6; n++) arguments[n] = va_arg(list, long);
    va_end(list);
    if (!real_syscall) begin();
    long command = arguments[1] & FUTEX_CMD_MASK;
    if (number == SYS_futex && shown_at_origin && arguments[3] &&
        (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET))
        return wait_on_futex(number, arguments);
    return real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}
