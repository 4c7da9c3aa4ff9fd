package sweep

import (
	_ "mirrorsim/checkers"
	_ "mirrorsim/cmd/mirrorsim" // want `scenarios/sweep may not import cmd/mirrorsim`
	_ "mirrorsim/model/replica"
	_ "mirrorsim/sim"
)
