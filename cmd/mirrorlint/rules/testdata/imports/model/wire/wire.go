package wire

import _ "mirrorsim/model/id"
