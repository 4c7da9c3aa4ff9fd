package mirrorsim

import (
	_ "mirrorsim/model/id"
	_ "mirrorsim/model/plog" // want `cmd/mirrorsim may not import model/plog`
)
