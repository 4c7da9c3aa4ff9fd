package bad // want `package bad has no doc.go: add one whose package comment says what it is for`

// want+2 `exported type Epoch has no doc comment: say what it is`

type Epoch int32

// want+3 `exported constant First has no doc comment`

const (
	First Epoch = 1
)

// want+2 `exported variable Newest has no doc comment`

var Newest, oldest Epoch

// The group's comment does not stand for its types.
type (
	Offset int64 // want `exported type Offset`
)

func (e *Epoch) Next() {} // want `exported method Epoch.Next has no doc comment`

func (o Offset) Next() {} // want `exported method Offset.Next has no doc comment`

type list[T any] []T

// Run is a generic list.
type Run[T any] []T

func (r Run[T]) Len() int { return len(r) } // want `exported method Run.Len`

func (l list[T]) Len() int { return len(l) }

//go:noinline
func Less() {} // want `exported function Less has no doc comment`

// Start is documented; End, which is not a method, is not.
func Start() {}
func End()   {} // want `exported function End`

// Code is documented; what follows is no block of Code methods.
func (o Offset) Code() {}
func Code()            {} // want `exported function Code`

// API is documented; the method a line further down stands apart.
func (o Offset) API() {}

func (e Epoch) API() {} // want `exported method Epoch.API`

// Top is documented; Bottom has another name.
func (o Offset) Top()    {}
func (o Offset) Bottom() {} // want `exported method Offset.Bottom`
