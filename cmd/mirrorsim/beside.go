package main

import (
	"os"
	"path/filepath"
)

// replace puts text in place of the file at once, or leaves it as it was.
func replace(file, text string) error {
	b, err := writeBeside(file)
	if err != nil {
		return err
	}
	defer b.drop()
	if _, err := b.WriteString(text); err != nil {
		return err
	}
	return b.put()
}

// beside is a file under way. It stands beside the one that it is to replace, under another name, until it is whole.
type beside struct {
	*os.File
	file string
}

// writeBeside makes an empty one in the directory of file.
func writeBeside(file string) (*beside, error) {
	temp, err := os.CreateTemp(filepath.Dir(file), ".mirrorsim-*")
	if err != nil {
		return nil, err
	}
	return &beside{temp, file}, nil
}

// put puts what was written in the file's place.
func (b *beside) put() error {
	if err := b.Close(); err != nil {
		return err
	}
	mode := os.FileMode(0o644) // of a new file; a temporary one is its owner's alone
	if info, err := os.Stat(b.file); err == nil {
		mode = info.Mode()
	}
	if err := os.Chmod(b.Name(), mode); err != nil {
		return err
	}
	return os.Rename(b.Name(), b.file)
}

// drop removes what was written, unless it was put in place.
func (b *beside) drop() {
	b.Close()
	os.Remove(b.Name())
}
