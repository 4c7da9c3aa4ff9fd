package replica

import (
	_ "mirrorsim/model/mirror" // want `^model/replica may not import model/mirror: imports go one way, and model/replica may import model/assert, .*model/controller$`
	_ "mirrorsim/model/plog"
)
