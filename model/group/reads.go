package group

import (
	"encoding/binary"

	"mirrorsim/model/id"
	"mirrorsim/model/replica"
)

// reads are the partitions that a group's member reads: those of which it has fetched the committed offset since it joined,
// which it does before it reads any. They are not stored: of a member that an earlier coordinator had they are not known, and it
// may read any partition, until it joins again.
type reads struct {
	known      bool
	partitions []readOf // in the order in which they were fetched
}

// readOf is one of them, and where the metadata log had created its topic then; notCreated where it had not.
type readOf struct {
	partition id.Partition
	createdAt int64
}

const notCreated int64 = -1

// reading notes that a member fetches the committed offset of a partition; member is 0 for who is not in the group.
func (g *group) reading(member uint32, p id.Partition, env *replica.Env) {
	if member == 0 || member != g.member {
		return
	}
	x := readOf{p, notCreated}
	if t := env.Image.Topic(p.Topic); t != nil {
		x.createdAt = t.CreatedAt
	}
	for i := range g.reads.partitions {
		if g.reads.partitions[i].partition == p {
			g.reads.partitions[i] = x
			return
		}
	}
	g.reads.partitions = append(g.reads.partitions, x)
}

// may tells whether the member may read the partition.
func (r *reads) may(p id.Partition) bool {
	for _, x := range r.partitions {
		if x.partition == p {
			return true
		}
	}
	return !r.known
}

// another tells whether the member's position of the partition is of another topic than the one that was created there.
func (r *reads) another(p id.Partition, createdAt int64) bool {
	for _, x := range r.partitions {
		if x.partition == p {
			return x.createdAt != createdAt
		}
	}
	return false
}

func (r *reads) appendState(dst []byte) []byte {
	dst = append(dst, id.Bit(r.known), byte(len(r.partitions)))
	for _, x := range r.partitions {
		dst = binary.LittleEndian.AppendUint32(dst, x.partition.Word())
		dst = binary.LittleEndian.AppendUint64(dst, uint64(x.createdAt))
	}
	return dst
}
