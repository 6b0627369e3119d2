/* Messages over a socket: a head with kind and size, then the bytes. */
#include "lua/host/isolate/isolate.h"

#if !defined(_WIN32)

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/platform.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

enum { look_for_stop = 20 }; /* milliseconds after which a side that waits looks whether to stop */

/* waits until the socket can be read or written; 1, 0 when time is up or a budget of this thread
 * has stopped, -1 on failure */
static int wait_for(int file, short events, uint64_t deadline) {
  for (;;) {
    int milliseconds = -1;
    if (deadline) {
      uint64_t now = si_clock(), left = deadline > now ? (deadline - now + 999999) / 1000000 : 0;
      milliseconds = left > look_for_stop ? look_for_stop : (int)left;
    }
    struct pollfd one = { .fd = file, .events = events };
    int found = poll(&one, 1, milliseconds);
    if (found > 0) return one.revents & (events | POLLHUP) ? 1 : -1;
    if (found == 0 && deadline && (si_stopped() || si_clock() >= deadline)) return 0;
    if (found < 0 && errno != EINTR) return -1;
  }
}

static bool put_all(int file, const unsigned char *at, size_t size, uint64_t deadline) {
  while (size > 0) {
    ssize_t put = deadline ? send(file, at, size, MSG_NOSIGNAL | MSG_DONTWAIT)
                           : write(file, at, size); /* all that a confined process may call */
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && errno != EAGAIN && errno != EWOULDBLOCK) return false;
    if (put > 0) {
      at += put;
      size -= (size_t)put;
    } else if (wait_for(file, POLLOUT, deadline) <= 0) {
      return false;
    }
  }
  return true;
}

/* 1, 0 when time is up before the first byte, -1 otherwise */
static int get_all(int file, unsigned char *at, size_t size, uint64_t deadline) {
  bool begun = false;
  while (size > 0) {
    int ready = wait_for(file, POLLIN, deadline);
    if (ready <= 0) return begun ? -1 : ready;
    ssize_t got = read(file, at, size);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return -1;
    begun = true;
    at += got;
    size -= (size_t)got;
  }
  return 1;
}

bool si_message_send(int socket, uint32_t kind, const si_wire *message, uint64_t deadline) {
  if (message && message->failed) return false;
  uint32_t head[2] = { kind, message ? (uint32_t)message->size : 0 };
  _Static_assert(sizeof head == SI_WIRE_HEAD, "a message's head");
  return put_all(socket, (const unsigned char *)head, sizeof head, deadline) &&
         (!message || put_all(socket, message->at, message->size, deadline));
}

int si_message_receive(int socket, uint32_t *kind, si_wire *dest, uint64_t deadline) {
  uint32_t head[2];
  *dest = (si_wire){ .at = NULL };
  int got = get_all(socket, (unsigned char *)head, sizeof head, deadline);
  if (got <= 0) return got;
  *kind = head[0];
  size_t size = head[1], step = (size_t)1 << 20;
  if (size > SI_WIRE_MESSAGE) return -1;
  /* room for what has arrived only: a head alone must not take memory */
  while (dest->size < size) {
    size_t part = size - dest->size < step ? size - dest->size : step;
    if (!si_grow(&dest->at, &dest->room, dest->size + part, 1) ||
        get_all(socket, dest->at + dest->size, part, deadline) != 1) {
      si_wire_free(dest);
      return -1;
    }
    dest->size += part;
  }
  return 1;
}

#endif
