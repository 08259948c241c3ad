package main

import (
	"encoding/json"
	"io"

	"github.com/allocgen/allocgen/bench/report"
	"github.com/allocgen/allocgen/bench/workload"
)

// A document is what the original prints, keys in its order. It has one
// function, "malloc", with one variant, whose name is empty.
type document struct {
	TimingType string                       `json:"timing_type"`
	Functions  map[string]map[string]result `json:"functions"`
}

type result struct {
	Duration         int64   `json:"duration"` // ns, summed over the threads
	Iterations       int64   `json:"iterations"`
	TimePerIteration float64 `json:"time_per_iteration"`
	MaxRSS           int64   `json:"max_rss"`
	Threads          int     `json:"threads"`
	MinSize          int     `json:"min_size"`
	MaxSize          int     `json:"max_size"`
	RandomSeed       int     `json:"random_seed"`
}

// writeOriginal prints the round behind f as the original prints its only run.
func writeOriginal(w io.Writer, f report.Figure, threads int) error {
	r := result{
		Duration:         f.Best.Elapsed.Nanoseconds(),
		Iterations:       f.Best.Ops,
		TimePerIteration: f.Best.NsPerOp(),
		MaxRSS:           f.MaxRSS,
		Threads:          threads,
		MinSize:          workload.MinSize,
		MaxSize:          workload.MaxSize,
		RandomSeed:       workload.PrintedSeed,
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(document{
		TimingType: "clock_gettime", // glibc's word for nanoseconds of a monotonic clock
		Functions:  map[string]map[string]result{"malloc": {"": r}},
	})
}
