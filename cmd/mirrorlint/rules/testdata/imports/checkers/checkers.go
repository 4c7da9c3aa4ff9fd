package checkers

import (
	_ "mirrorsim/model/id"
	_ "mirrorsim/sim" // want `checkers may not import sim`
)
