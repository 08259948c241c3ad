// Sizes that drift while the live bytes stay: ../drift.go is its Go side.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

enum { QUANTILES = 1 << 16, MEAN_SHIFT = 16, CHURN = 3 };

static const int64_t means[] = {64, 64, 1024, 64, 4096, 256, 64, 2000, 100};
enum { PHASES = sizeof means / sizeof means[0] };

// quantile holds those of the exponential distribution with mean 1, in units of 1 / 65536.
static uint32_t quantile[QUANTILES];

void drift_init(void) {
	for (int i = 0; i < QUANTILES; i++)
		quantile[i] = (uint32_t)floor(-log((i + 0.5) / QUANTILES) * 65536 + 0.5);
}

uint64_t drift_hash(void) { return fnv(quantile, QUANTILES); }

struct block {
	char *p;
	size_t size;
};

struct drift {
	struct block *blocks;
	int64_t count, room;
	int64_t live, target; // bytes
	int64_t made;         // bytes allocated so far
	int64_t requests;
	uint64_t x;
	char *pattern; // what blocks are written with
};

// add puts a block of random size into the set and writes all of it.
static void add(struct drift *d, int64_t mean) {
	size_t size = 1 + (size_t)((uint64_t)mean * quantile[next(&d->x) >> 48] >> MEAN_SHIFT);
	char *p = malloc(size);
	if (p == NULL || d->count == d->room)
		die("out of memory");
	memcpy(p, d->pattern, size);
	d->blocks[d->count++] = (struct block){p, size};
	d->live += (int64_t)size;
	d->made += (int64_t)size;
	d->requests++;
}

// drop frees a random block.
static void drop(struct drift *d) {
	struct block *b = &d->blocks[(next(&d->x) >> 32) * (uint64_t)d->count >> 32];
	free(b->p);
	d->live -= (int64_t)b->size;
	*b = d->blocks[--d->count];
}

KERNEL static void phase(struct drift *d, int64_t mean) {
	for (int64_t end = d->made + CHURN * d->target; d->made < end;) {
		drop(d);
		while (d->live < d->target)
			add(d, mean);
	}
}

void drift_run(int64_t live) {
	struct drift d = {.target = live, .room = live / 32, .x = 1};
	const char *names[PHASES + 1];
	double values[PHASES + 1];
	char text[PHASES][16];
	drift_init();
	d.blocks = map((size_t)d.room * sizeof(struct block));
	d.pattern = map(1 << 18);

	int64_t before = resident(), start = clock_ns();
	while (d.live < d.target)
		add(&d, means[0]);
	for (int i = 0; i < PHASES; i++) {
		phase(&d, means[i]);
		snprintf(text[i], sizeof text[i], "phase %d", i + 1);
		names[i] = text[i];
		values[i] = (double)(resident() - before) / (double)d.live;
	}
	names[PHASES] = "ns";
	values[PHASES] = (double)(clock_ns() - start) / (double)d.requests;
	print_values(PHASES + 1, names, values);
}
