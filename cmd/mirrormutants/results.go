package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

const schema = "mirrorsim.mutants/1"

// head is the first line of a file of results, schema mirrorsim.mutants/1: what the mutants behind it were run with.
type head struct {
	Schema   string `json:"schema"`
	Mutants  int    `json:"mutants"`
	Programs string `json:"programs"` // SHA-256 of the suite and the test binaries, which have the mutants and all that judges them
}

// head describes the laboratory.
func (l *laboratory) head() (head, error) {
	sum := sha256.New()
	files := []string{l.suite()}
	for _, p := range l.parts {
		if p.stage == tests {
			files = append(files, l.binary(p.name))
		}
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return head{}, err
		}
		_, err = io.Copy(sum, file)
		if err := errors.Join(err, file.Close()); err != nil {
			return head{}, err
		}
	}
	return head{schema, len(l.mutants), fmt.Sprintf("%x", sum.Sum(nil))}, nil
}

// notebook is the file of results: a mutant that stands in it is not run again.
type notebook struct {
	mutex sync.Mutex
	file  *os.File // nil: nothing is noted
	done  map[int]result
}

// openNotebook goes on with the file of that name, or begins it. The error says that the file is of other sources, or is none.
func openNotebook(name string, h head) (*notebook, error) {
	n := &notebook{done: map[int]result{}}
	was, end, err := n.read(name)
	if err != nil {
		return nil, err
	}
	if was != nil && *was != h {
		return nil, otherSources(name)
	}
	if n.file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o644); err != nil {
		return nil, err
	}
	if err := n.file.Truncate(end); err != nil {
		return nil, err
	}
	if _, err := n.file.Seek(end, io.SeekStart); err != nil || end > 0 {
		return n, err
	}
	return n, n.line(h)
}

// checkNotes says whether openNotebook would refuse a file, as far as is known before the programs are built that a head is made of.
// It leaves all as it is.
func checkNotes(name string, mutants int) error {
	was, _, err := (&notebook{done: map[int]result{}}).read(name)
	if err == nil && was != nil && was.Mutants != mutants {
		return otherSources(name)
	}
	if err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		if file, err = os.CreateTemp(filepath.Dir(name), ".mutants"); err == nil {
			defer os.Remove(file.Name())
		}
	}
	if err != nil {
		return fmt.Errorf("-out %s: %w; a file in a directory that exists and may be written to is accepted", name, err)
	}
	return file.Close()
}

func otherSources(name string) error {
	return fmt.Errorf("%s:1: it is of other sources; delete it to begin anew, or name another file by -out", name)
}

// read reads a file, if there is one, and answers its first line, nil if there is none, and how long it is without a line that was
// not written to its end: that does not count.
func (n *notebook) read(name string) (was *head, end int64, err error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("-out %s: %w; a file is accepted", name, err)
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	number := 0
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		if number++; number == 1 {
			was = new(head)
			if err := json.Unmarshal(s.Bytes(), was); err != nil || was.Schema != schema {
				return nil, 0, fmt.Errorf("%s:1: it is no file of mutants; name another file by -out", name)
			}
			continue
		}
		var r result
		if err := json.Unmarshal(s.Bytes(), &r); err != nil || r.Index == 0 {
			return nil, 0, fmt.Errorf("%s:%d: %.40q is no result of a mutant", name, number, s.Text())
		}
		n.done[r.Index] = r
	}
	return was, int64(len(text)), nil
}

func (n *notebook) line(x any) error {
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	_, err = n.file.Write(append(text, '\n'))
	return err
}

// note notes a result.
func (n *notebook) note(r result) error {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.done[r.Index] = r
	if n.file == nil {
		return nil
	}
	return n.line(r)
}
