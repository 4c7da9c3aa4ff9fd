package plog

import (
	_ "strings"

	_ "mirrorsim/model/id"
	_ "mirrorsim/model/wire"
)
