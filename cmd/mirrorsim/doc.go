// Command mirrorsim runs Kafka cluster mirroring in a deterministic simulator: it tells a failover and a failback step by
// step, checks what must hold, and shows the protocol's decision points. It parses the command line, calls package
// scenarios and prints; read main.go first, then one file per command.
package main
