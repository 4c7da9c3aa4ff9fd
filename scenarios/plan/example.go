package plan

import _ "embed"

// Example is a plan to begin with, which a test runs.
//
//go:embed example.yaml
var Example string
