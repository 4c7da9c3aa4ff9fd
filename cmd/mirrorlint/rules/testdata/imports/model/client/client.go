package client

import (
	_ "mirrorsim/model/plog" // want `model/client may not import model/plog`
	_ "mirrorsim/model/wire"
)
