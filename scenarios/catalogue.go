package scenarios

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"mirrorsim/scenarios/format"
)

//go:embed catalogue/*.scn
var files embed.FS

// File is one file of the catalogue, or of findings/.
type File struct {
	Name   string // the scenario's name, which is the file's without its ending
	Path   string // below this directory, for errors
	Source []byte // the text; the caller owns it
}

// Scenario is the parsed file.
func (f File) Scenario() (*format.Scenario, error) { return format.Parse(f.Path, f.Source) }

// Catalogue is every file of the catalogue, ordered by name.
func Catalogue() []File { return filesIn(files, "catalogue") }

// filesIn is every file of a directory that is part of the program, ordered by name.
func filesIn(files embed.FS, dir string) (list []File) {
	entries, err := files.ReadDir(dir)
	if err != nil {
		panic("scenarios: " + dir + " is part of the program: " + err.Error())
	}
	for _, e := range entries {
		path := dir + "/" + e.Name()
		source, err := files.ReadFile(path)
		if err != nil {
			panic("scenarios: " + dir + " is part of the program: " + err.Error())
		}
		list = append(list, File{strings.TrimSuffix(e.Name(), ".scn"), path, source})
	}
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Find is the file of the scenario of that name, in upper or lower case. The error is a *format.InputError.
func Find(name string) (File, error) {
	var names []string
	for _, f := range Catalogue() {
		if strings.EqualFold(f.Name, name) {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return File{}, &format.InputError{Word: name, Message: fmt.Sprintf("no scenario is called %q", name), Want: names}
}
