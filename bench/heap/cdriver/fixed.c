// Blocks of one size: replaced at random, and in bursts. ../fixed.go is its Go side.

#include <stdlib.h>

#include "driver.h"

enum { MOST_LIVE = 1 << 20, BURST = 512 };

// A walk says which slot is next.
enum { MOST_WALK = 4 * MOST_LIVE, LEAST_WALK = 1 << 16 };

struct fixed {
	void **set;
	uint32_t *walk;
	size_t mask; // length of the walk, less one
	int64_t ops;
	size_t size;
};

KERNEL static void replace(void **set, const uint32_t *walk, size_t mask, int64_t ops, size_t size) {
	for (int64_t i = 0; i < ops; i++) {
		void **at = &set[walk[(size_t)i & mask]];
		free(*at);
		*at = malloc(size);
	}
}

static struct sample fixed_round(void *arg) {
	struct fixed *f = arg;
	int64_t start = clock_ns();
	replace(f->set, f->walk, f->mask, f->ops, f->size);
	return (struct sample){clock_ns() - start, f->ops};
}

// draw_walk returns the length of the walk.
static size_t draw_walk(uint32_t *walk, int64_t live) {
	if (live < 1 || live > MOST_LIVE || (live & (live - 1)) != 0)
		die("live must be a power of two up to 1 M");
	size_t n = (size_t)(4 * live < LEAST_WALK ? LEAST_WALK : 4 * live);
	uint64_t x = 1;
	for (size_t i = 0; i < n; i++)
		walk[i] = (uint32_t)((next(&x) >> 32) * (uint64_t)live >> 32);
	return n;
}

uint64_t fixed_hash(int64_t live) {
	uint32_t *walk = map(MOST_WALK * sizeof(uint32_t));
	return fnv(walk, draw_walk(walk, live));
}

void fixed_run(int rounds, int64_t live, int64_t ops, int64_t size) {
	struct fixed f = {.set = map(MOST_LIVE * sizeof(void *)), .walk = map(MOST_WALK * sizeof(uint32_t)), .ops = ops, .size = (size_t)size};
	f.mask = draw_walk(f.walk, live) - 1;
	for (int64_t i = 0; i < live; i++)
		f.set[i] = malloc(f.size);
	print_rounds(rounds, fixed_round, &f);
}

struct burst {
	int64_t bursts;
	size_t size;
};

KERNEL static void burst(int64_t bursts, size_t size) {
	void *set[BURST];
	for (int64_t i = 0; i < bursts; i++) {
		for (int j = 0; j < BURST; j++)
			set[j] = malloc(size);
		for (int j = 0; j < BURST; j++)
			free(set[j]);
	}
}

static struct sample burst_round(void *arg) {
	struct burst *b = arg;
	int64_t start = clock_ns();
	burst(b->bursts, b->size);
	return (struct sample){clock_ns() - start, b->bursts * BURST};
}

void burst_run(int rounds, int64_t bursts, int64_t size) {
	struct burst b = {bursts, (size_t)size};
	print_rounds(rounds, burst_round, &b);
}
