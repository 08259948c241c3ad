package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func specNames(f *Found) []string {
	var all []string
	for _, s := range f.Specs {
		all = append(all, s.Name)
	}
	return all
}

func TestWalkSkips(t *testing.T) {
	dir := tree(t, map[string]string{
		"b.yaml":             "# a comment\n\n" + specText,
		"a/a.yml":            specText,
		"a/other.yaml":       "kind: Deployment\n",
		"a/readme.md":        specText,
		"vendor/v.yaml":      specText,
		"a/testdata/t.yaml":  specText,
		".hidden/h.yaml":     specText,
		".h.yaml":            specText,
		"_old/o.yaml":        specText,
		"nested/go.mod":      "module example.com/nested\n",
		"nested/n.yaml":      specText,
		"nested/deep/d.yaml": specText,
	})
	symlink(t, filepath.Join(dir, "nested"), filepath.Join(dir, "link"))
	symlink(t, filepath.Join(dir, "nowhere"), filepath.Join(dir, "dangling.yaml"))
	require.Equal(t, []string{"a/a.yml", "b.yaml"}, specNames(discover(t)))
	require.Equal(t, []string{"a/a.yml", "b.yaml"}, specNames(discover(t, "b.yaml", ".", "a", "./a/../b.yaml")))
	require.Equal(t, []string{"nested/deep/d.yaml", "nested/n.yaml"}, specNames(discover(t, "nested")),
		"a folder that is named is walked")
	require.Equal(t, []string{"nested/deep/d.yaml", "nested/n.yaml"}, specNames(discover(t, "link")))
	require.Equal(t, []string{"vendor/v.yaml"}, specNames(discover(t, "vendor")))

	t.Chdir(filepath.Join(dir, "a"))
	require.Equal(t, []string{"a.yml", "../b.yaml"}, specNames(discover(t)), "the whole module, from below")
}

func TestDiscoverErrors(t *testing.T) {
	big := specText + strings.Repeat("#", maxSpec)
	tree(t, map[string]string{
		"empty/x.txt":      "",
		"big/big.yaml":     big,
		"fat/fat.yaml":     strings.Repeat("#\n", maxSpec),
		"fat/x.yaml":       specText,
		"other/other.yaml": "kind: Deployment\n",
	})
	for _, c := range []struct{ arg, want string }{
		{"nope.yaml", "nope.yaml: no such file or directory"},
		{"empty", "empty: no spec in this folder or below: a spec is a .yaml file that starts with `allocgen: 1`"},
		{"other", "other: no spec in this folder or below: a spec is a .yaml file that starts with `allocgen: 1`"},
		{"big", "big/big.yaml:1:1: 262167 bytes: a spec has at most 262144"},
		{"big/big.yaml", "big/big.yaml:1:1: 262167 bytes: a spec has at most 262144"},
		{"fat/fat.yaml", "fat/fat.yaml:1:1: 524288 bytes: a spec has at most 262144"},
		{"", `"" is no file or folder`},
		{os.DevNull, os.DevNull + ":1:1: neither a regular file nor a folder"},
	} {
		_, err := Discover([]string{c.arg})
		require.EqualError(t, err, c.want)
	}
	require.Equal(t, []string{"fat/x.yaml"}, specNames(discover(t, "fat")), "big, but no spec")
	require.Equal(t, []string{"other/other.yaml"}, specNames(discover(t, "other/other.yaml")),
		"what is wrong with a file that is named is the parser's to say")

	_, err := Discover([]string{"nope.yaml", "big", "./big/big.yaml"})
	require.Len(t, strings.Split(err.Error(), "\n"), 2, "all errors at once, and once")
}

func TestNoModule(t *testing.T) {
	t.Chdir(t.TempDir())
	_, err := Discover(nil)
	require.EqualError(t, err, "no go.mod in this folder or above: run go mod init, or name a spec")
}

func TestOnlyOutputLeft(t *testing.T) {
	dir := tree(t, map[string]string{"gen/x_gen.go": string(withHeader("../x.yaml", "0123456789abcdef", nil))})
	found := discover(t)
	require.Empty(t, found.Specs)
	require.Equal(t, []string{filepath.Join(dir, "gen", "x_gen.go")}, found.Generated)
}

// A walk takes what its outputs come from for specs, whatever they look like.
func TestOrigins(t *testing.T) {
	from := func(spec string) string { return string(withHeader(spec, "0123456789abcdef", nil)) }
	dir := tree(t, map[string]string{
		"specs/dashes.yaml":   "---\n" + specText,
		"specs/other.conf":    specText,
		"gen/dashes_a_gen.go": from("../specs/dashes.yaml"),
		"gen/dashes_b_gen.go": from("../specs/dashes.yaml"),
		"gen/other_gen.go":    from("../specs/other.conf"),
		"gen/gone_gen.go":     from("../specs/gone.yaml"),
		"gen/data_gen.go":     from("../testdata/data.yaml"),
		"testdata/data.yaml":  "---\n" + specText,
		"gen/link_gen.go":     from("../alias/linked.yaml"),
		"real/linked.yaml":    "---\n" + specText,
	})
	symlink(t, filepath.Join(dir, "real"), filepath.Join(dir, "alias"))
	require.Equal(t, []string{"real/linked.yaml", "specs/dashes.yaml", "specs/other.conf"}, specNames(discover(t)))
	require.Equal(t, []string{"specs/dashes.yaml", "specs/other.conf"}, specNames(discover(t, "gen", "specs")))
	require.Empty(t, specNames(discover(t, "gen")), "not what was not walked")

	put(t, filepath.Join(dir, "specs", "dashes.yaml"), "# big\n"+strings.Repeat("#\n", maxSpec))
	require.NoError(t, os.Remove(filepath.Join(dir, "specs", "other.conf")))
	put(t, filepath.Join(dir, "specs", "other.conf", "x"), "")
	_, err := Discover(nil)
	require.EqualError(t, err, "specs/dashes.yaml:1:1: 524294 bytes: a spec has at most 262144\n"+
		"specs/other.conf:1:1: a folder is in the place of this spec, and there are files that were generated from it")
}
