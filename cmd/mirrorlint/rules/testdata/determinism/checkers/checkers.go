package checkers

import (
	"fmt"
	"time"
)

func free(m map[int]int) {
	for k := range m {
		go fmt.Println(k, time.Now())
	}
}
