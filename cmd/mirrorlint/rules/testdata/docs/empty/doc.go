package empty // want `doc.go has no package comment`
