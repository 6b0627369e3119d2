/* What the process of a rig may still do: limits of the system (setrlimit), and on Linux a filter
 * of system calls (seccomp) and of files (Landlock, where the kernel has it). Only the kernel's own
 * interface is used. */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "lua/host/isolate/isolate.h"

#if !defined(_WIN32)

#include "base/error_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

static sinew_status refused(sinew_error *error, const char *what) {
  return si_fail(error, SINEW_ERR_CALL, "the rig's process cannot be confined (%s): %s", what,
                 strerror(errno));
}

/* --- limits */

static bool limit(int which, rlim_t most) {
  struct rlimit now, want = { most, most };
  if (getrlimit(which, &now) != 0) return false;
  if (now.rlim_max < want.rlim_max) want.rlim_cur = want.rlim_max = now.rlim_max;
  return setrlimit(which, &want) == 0;
}

static bool set_limits(size_t memory) {
  bool fine = limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NOFILE, 64);
#if defined(RLIMIT_NPROC)
  fine = fine && limit(RLIMIT_NPROC, 0);
#endif
#if defined(RLIMIT_AS) && !defined(__SANITIZE_ADDRESS__) /* whose shadow is terabytes large */
  if (memory) fine = fine && limit(RLIMIT_AS, memory);
#endif
  (void)memory;
  return fine;
}

#if defined(__linux__)

/* --- files: Landlock. Its numbers are the same on all machines; old headers lack them. */

enum {
  landlock_create = 444,
  landlock_add = 445,
  landlock_restrict = 446,
  landlock_beneath = 1,
  may_read_file = 1 << 2,
  may_read_folder = 1 << 3,
  all_rights = (1 << 13) - 1 /* of its first version, which every kernel with Landlock has */
};

typedef struct __attribute__((packed)) landlock_path {
  uint64_t allowed;
  int32_t parent;
} landlock_path;

/* false only if the kernel has it and it fails */
static bool allow_files(const char *const *paths, int count) {
  uint64_t handled = all_rights;
  long rules = syscall(landlock_create, &handled, sizeof handled, 0);
  if (rules < 0) return errno == ENOSYS || errno == EOPNOTSUPP;
  bool fine = true;
  for (int i = 0; i < count; i++) {
    int folder = open(paths[i], O_PATH | O_CLOEXEC | O_DIRECTORY);
    landlock_path rule = { may_read_file | may_read_folder, folder };
    if (folder < 0) {
      rule.parent = open(paths[i], O_PATH | O_CLOEXEC);
      rule.allowed = may_read_file;
    }
    if (rule.parent < 0) continue; /* there is nothing to read */
    fine &= syscall(landlock_add, (int)rules, landlock_beneath, &rule, 0) == 0;
    close(rule.parent);
  }
  fine = fine && syscall(landlock_restrict, (int)rules, 0) == 0;
  close((int)rules);
  return fine;
}

/* --- system calls: seccomp, on the machines that Sinew is tested on; both are little-endian */

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif
#if defined(MACHINE)

/* those without danger: they read, wait, or manage this process's own memory and signals */
static const int plain[] = {
  /* clang-format off */
  SYS_read, SYS_readv, SYS_pread64, SYS_write, SYS_writev, SYS_close, SYS_lseek, SYS_fstat,
  SYS_munmap, SYS_mremap, SYS_brk, SYS_madvise,
  SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
  SYS_futex, SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres,
  SYS_gettimeofday, SYS_sched_yield, SYS_sched_getaffinity, SYS_ppoll,
  SYS_getpid, SYS_gettid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getrusage,
  SYS_getcwd, SYS_readlinkat, SYS_faccessat, SYS_getdents64, SYS_newfstatat,
  SYS_getrandom, SYS_exit, SYS_exit_group, SYS_restart_syscall,
#ifdef SYS_open /* the older calls of x86 */
  SYS_stat, SYS_lstat, SYS_poll, SYS_readlink, SYS_access, SYS_time,
#endif
#ifdef SYS_faccessat2 /* newer than some headers */
  SYS_statx, SYS_rseq, SYS_faccessat2,
#endif
  /* clang-format on */
};

/* those that are allowed if an argument has none of these bits, or is this number */
typedef struct checked {
  int call;
  unsigned argument, value;
  bool equal;
} checked;

typedef struct filter {
  struct sock_filter at[256];
  unsigned short count;
} filter;

static void add(filter *f, unsigned short code, unsigned value, unsigned char yes,
                unsigned char no) {
  f->at[f->count++] = (struct sock_filter){ code, yes, no, value };
}

static void add_load(filter *f, size_t offset) {
  add(f, BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0);
}
static void add_return(filter *f, unsigned what) { add(f, BPF_RET | BPF_K, what, 0, 0); }

enum { refuse = SECCOMP_RET_ERRNO | EPERM };

static void add_checked(filter *f, const checked *c) {
  add(f, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)c->call, 0, 4);
  add_load(f, offsetof(struct seccomp_data, args) + 8 * c->argument); /* low half */
  if (c->equal)
    add(f, BPF_JMP | BPF_JEQ | BPF_K, c->value, 0, 1);
  else
    add(f, BPF_JMP | BPF_JSET | BPF_K, c->value, 1, 0);
  add_return(f, SECCOMP_RET_ALLOW);
  add_return(f, refuse);
}

static bool filter_calls(void) {
  const unsigned changes = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND;
  const unsigned own = (unsigned)getpid();
  const checked some[] = {
    { SYS_openat, 2, changes, false }, { SYS_mprotect, 2, PROT_EXEC, false },
#ifdef SYS_open
    { SYS_open, 1, changes, false },
#endif
    { SYS_mmap, 2, PROT_EXEC, false }, { SYS_tgkill, 0, own, true },
    { SYS_prlimit64, 0, 0, true },     { SYS_fcntl, 1, F_GETFL, true },
  };
  filter f = { .count = 0 };
  add_load(&f, offsetof(struct seccomp_data, arch));
  add(&f, BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0);
  add_return(&f, SECCOMP_RET_KILL_PROCESS);
  add_load(&f, offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
  add(&f, BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1); /* the calls of x32 */
  add_return(&f, SECCOMP_RET_KILL_PROCESS);
#endif
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
    add(&f, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)plain[i], 0, 1);
    add_return(&f, SECCOMP_RET_ALLOW);
  }
  for (size_t i = 0; i < sizeof some / sizeof *some; i++) add_checked(&f, &some[i]);
  add_return(&f, refuse);
  const struct sock_fprog program = { f.count, f.at };
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

#else

static bool filter_calls(void) {
  errno = ENOSYS;
  return false;
}

#endif

#endif

bool si_confine(const char *const *folders, int count, size_t memory, sinew_error *error) {
  if (!set_limits(memory)) return refused(error, "limits") >= 0;
#if defined(__linux__)
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return refused(error, "privileges") >= 0;
  if (!allow_files(folders, count)) return refused(error, "Landlock") >= 0;
  if (!filter_calls()) return refused(error, "seccomp") >= 0;
#else
  (void)folders;
  (void)count;
#endif
  return true;
}

#endif
