// A library that is preloaded into the server and simulates the disk under DISK_DIR/kontor.db and its log:
// - DISK_SHADOW contains what has been synced: the content after a power cut.
// - DISK_FAULTS, a file that the test writes, makes calls fail. The pages of a failed sync are lost, as in Linux.
// - DISK_KILL_AT kills the process, like kill -9, before its n-th call that would change a file in DISK_DIR.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "faults.h"

enum { FDS = 4096 };

struct extent {
  off_t from, to;
};

static struct {
  const char *name;
  pthread_mutex_t written; // guards the fields below
  pthread_mutex_t syncing; // held during a sync; another one waits for it, as in the kernel
  struct extent *extents;  // written since the last sync
  size_t count, capacity;
  off_t cut;  // shortest length since the last sync
  int losses; // syncs that failed
} files[FILES] = {
  {.name = "kontor.db", .written = PTHREAD_MUTEX_INITIALIZER, .syncing = PTHREAD_MUTEX_INITIALIZER, .cut = INT64_MAX},
  {.name = "kontor.db-wal", .written = PTHREAD_MUTEX_INITIALIZER, .syncing = PTHREAD_MUTEX_INITIALIZER, .cut = INT64_MAX},
};

/** The number of losses reported to each open descriptor. Each loss is reported once, and never to a descriptor opened later. */
static int reported[FDS];

static const char *directory, *shadow;
static long kill_at, changes; // of calls; 0: never
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_pread)(int, void *, size_t, off_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_open)(const char *, int, ...);

