package mirror

import "mirrorsim/model/replica"

// next is what follows a point or a back-off.
type next uint8

const (
	goRead next = iota
	goAskState
	goSendState
	goAct
	goLookUp
	goCut
	goAwaitSource
	goMirrorOn
	goNextStep
	goSendPosition
	goSendBump
	goEnter
	goRecall
)

// proceed does what n names.
func (m *Manager) proceed(p *partition, n next, env *replica.Env) {
	p.phase = idle
	switch n {
	case goRead:
		m.read(p, env)
	case goAskState:
		m.askState(p, env)
	case goSendState:
		m.sendState(p, env)
	case goAct:
		m.act(p, env)
	case goLookUp:
		m.lookUp(p, env)
	case goCut:
		m.cut(p, env)
	case goAwaitSource:
		m.awaitSource(p, env)
	case goMirrorOn:
		m.mirrorOn(p, env)
	case goNextStep:
		m.nextStep(p, env)
	case goSendPosition:
		m.sendPosition(p, env)
	case goSendBump:
		m.sendBump(p, env)
	case goRecall:
		m.recall(p, env)
	case goEnter:
		m.enter(p, p.state, env)
	}
}
