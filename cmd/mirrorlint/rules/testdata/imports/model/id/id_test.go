package id

import _ "mirrorsim/checkers"
