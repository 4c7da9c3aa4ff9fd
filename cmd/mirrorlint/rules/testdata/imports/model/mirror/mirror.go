package mirror

import _ "mirrorsim/model/plog"
