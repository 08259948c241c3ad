// Usage: driver MALLOC WORKLOAD ROUNDS [NUMBER...]
//
// MALLOC is part of the name of the library that malloc must come from.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

// check_malloc refuses to measure another allocator than was asked for: the
// loader only warns about a library that it cannot preload.
static void check_malloc(const char *library) {
	const char *const functions[] = {"malloc", "free"};
	for (int i = 0; i < 2; i++) {
		Dl_info info;
		void *f = dlsym(RTLD_DEFAULT, functions[i]);
		if (f == NULL || dladdr(f, &info) == 0 || info.dli_fname == NULL)
			die("cannot tell where malloc comes from");
		if (strstr(info.dli_fname, library) == NULL)
			die("malloc is not that of the library that was asked for");
	}
}

int main(int argc, char **argv) {
	if (argc < 4)
		die("usage: driver MALLOC WORKLOAD ROUNDS [NUMBER...]");
	const char *work = argv[2];
	int rounds = atoi(argv[3]);
	int64_t number[3] = {0};
	for (int i = 0; i < 3 && i + 4 < argc; i++)
		number[i] = atoll(argv[i + 4]);

	check_malloc(argv[1]);
	if (strcmp(work, "tables") == 0) {
		thread_init();
		drift_init();
		printf("%016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %016" PRIx64 "\n", thread_hash_sizes(),
			thread_hash_slots(), drift_hash(), fixed_hash(number[0]));
	} else if (strcmp(work, "thread") == 0) {
		thread_run(rounds, (int)number[0], number[1]);
	} else if (strcmp(work, "fixed") == 0) {
		fixed_run(rounds, number[0], number[1], number[2]);
	} else if (strcmp(work, "burst") == 0) {
		burst_run(rounds, number[0], number[1]);
	} else if (strcmp(work, "drift") == 0) {
		drift_run(number[0]);
	} else {
		die("no such workload");
	}
	return 0;
}
