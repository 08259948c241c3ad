package source

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Origins reads the specs whose output is in a folder, by the headers of the
// files there: none when nothing in it was generated.
func Origins(dir string) ([]SpecFile, error) {
	files, err := goFiles(dir)
	if err != nil {
		return nil, err
	}
	var specs []SpecFile
	for _, path := range files {
		h, err := readHeader(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", shown(path), cause(err))
		}
		if h == nil {
			continue
		}
		origin, err := h.origin(filepath.Dir(path))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", shown(path), err)
		}
		known := func(s SpecFile) bool { return s.Path == origin }
		if slices.ContainsFunc(specs, known) {
			continue
		}
		text, err := os.ReadFile(origin)
		if err != nil {
			return nil, fmt.Errorf("%s: cannot read its spec, %s: %w", shown(path), shown(origin), cause(err))
		}
		specs = append(specs, SpecFile{Name: shown(origin), Path: origin, Text: text})
	}
	return specs, nil
}
