// A library that moves the clock of a process by OFFSET seconds, for scripts/test_at.ts. It replaces the functions of
// the C library that read the clock. Not libfaketime: with it, Chromium is unusably slow, and a waiting PostgreSQL
// misses its timeouts.
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
  const int result = syscall(SYS_clock_gettime, clock, now);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += OFFSET;
  return result;
}

int gettimeofday(struct timeval *now, void *zone) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  *now = (struct timeval){exact.tv_sec, exact.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *now) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  return now == NULL ? exact.tv_sec : (*now = exact.tv_sec);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                           const struct timespec *until) {
  // `until` is a time of the wall clock, or of the monotonic clock, which counts from the start of the machine.
  const int is_wall = until->tv_sec > 1000000000;
  const struct timespec real = {until->tv_sec - (is_wall ? OFFSET : 0), until->tv_nsec};
  const clockid_t clock = is_wall ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  return pthread_cond_clockwait(condition, mutex, clock, &real);
}
