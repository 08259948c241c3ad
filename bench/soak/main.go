// Command soak works a generated heap for a long time, as a program would that
// uses all of it: goroutines that come and go, sizes that drift, blocks that
// change hands, GOMAXPROCS that changes. It checks every block's contents, what
// stays resident, and that everything balances in the end. Its exit status is 1
// when anything is wrong.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run() error {
	var (
		duration   = flag.Duration("duration", 10*time.Minute, "how long to work")
		goroutines = flag.Int("goroutines", 8, "that work at a time")
		live       = flag.Int("live", 48, "MiB that are live at a time, in all goroutines")
		bound      = flag.Int("bound", 192, "MiB that may be resident, beyond what was at the start")
		seed       = flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the random choices")
	)
	flag.Parse()
	if *duration <= 0 || *goroutines < 1 || *live < 1 || *bound < 1 {
		return errors.New("-duration, -goroutines, -live and -bound must be positive")
	}
	fmt.Printf("seed %d\n", *seed)
	s, err := newSession(*goroutines, *live<<20, int64(*bound)<<20, *seed)
	if err != nil {
		return err
	}
	s.work(*duration)
	err = s.finish()
	fmt.Println(s.report())
	return err
}
