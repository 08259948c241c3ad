// The workload of glibc's bench-malloc-thread: workload/ is its Go side.

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "driver.h"

enum { SLOTS = 1024, SIZE_COUNT = 8000, SLOT_COUNT = 4 * SLOTS, MIN_SIZE = 4, MAX_SIZE = 32768 };

static uint32_t sizes[SIZE_COUNT], slot_of[SLOT_COUNT];

// draw is glibc's default rand() after srand(1), with whatever C library.
static uint32_t draw(void) {
	static uint32_t state[31];
	static int i;
	if (i == 0) {
		int64_t seed = 1;
		for (int j = 0; j < 31; j++) {
			state[j] = (uint32_t)seed;
			seed = 16807 * seed % INT64_C(2147483647);
		}
		for (i = 34; i < 344; i++)
			state[i % 31] += state[(i - 3) % 31];
	}
	uint32_t *x = &state[i % 31];
	*x += state[(i - 3) % 31];
	i++;
	return *x >> 1;
}

void thread_init(void) {
	const float low = 1.0f / MIN_SIZE, high = 1.0f / MAX_SIZE;
	for (int i = 0; i < SIZE_COUNT; i++) {
		float r = (float)draw() / (float)2147483647;
		volatile float product = (high - low) * r; // not fused with the addition, which rounds differently
		sizes[i] = (uint32_t)(1.0f / (product + low));
	}
	for (int i = 0; i < SLOT_COUNT; i++)
		slot_of[i] = draw() % SLOTS;
	if (thread_hash_sizes() != UINT64_C(0x631c84fc8cbf572d) || thread_hash_slots() != UINT64_C(0x093adfd3da6c5a11))
		die("the tables are not the original's");
}

uint64_t thread_hash_sizes(void) { return fnv(sizes, SIZE_COUNT); }
uint64_t thread_hash_slots(void) { return fnv(slot_of, SLOT_COUNT); }

// A worker is a thread with what it holds. Workers last over all rounds, and
// what they hold too, so that only the warm-up sees empty caches.
struct worker {
	pthread_t thread;
	struct team *team;
	struct sample last;
	void *set[SLOTS];
};

struct team {
	int64_t duration;
	int threads;
	pthread_barrier_t begin, end;
	struct worker *workers;
};

static struct {
	char before[64];
	atomic_bool now; // on a cache line of its own: every iteration reads it
	char after[64];
} stop;

KERNEL static int64_t loop(void **set) {
	int64_t iterations = 0;
	size_t size = 0, slot = 0;
	while (!atomic_load_explicit(&stop.now, memory_order_relaxed)) {
		if (++size >= SIZE_COUNT)
			size = 0;
		slot = (slot + 1) % SLOT_COUNT;
		void **at = &set[slot_of[slot]];
		free(*at);
		*at = malloc(sizes[size]);
		iterations++;
	}
	return iterations;
}

static void work(struct worker *w) {
	int64_t start = clock_ns();
	w->last.ops = loop(w->set);
	w->last.elapsed = clock_ns() - start;
}

static void *worker_main(void *arg) {
	struct worker *w = arg;
	for (;;) {
		pthread_barrier_wait(&w->team->begin);
		work(w);
		pthread_barrier_wait(&w->team->end);
	}
	return NULL;
}

static void on_alarm(int signal) {
	(void)signal;
	atomic_store(&stop.now, 1);
}

// One thread is the process's only one and is stopped by a signal, as in the
// original: glibc knows that it needs no locks then.
static struct sample round_alone(struct team *t) {
	struct itimerval timer = {.it_value = {t->duration / 1000000000, t->duration % 1000000000 / 1000}};
	atomic_store(&stop.now, 0);
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &timer, NULL);
	work(&t->workers[0]);
	return t->workers[0].last;
}

static struct sample round_together(struct team *t) {
	struct timespec pause = {t->duration / 1000000000, t->duration % 1000000000};
	struct sample sum = {0, 0};
	atomic_store(&stop.now, 0);
	pthread_barrier_wait(&t->begin);
	nanosleep(&pause, NULL);
	atomic_store(&stop.now, 1);
	pthread_barrier_wait(&t->end);
	for (int i = 0; i < t->threads; i++) {
		sum.elapsed += t->workers[i].last.elapsed;
		sum.ops += t->workers[i].last.ops;
	}
	return sum;
}

static struct sample thread_round(void *arg) {
	struct team *t = arg;
	struct sample s;
	do // again where no thread had a core meanwhile
		s = t->threads == 1 ? round_alone(t) : round_together(t);
	while (s.ops == 0);
	return s;
}

void thread_run(int rounds, int threads, int64_t duration) {
	static struct team t; // its threads never end
	t.duration = duration;
	t.threads = threads;
	thread_init();
	if (threads < 1 || duration <= 0)
		die("threads and duration must be positive");
	t.workers = map(sizeof(struct worker) * (size_t)threads);
	if (threads > 1) {
		pthread_barrier_init(&t.begin, NULL, (unsigned)threads + 1);
		pthread_barrier_init(&t.end, NULL, (unsigned)threads + 1);
		for (int i = 0; i < threads; i++) {
			t.workers[i].team = &t;
			if (pthread_create(&t.workers[i].thread, NULL, worker_main, &t.workers[i]) != 0)
				die("no thread");
		}
	}
	print_rounds(rounds, thread_round, &t);
}
