// The faults that a test has written for disk.c: of each call on each file, and of writes below mail/.
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DB, LOG, FILES, OTHER = -1 };
enum { WRITE, SYNC, READ, CALLS };
enum { MAIL = CALLS * FILES, FAULTS }; // the fault of writes below mail/

struct fault {
  int32_t error; // errno
  int32_t left;  // how many calls fail; -1: all
};

static volatile struct fault *faults;

static void map_faults(int fd) {
  if (fd < 0) return;
  void *mapped = mmap(NULL, sizeof(struct fault) * FAULTS, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped != MAP_FAILED) faults = mapped;
  close(fd);
}

/** Returns whether a call with this fault must fail, and sets errno. */
static int meets(int at) {
  if (!faults || faults[at].left == 0) return 0;
  if (faults[at].left > 0) faults[at].left--;
  errno = faults[at].error;
  return 1;
}

static int fails(int call, int file) { return meets(call * FILES + file); }
