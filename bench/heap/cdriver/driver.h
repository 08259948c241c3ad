// What the workloads of the C side share. The Go side of each is in the folder
// above; both do the same requests in the same order and touch the same bytes.
#ifndef DRIVER_H
#define DRIVER_H

#include <stddef.h>
#include <stdint.h>

// A kernel is out of line, so that nothing of it is known where it is called.
#define KERNEL __attribute__((noinline))

// A sample is one measured round, as report.Sample.
struct sample {
	int64_t elapsed; // ns, summed over the threads
	int64_t ops;
};

// die ends the process with a message.
_Noreturn void die(const char *what);

// clock_ns is a monotonic clock.
int64_t clock_ns(void);

// resident is how many bytes of the process are in memory.
int64_t resident(void);

// map gives zeroed memory that is not the allocator's, touched.
void *map(size_t bytes);

// print_rounds measures rounds, after one to warm up, and prints report.Output.
void print_rounds(int rounds, struct sample (*round)(void *), void *arg);

// print_values prints report.Output with so many figures.
void print_values(int count, const char *const *names, const double *values);

// next steps the generator that fixed and drift draw from: Knuth's MMIX. Its high bits are good.
static inline uint64_t next(uint64_t *x) {
	return *x = *x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
}

// fnv is FNV-1a, 64 bits, over the entries as little-endian uint32.
uint64_t fnv(const uint32_t *table, size_t n);

// The workloads.
void thread_init(void);
uint64_t thread_hash_sizes(void);
uint64_t thread_hash_slots(void);
void thread_run(int rounds, int threads, int64_t duration);
uint64_t fixed_hash(int64_t live);
void fixed_run(int rounds, int64_t live, int64_t ops, int64_t size);
void burst_run(int rounds, int64_t bursts, int64_t size);
void drift_init(void);
uint64_t drift_hash(void);
void drift_run(int64_t live);

#endif
