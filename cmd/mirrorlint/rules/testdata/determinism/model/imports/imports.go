package imports

import (
	"errors"
	_ "io/fs"     // want `import of "io/fs": there is no I/O here; .* accepted are bytes, cmp`
	_ "math/rand" // want `import of "math/rand": every choice is asked of sim/choice`
	_ "net"       // want `a message is a node.Send`
	_ "os"        // want `durable state is a disk.Disk`
	_ "runtime"   // want `may not depend on the machine`
	_ "sync"      // want `a run is single-threaded`
	_ "time"      // want `a wait is a node.Timer and a length of time an id.Duration`
	_ "unsafe"    // want `addresses differ`

	_ "math/rand/v2" // want `sim/choice`
	_ "sync/atomic"  // want `a run is single-threaded`
	_ "text/scanner" // want `it is not on the list of pure packages in cmd/mirrorlint/rules/pure.go`

	"example.com/third" // want `import of "example.com/third": model, sim and faults import only the standard library`

	_ "mirrorsim/sim" // the imports rule judges it
)

var errZero = errors.New("zero")

const zero = third.Zero
