// Preloaded into a process, makes every fsync and fdatasync take SLOW_SYNC_US microseconds longer: a disk slower than this one.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void delay(void) {
  const char *us = getenv("SLOW_SYNC_US");
  if (us) usleep((useconds_t)atoi(us));
}

int fsync(int fd) {
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  delay();
  return next(fd);
}

int fdatasync(int fd) {
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  delay();
  return next(fd);
}
