//go:build !unix

package report

func usage() rusage { return rusage{} }
