// Blocks of one size: replaced at random, and in bursts. ../fixed.go is its Go side.

#include <stdlib.h>

#include "driver.h"

enum { MOST_LIVE = 1 << 20, BURST = 512 };

struct fixed {
	void **set;
	uint64_t mask; // blocks live, less one
	uint64_t x;
	int64_t ops;
	size_t size;
};

KERNEL static uint64_t replace(void **set, uint64_t mask, uint64_t x, int64_t ops, size_t size) {
	for (int64_t i = 0; i < ops; i++) {
		void **at = &set[next(&x) >> 44 & mask];
		free(*at);
		*at = malloc(size);
	}
	return x;
}

static struct sample fixed_round(void *arg) {
	struct fixed *f = arg;
	int64_t start = clock_ns();
	f->x = replace(f->set, f->mask, f->x, f->ops, f->size);
	return (struct sample){clock_ns() - start, f->ops};
}

void fixed_run(int rounds, int64_t live, int64_t ops, int64_t size) {
	if (live < 1 || live > MOST_LIVE || (live & (live - 1)) != 0)
		die("live must be a power of two up to 1 M");
	struct fixed f = {map(MOST_LIVE * sizeof(void *)), (uint64_t)live - 1, 1, ops, (size_t)size};
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
