/* What is below a folder `network` cannot be locked (LOCKS), or shared as memory (MEMORY). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_there(int file) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return strstr(path, "/network/") != NULL;
}

static int refuse(int error) {
    errno = error;
    return -1;
}

#ifdef LOCKS
int fcntl(int file, int command, ...) {
    va_list given;
    va_start(given, command);
    void *argument = va_arg(given, void *);
    va_end(given);
    int locks = command == F_SETLK || command == F_SETLKW || command == F_GETLK;
    if (locks && is_there(file)) return refuse(LOCKS);
    return syscall(SYS_fcntl, file, command, argument);
}
int fcntl64(int, int, ...) __attribute__((alias("fcntl")));
#endif

#ifdef MEMORY
void *mmap(void *at, size_t size, int may, int flags, int file, off_t from) {
    if (file >= 0 && (flags & MAP_SHARED) && (may & PROT_WRITE) && is_there(file)) {
        refuse(MEMORY);
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, at, size, may, flags, file, from);
}
void *mmap64(void *, size_t, int, int, int, off_t) __attribute__((alias("mmap")));
#endif
