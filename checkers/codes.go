package checkers

// The error codes, acks and the api that the checkers know by value: events carry model/wire's numbers, and a checker sees
// events only. A test holds them against that package.
const (
	codeOK                          = 0
	codeOffsetOutOfRange            = 11
	codeRequestTimedOut             = 6
	codeOutOfOrderSequenceNumber    = 14
	codeInvalidProducerEpoch        = 15
	codeUnknownProducerID           = 16
	codeReadOnlyTopic               = 19
	codeTopicAlreadyInClusterMirror = 24
	codeTopicNotInClusterMirror     = 25

	apiDeleteMirror = 16 // To of AdminCalled, where it is no action

	acksNone = 0
	acksAll  = 255 // -1 in eight bits
)
