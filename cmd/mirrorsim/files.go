package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"mirrorsim/scenarios"
	"mirrorsim/scenarios/format"
)

// read is the content of a file that the command line names; want is what it is to be, for the error.
func read(file, want string) ([]byte, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, unreadable(file, want, err)
	}
	return src, nil
}

// unreadable says of a file that the command line names why it cannot be read.
func unreadable(file, want string, err error) error {
	message := fmt.Sprintf("%s cannot be read: %v", file, reason(err))
	if f, err := scenarios.Find(file); err == nil {
		message += fmt.Sprintf("; %s is a scenario of the catalogue, not a file", f.Name)
	}
	return &format.InputError{Word: file, Message: message, Want: []string{want}}
}

// reason is what the system says, without the file's name, which the error has already.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// creatable refuses, before anything is run, the file of a flag that cannot be written. "" is no file.
func creatable(flag, file string) error {
	if file == "" {
		return nil
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return wrongValue(flag, file, "a directory", "a file")
	}
	b, err := writeBeside(file)
	if err != nil {
		return wrongValue(flag, file, reason(err).Error(), "a file in a directory that exists and may be written to")
	}
	b.drop()
	return nil
}

// directory refuses, before anything is run, the directory of a flag that there is not. "" is none.
func directory(flag, dir string) error {
	if dir == "" {
		return nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return wrongValue(flag, dir, "no such directory", "a directory that exists")
	}
	return nil
}
