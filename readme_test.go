package allocgen_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allocgen/allocgen/internal/spec"
)

// TestReadme holds README against the repository: what it shows is what is there.
func TestReadme(t *testing.T) {
	t.Parallel()
	blocks := fenced(t, "README.md")
	file := func(name string) string {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		return string(text)
	}

	t.Run("spec", func(t *testing.T) {
		shown, errs := spec.Parse("shown.yaml", []byte(blocks["yaml"][0]))
		require.Empty(t, errs)
		there, errs := spec.Parse("specs/pylist.yaml", []byte(file("specs/pylist.yaml")))
		require.Empty(t, errs)
		shown.Doc = there.Doc // README leaves it out
		require.Equal(t, there.Hash(), shown.Hash())
	})
	t.Run("function", func(t *testing.T) {
		require.Contains(t, file("generated/pylist/pylist_list_gen.go"), blocks["go"][0])
	})
	t.Run("use", func(t *testing.T) {
		use := "package main\n\nimport \"github.com/allocgen/allocgen/generated/general\"\n\nfunc main() {\n" + blocks["go"][1] + "}\n"
		// An overlay puts the program into this module without a file in its tree.
		program := filepath.Join(t.TempDir(), "main.go")
		writeFile(t, program, use)
		place, err := filepath.Abs("readme_use/main.go")
		require.NoError(t, err)
		overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{place: program}})
		require.NoError(t, err)
		writeFile(t, program+".json", string(overlay))
		run(t, ".", "go", "run", "-overlay", program+".json", "./readme_use")
	})
	t.Run("stats", func(t *testing.T) {
		example := strings.ReplaceAll(file("generated/obmalloc/example_test.go"), "\t//", "")
		example = regexp.MustCompile(`(?m)^ `).ReplaceAllString(example, "")
		require.Contains(t, example, blocks["text"][0]) // go test compares it with what is printed
	})
	t.Run("own package", func(t *testing.T) {
		module := t.TempDir()
		writeFile(t, filepath.Join(module, "go.mod"), "module own\n\ngo 1.21\n")
		writeFile(t, filepath.Join(module, "tree.go"), blocks["go"][2])
		writeFile(t, filepath.Join(module, "pools.yaml"), blocks["yaml"][1])
		writeFile(t, filepath.Join(module, "buf", "buf.yaml"), blocks["yaml"][2])
		allocgen(t, module, "gen")
		allocgen(t, module, "check")
		run(t, module, "go", "vet", "./...")
		run(t, module, "go", "test", "./...")
		require.Regexp(t, `(?m)^nodes.Put +3\d/80 +yes `, run(t, module, built, "inline"))
	})
	t.Run("error", func(t *testing.T) {
		text := strings.Replace(blocks["yaml"][2], "{}", "{treshold: 4KiB}", 1)
		_, errs := spec.Parse("buf.yaml", []byte(text))
		require.Equal(t, blocks[""][1], errs.Error()+"\n")
	})
	t.Run("gen", func(t *testing.T) {
		got := regexp.MustCompile(`\d\.\d\d s`).ReplaceAllString(run(t, ".", built, "gen"), "0.41 s")
		require.Equal(t, blocks[""][0], got)
	})
	t.Run("inline", func(t *testing.T) {
		at := slices.IndexFunc(blocks[""], func(b string) bool { return strings.Contains(b, "entry point") })
		want := strings.Split(blocks[""][at], "\n")
		got := strings.Split(run(t, ".", built, "inline", "./generated/pylist"), "\n")
		lines := regexp.MustCompile(`(\.go):\d+:\d+ *`) // where a line stands moves with all above it
		for i := range got {
			got[i] = lines.ReplaceAllString(got[i], "$1 ")
		}
		for i := range want {
			want[i] = lines.ReplaceAllString(want[i], "$1 ")
		}
		if got[0] != want[0] {
			// Another Go makes other code of it, and numbers it otherwise.
			numbers := regexp.MustCompile(`\d+ *`)
			for _, lines := range [][]string{got, want} {
				for i := range lines {
					lines[i] = strings.Join(strings.Fields(numbers.ReplaceAllString(lines[i], "0 ")), " ")
				}
			}
		}
		for _, line := range want {
			if line == "..." || line == "" {
				continue
			}
			i := slices.Index(got, line)
			require.GreaterOrEqual(t, i, 0, "README shows what is not printed, or not in this order: %s", line)
			got = got[i+1:]
		}
	})
	t.Run("files", func(t *testing.T) {
		for _, m := range regexp.MustCompile("`([a-z_.]+(?:/[a-z_.]+)*\\.(?:md|go|yaml))`").FindAllStringSubmatch(file("README.md"), -1) {
			if m[1] != "buf.yaml" && m[1] != "pools.yaml" {
				require.FileExists(t, m[1])
			}
		}
	})
}

// fenced gives the fenced blocks of a document, by language.
func fenced(t *testing.T, name string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	out := map[string][]string{}
	for _, m := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		out[m[1]] = append(out[m[1]], m[2])
	}
	return out
}
