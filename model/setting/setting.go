package setting

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mirrorsim/model/id"
)

// Settings are the constants of one run. All durations are virtual.
type Settings struct {
	BrokerHeartbeat id.Duration // broker.heartbeat.interval.ms
	BrokerSession   id.Duration // broker.session.timeout.ms
	ReplicaLag      id.Duration // replica.lag.time.max.ms
	FetchMaxWait    id.Duration // replica.fetch.wait.max.ms, fetch.max.wait.ms
	FetchTimeout    id.Duration // a follower or mirror fetcher without an answer for so long asks again
	RequestTimeout  id.Duration // request.timeout.ms of clients
	DeliveryTimeout id.Duration // delivery.timeout.ms of producers
	RetryBackoff    id.Duration // retry.backoff.ms, doubling to RetryBackoffMax
	RetryBackoffMax id.Duration // retry.backoff.max.ms
	MetadataMaxAge  id.Duration // metadata.max.age.ms
	PeriodicScan    id.Duration // of the mirror state machine, for partitions that events missed
	MetadataRefresh id.Duration // mirror.metadata.refresh.interval.ms: of mirror-wide work
	EpochCheck      id.Duration // of the source's leader epoch against the local one (D15)
	SourceTimeout   id.Duration // a source that answers nothing for so long is unreachable: FAILED
	FailureRetry    id.Duration // pause before FAILED is tried again, doubling to FailureRetryMax
	FailureRetryMax id.Duration
	FailureAttempts int64       // retries of FAILED in a row; after the last one it waits for RecoverMirrorTopics
	TxnTimeout      id.Duration // transaction.timeout.ms
	TxnVerify       int64       // 1: the first batch of a transaction is verified at its coordinator (transaction.partition.verification.enable); 0: not
	TxnPartitions   int64       // partitions of __transaction_state
	GroupSession    id.Duration // session.timeout.ms of a group's member; it sends a heartbeat every fifteenth of it (Kafka: 45 s and 3 s)
	GroupCommit     id.Duration // auto.commit.interval.ms
	GroupPartitions int64       // partitions of __consumer_offsets
	Checkpoint      id.Duration // replica.high.watermark.checkpoint.interval.ms
	LatencyInside   id.Duration // one way, inside a cluster
	LatencyBetween  id.Duration // one way, between clusters
	MaxInFlight     int64       // max.in.flight.requests.per.connection of producers
	FetchMaxBatches int64       // batches in one answer to a fetch
	StatePartitions int64       // partitions of __mirror_state
	ProducerIdBlock int64       // producer ids in one block
	TimerQuantum    id.Duration // timers fire at multiples of it, in an order of their own; 0: at their time
	TimerLead       id.Duration // with TimerQuantum, how much earlier than what is next a timer may fire; 0: however much
}

// Default are Kafka's defaults.
func Default() Settings {
	return Settings{
		BrokerHeartbeat: 2 * id.Second,
		BrokerSession:   9 * id.Second,
		ReplicaLag:      30 * id.Second,
		FetchMaxWait:    500 * id.Millisecond,
		FetchTimeout:    2 * id.Second,
		RequestTimeout:  30 * id.Second,
		DeliveryTimeout: 120 * id.Second,
		RetryBackoff:    100 * id.Millisecond,
		RetryBackoffMax: id.Second,
		MetadataMaxAge:  300 * id.Second,
		PeriodicScan:    30 * id.Second,
		MetadataRefresh: 60 * id.Second,
		EpochCheck:      10 * id.Second,
		SourceTimeout:   10 * id.Second,
		FailureRetry:    id.Second,
		FailureRetryMax: 300 * id.Second,
		FailureAttempts: 100,
		TxnTimeout:      60 * id.Second,
		TxnVerify:       1,
		TxnPartitions:   2,
		GroupSession:    45 * id.Second,
		GroupCommit:     5 * id.Second,
		GroupPartitions: 2,
		Checkpoint:      60 * id.Second,
		LatencyInside:   500 * id.Microsecond,
		LatencyBetween:  20 * id.Millisecond,
		MaxInFlight:     5,
		FetchMaxBatches: 64,
		StatePartitions: 2,
		ProducerIdBlock: 1000,
	}
}

// Setting is one row of the table: a key of the scenario format.
type Setting struct {
	Key, Doc string
	Duration *id.Duration // one of Duration and Number is set
	Number   *int64
	Min, Max int64 // what it may be, both included: of a Duration in microseconds
}

// Bounds of settings: a topic has at most as many partitions as a scenario's topic statement may give it, a stored state counts
// its attempts in 16 bits, and other numbers are kept within 32 bits. A duration is at most what id.ParseDuration reads.
const (
	maxPartitions = 1000
	maxAttempts   = math.MaxInt16
	maxNumber     = math.MaxInt32
	maxDuration   = id.Duration(1 << 53)
)

