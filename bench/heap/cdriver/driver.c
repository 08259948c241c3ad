#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "driver.h"

void die(const char *what) {
	fprintf(stderr, "driver: %s\n", what);
	exit(1);
}

int64_t clock_ns(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

// Without stdio, which would allocate.
int64_t resident(void) {
	char text[128];
	int file = open("/proc/self/statm", O_RDONLY);
	ssize_t n = file < 0 ? -1 : read(file, text, sizeof text - 1);
	if (n <= 0)
		die("cannot read /proc/self/statm");
	close(file);
	text[n] = 0;
	char *pages = strchr(text, ' ');
	if (pages == NULL)
		die("cannot understand /proc/self/statm");
	return atoll(pages) * sysconf(_SC_PAGESIZE);
}

void *map(size_t bytes) {
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		die("mmap failed");
	return memset(p, 0, bytes);
}

static int64_t timeval_ns(struct timeval t) {
	return t.tv_sec * INT64_C(1000000000) + t.tv_usec * INT64_C(1000);
}

static int64_t cpu_ns(void) {
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	return timeval_ns(u.ru_utime) + timeval_ns(u.ru_stime);
}

static long max_rss(void) {
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss;
}

void print_rounds(int rounds, struct sample (*round)(void *), void *arg) {
	round(arg); // warm-up
	printf("{\"samples\":[");
	for (int i = 0; i < rounds; i++) {
		int64_t cpu = cpu_ns(), wall = clock_ns();
		struct sample s = round(arg);
		wall = clock_ns() - wall;
		cpu = cpu_ns() - cpu;
		printf("%s{\"elapsed\":%" PRId64 ",\"ops\":%" PRId64 ",\"wall\":%" PRId64 ",\"cpu\":%" PRId64 "}",
			i > 0 ? "," : "", s.elapsed, s.ops, wall, cpu);
	}
	printf("],\"max_rss\":%ld}\n", max_rss());
}

void print_values(int count, const char *const *names, const double *values) {
	printf("{\"values\":{");
	for (int i = 0; i < count; i++)
		printf("%s\"%s\":%.6f", i > 0 ? "," : "", names[i], values[i]);
	printf("},\"max_rss\":%ld}\n", max_rss());
}

uint64_t fnv(const uint32_t *table, size_t n) {
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < n; i++)
		for (int shift = 0; shift < 32; shift += 8)
			h = (h ^ ((table[i] >> shift) & 0xff)) * UINT64_C(0x100000001b3);
	return h;
}
