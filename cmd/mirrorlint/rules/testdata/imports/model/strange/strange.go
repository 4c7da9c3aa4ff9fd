package strange // want `package strange is not in the table of imports: add a row to cmd/mirrorlint/rules/graph.go`

import _ "mirrorsim/model/plog"