// Table is every setting of s, in a fixed order, by pointer.
func (s *Settings) Table() []Setting {
	d := func(key, doc string, p *id.Duration) Setting {
		return Setting{Key: key, Doc: doc, Duration: p, Min: 1, Max: int64(maxDuration)}
	}
	n := func(key, doc string, p *int64, most int64) Setting {
		return Setting{Key: key, Doc: doc, Number: p, Min: 1, Max: most}
	}
	from0 := func(key, doc string, p *id.Duration) Setting {
		return Setting{Key: key, Doc: doc, Duration: p, Max: int64(maxDuration)}
	}
	return []Setting{
		d("broker-heartbeat", "interval of broker heartbeats", &s.BrokerHeartbeat),
		d("broker-session", "a broker without a heartbeat for so long is fenced", &s.BrokerSession),
		d("replica-lag", "a follower that has not caught up for so long leaves the ISR", &s.ReplicaLag),
		d("fetch-max-wait", "how long a leader holds a fetch when there is nothing to read", &s.FetchMaxWait),
		d("fetch-timeout", "a follower or mirror fetcher without an answer for so long asks again", &s.FetchTimeout),
		d("request-timeout", "a request without an answer for so long has failed", &s.RequestTimeout),
		d("delivery-timeout", "a producer gives up a batch after so long", &s.DeliveryTimeout),
		d("retry-backoff", "pause before the first retry; doubles", &s.RetryBackoff),
		d("retry-backoff-max", "longest pause before a retry", &s.RetryBackoffMax),
		d("metadata-max-age", "a client asks for metadata again after so long", &s.MetadataMaxAge),
		d("periodic-scan", "interval of the mirror state machine's scan", &s.PeriodicScan),
		d("metadata-refresh", "interval of mirror-wide work: discovery, topic configs, groups and ACLs", &s.MetadataRefresh),
		d("epoch-check", "interval of the comparison of the source's leader epoch with the local one", &s.EpochCheck),
		d("source-timeout", "a source that answers nothing for so long is unreachable, and the partition FAILED", &s.SourceTimeout),
		d("failure-retry", "pause before FAILED is tried again; doubles", &s.FailureRetry),
		d("failure-retry-max", "longest pause before FAILED is tried again", &s.FailureRetryMax),
		n("failure-attempts", "retries of FAILED in a row; after the last one it waits for RecoverMirrorTopics", &s.FailureAttempts, maxAttempts),
		d("transaction-timeout", "a transaction that has not ended after so long is aborted by its coordinator", &s.TxnTimeout),
		{Key: "transaction-verification", Doc: "1: the first batch of a transaction is verified at its coordinator; 0: not", Number: &s.TxnVerify, Max: 1},
		n("transaction-partitions", "partitions of __transaction_state", &s.TxnPartitions, maxPartitions),
		d("group-session", "a group's member without a heartbeat for so long is out of its group", &s.GroupSession),
		d("group-commit", "interval at which a group's member commits its positions", &s.GroupCommit),
		n("group-partitions", "partitions of __consumer_offsets", &s.GroupPartitions, maxPartitions),
		d("checkpoint", "interval of the high-watermark and log-start checkpoints", &s.Checkpoint),
		from0("latency-inside", "one-way latency inside a cluster", &s.LatencyInside),
		from0("latency-between", "one-way latency between clusters", &s.LatencyBetween),
		n("max-in-flight", "requests a producer has under way per partition", &s.MaxInFlight, maxNumber),
		n("fetch-max-batches", "batches in one answer to a fetch", &s.FetchMaxBatches, maxNumber),
		n("state-partitions", "partitions of __mirror_state", &s.StatePartitions, maxPartitions),
		n("producer-id-block", "producer ids a broker takes at once", &s.ProducerIdBlock, maxNumber),
		from0("timer-quantum", "timers fire at multiples of it, in an order that the state decides, as exploration needs it; 0us: at their time", &s.TimerQuantum),
		from0("timer-lead", "with timer-quantum, how much earlier than what is next in calm order a timer may fire, and so how late a message may "+
			"be; 0us: however much", &s.TimerLead),
	}
}

// Set sets one setting by its key from its text form: a number, or a duration such as 500ms.
func (s *Settings) Set(key, value string) error {
	var keys []string
	for _, row := range s.Table() {
		keys = append(keys, row.Key)
		if row.Key != key {
			continue
		}
		return row.set(value)
	}
	return fmt.Errorf("no setting is called %q; there are %s", key, strings.Join(keys, ", "))
}

// set sets what the row points to.
func (row *Setting) set(value string) error {
	if row.Duration != nil {
		d, err := id.ParseDuration(value)
		if err != nil || int64(d) < row.Min || int64(d) > row.Max {
			return fmt.Errorf("setting %s takes a time of %v to %v, such as 500ms or 2s, not %q", row.Key, id.Duration(row.Min),
				id.Duration(row.Max), value)
		}
		*row.Duration = d
		return nil
	}
	v, err := strconv.ParseInt(value, 10, 64)
	if err != nil || v < row.Min || v > row.Max {
		return fmt.Errorf("setting %s takes a whole number of %d to %d, not %q", row.Key, row.Min, row.Max, value)
	}
	*row.Number = v
	return nil
}