__attribute__((constructor)) static void begin(void) {
  real_pwrite = (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite64");
  real_pread = (ssize_t(*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread64");
  real_ftruncate = (int (*)(int, off_t))dlsym(RTLD_NEXT, "ftruncate64");
  real_open = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
  directory = getenv("DISK_DIR");
  shadow = getenv("DISK_SHADOW");
  if (getenv("DISK_KILL_AT")) kill_at = atol(getenv("DISK_KILL_AT"));
  const char *path = getenv("DISK_FAULTS");
  if (path) map_faults(real_open(path, O_RDWR));
}

/** Returns the file's name in the directory, or NULL for a file elsewhere. */
static const char *name_in(const char *path) {
  size_t prefix = directory ? strlen(directory) : 0;
  return prefix > 0 && strncmp(path, directory, prefix) == 0 && path[prefix] == '/' ? path + prefix + 1 : NULL;
}

static void count_change(const char *name) {
  if (name && kill_at > 0 && ++changes == kill_at) raise(SIGKILL);
}

/** The name of an open file in the directory, or NULL. */
static const char *name_of(int fd, char path[4096]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, 4095);
  path[length < 0 ? 0 : length] = 0;
  return name_in(path);
}

static int find_file(int fd, int changing) {
  char path[4096];
  const char *name = name_of(fd, path);
  if (changing) count_change(name);
  for (int file = 0; name && file < FILES; file++)
    if (strcmp(name, files[file].name) == 0) return file;
  return OTHER;
}

static int file_of(int fd) { return find_file(fd, 0); }
static int file_to_change(int fd) { return find_file(fd, 1); }

/** Whether a write below files/ or mail/ must fail. A disk that is full for the log is full for them, too. */
static int fails_below(const char *name) {
  int is_mail = name && strncmp(name, "mail/", 5) == 0;
  if (!is_mail && !(name && strncmp(name, "files/", 6) == 0)) return 0;
  return (is_mail && meets(MAIL)) || fails(WRITE, LOG);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int fd = real_open(path, flags, va_arg(rest, mode_t));
  va_end(rest);
  int file = fd >= 0 && fd < FDS ? file_of(fd) : OTHER;
  if (file != OTHER) reported[fd] = files[file].losses;
  return fd;
}

static void note_write(int file, off_t from, off_t to) {
  if (files[file].count > 0 && files[file].extents[files[file].count - 1].to == from) {
    files[file].extents[files[file].count - 1].to = to;
    return;
  }
  if (files[file].count == files[file].capacity) {
    files[file].capacity = files[file].capacity ? files[file].capacity * 2 : 64;
    files[file].extents = realloc(files[file].extents, files[file].capacity * sizeof(struct extent));
  }
  files[file].extents[files[file].count++] = (struct extent){from, to};
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at) {
  int file = file_to_change(fd);
  if (file == OTHER) return real_pwrite(fd, bytes, size, at);
  if (fails(WRITE, file)) return -1;
  pthread_mutex_lock(&files[file].written);
  ssize_t done = real_pwrite(fd, bytes, size, at);
  if (done > 0) note_write(file, at, at + done);
  pthread_mutex_unlock(&files[file].written);
  return done;
}

/** The content of files, and mail that waits. */
ssize_t write(int fd, const void *bytes, size_t size) {
  char path[4096];
  if (faults && (faults[WRITE * FILES + LOG].left != 0 || faults[MAIL].left != 0) && fails_below(name_of(fd, path))) return -1;
  return ((ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write"))(fd, bytes, size);
}

/** A directory that is there is found, however full the disk is. */
int mkdir(const char *path, mode_t mode) {
  if (access(path, F_OK) != 0 && fails_below(name_in(path))) return -1;
  return ((int (*)(const char *, mode_t))dlsym(RTLD_NEXT, "mkdir"))(path, mode);
}

ssize_t pread64(int fd, void *bytes, size_t size, off_t at) {
  int file = file_of(fd);
  if (file != OTHER && fails(READ, file)) return -1;
  return real_pread(fd, bytes, size, at);
}

int ftruncate64(int fd, off_t length) {
  int file = file_to_change(fd);
  if (file == OTHER) return real_ftruncate(fd, length);
  if (fails(WRITE, file)) return -1;
  pthread_mutex_lock(&files[file].written);
  int result = real_ftruncate(fd, length);
  if (result == 0 && length < files[file].cut) files[file].cut = length;
  pthread_mutex_unlock(&files[file].written);
  return result;
}

/** Copies to the shadow what was written before the call. Takes some time, as a disk does. */
static int keep(int fd, int file) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", shadow, files[file].name);
  pthread_mutex_lock(&files[file].written);
  struct extent *extents = files[file].extents;
  size_t count = files[file].count;
  off_t cut = files[file].cut;
  struct stat now;
  fstat(fd, &now);
  char **contents = calloc(count + 1, sizeof(char *));
  ssize_t *sizes = calloc(count + 1, sizeof(ssize_t));
  for (size_t i = 0; i < count; i++) {
    contents[i] = malloc(extents[i].to - extents[i].from);
    sizes[i] = real_pread(fd, contents[i], extents[i].to - extents[i].from, extents[i].from);
  }
  files[file].extents = NULL;
  files[file].count = files[file].capacity = 0;
  files[file].cut = INT64_MAX;
  pthread_mutex_unlock(&files[file].written);

  int failed = fails(SYNC, file);
  int error = errno;
  if (failed) files[file].losses++;
  if (fd < FDS && reported[fd] != files[file].losses) {
    reported[fd] = files[file].losses;
    error = failed ? error : EIO;
    failed = 1;
  }
  if (!failed) {
    usleep(rand() % 500);
    int kept = real_open(path, O_RDWR | O_CREAT, 0600);
    struct stat before;
    if (fstat(kept, &before) == 0 && before.st_size > cut) real_ftruncate(kept, cut);
    for (size_t i = 0; i < count; i++)
      if (sizes[i] > 0) real_pwrite(kept, contents[i], sizes[i], extents[i].from);
    real_ftruncate(kept, now.st_size);
    close(kept);
  }
  for (size_t i = 0; i < count; i++) free(contents[i]);
  free(contents);
  free(sizes);
  free(extents);
  errno = error;
  return failed ? -1 : 0;
}

static int sync_file(int fd, const char *name) {
  int file = file_to_change(fd);
  if (file == OTHER || !shadow) {
    if (file != OTHER && fails(SYNC, file)) return -1;
    return ((int (*)(int))dlsym(RTLD_NEXT, name))(fd);
  }
  pthread_mutex_lock(&files[file].syncing);
  int result = keep(fd, file);
  pthread_mutex_unlock(&files[file].syncing);
  return result;
}

int fsync(int fd) { return sync_file(fd, "fsync"); }
int fdatasync(int fd) { return sync_file(fd, "fdatasync"); }

/** A file system that refuses writes as read-only says so before they are tried, too. */
int access(const char *path, int mode) {
  if ((mode & W_OK) && name_in(path) && faults && faults[WRITE * FILES + LOG].left != 0 && faults[WRITE * FILES + LOG].error == EROFS) {
    errno = EROFS;
    return -1;
  }
  return ((int (*)(const char *, int))dlsym(RTLD_NEXT, "access"))(path, mode);
}

int rename(const char *from, const char *to) {
  count_change(name_in(to));
  return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(from, to);
}

int unlink(const char *path) {
  count_change(name_in(path));
  return ((int (*)(const char *))dlsym(RTLD_NEXT, "unlink"))(path);
}
