package sim

import (
	_ "mirrorsim/model/plog" // want `sim may not import model/plog`
	_ "mirrorsim/model/wire"
)
