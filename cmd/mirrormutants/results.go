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
	"sync"
)

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
	return head{"mirrorsim.mutants/1", len(l.mutants), fmt.Sprintf("%x", sum.Sum(nil))}, nil
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
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	end := bytes.LastIndexByte(text, '\n') + 1 // a line that was not written to its end does not count
	if err := n.read(name, text[:end], h); err != nil {
		return nil, err
	}
	if n.file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o644); err != nil {
		return nil, err
	}
	if err := n.file.Truncate(int64(end)); err != nil {
		return nil, err
	}
	if _, err := n.file.Seek(int64(end), io.SeekStart); err != nil || end > 0 {
		return n, err
	}
	return n, n.line(h)
}

func (n *notebook) read(name string, text []byte, h head) error {
	number := 0
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		number++
		if number == 1 {
			var was head
			if err := json.Unmarshal(s.Bytes(), &was); err != nil || was != h {
				return fmt.Errorf("%s:1: it is of other sources, or no file of mutants; "+
					"accepted: one of these sources, or -out with another name", name)
			}
			continue
		}
		var r result
		if err := json.Unmarshal(s.Bytes(), &r); err != nil || r.Index == 0 {
			return fmt.Errorf("%s:%d: %.40q is no result of a mutant", name, number, s.Text())
		}
		n.done[r.Index] = r
	}
	return nil
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
