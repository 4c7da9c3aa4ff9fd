package format

// Client is one client, at home on a cluster:
//
//	client p producer on A
//	client q producer on A plain
//	client r consumer on B
//
// A producer is idempotent unless it is plain. Every act names the partition it goes to, on whichever cluster.
type Client struct {
	Pos
	Name string
	Kind ClientKind
	On   string
	// Plain producers send batches without a producer id.
	Plain bool
}

// ClientKind is what a client is.
type ClientKind uint8

// The kinds of clients.
const (
	Producer ClientKind = iota
	Transactional
	Consumer
	Group
)

var clientKinds = []string{"producer", "transactional", "consumer", "group"}

// String is the word in the file.
func (k ClientKind) String() string { return clientKinds[k] }

func parseClient(l *line) {
	c := Client{Name: l.name("a name for the client")}
	if l.p.s.client(c.Name) != nil {
		l.fail(c.Name, "there is a client of this name already")
	}
	c.Kind = ClientKind(l.oneOf("unknown kind of client", clientKinds...))
	l.keyword("on")
	c.On = l.cluster().Name
	for l.more() {
		c.Plain = l.clientOption(c.Kind)
	}
	c.Pos = l.p.pos()
	l.p.s.Clients = append(l.p.s.Clients, c)
	l.checkNodes(c.Name)
}

func (l *line) clientOption(k ClientKind) (plain bool) {
	if k != Producer {
		l.fail(l.peek(), "a "+k.String()+" client takes no option")
		return false
	}
	key, _ := l.option("a producer", "idempotent", "plain")
	if len(l.seen) > 1 {
		l.fail(key, "a producer is either idempotent or plain")
	}
	return key == "plain"
}

func (c *Client) appendText(dst []byte) []byte {
	dst = append(dst, "client "+c.Name+" "+c.Kind.String()+" on "+c.On...)
	if c.Plain {
		dst = append(dst, " plain"...)
	}
	return dst
}
