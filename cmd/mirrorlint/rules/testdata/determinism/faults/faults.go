package faults

import _ "time" // want `import of "time"`
