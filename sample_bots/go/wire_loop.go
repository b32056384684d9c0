// The wire loop: plays the strategy at every table that the referee offers, until it says farewell.
package main

import (
	"log"
	"math/rand/v2"
	"slices"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "hearts-duck/gen/hearts/v1"
)

// Decisions of one message, by the protocol; failures running, with the pauses between them more than a minute.
const decisionsMax, failuresMax = 128, 60

// A call that ends with one of these would end so again.
var refusals = []codes.Code{codes.Unauthenticated, codes.PermissionDenied, codes.InvalidArgument, codes.FailedPrecondition, codes.Unimplemented}
var hello = &pb.Hello{ProtocolMin: 1, ProtocolMax: 1, BotName: "duck-go", BotVersion: "1.0", Sdk: sdk, TablesMax: 256}

func answer(turn *pb.Turn) *pb.Decision {
	switch turn.Kind {
	case pb.TurnKind_TURN_KIND_PLAY:
		return &pb.Decision{TurnId: turn.TurnId, Cards: []pb.Card{chooseCard(turn)}}
	case pb.TurnKind_TURN_KIND_PASS:
		return &pb.Decision{TurnId: turn.TurnId, Cards: choosePass(turn)}
	}
	return &pb.Decision{TurnId: turn.TurnId, MoonChoice: chooseMoon(turn)}
}

func main() {
	connection := connect()
	for failures := 0; ; failures++ {
		stream := open(connection, hello)
		var farewell *pb.Farewell
		for message := range stream.messages {
			farewell, failures = message.Farewell, 0
			for turns := range slices.Chunk(message.Turns, decisionsMax) {
				decisions := make([]*pb.Decision, len(turns))
				for i, turn := range turns {
					decisions[i] = answer(turn)
				}
				stream.send(&pb.BotMessage{Decisions: decisions})
			}
		}
		if reason := farewell.GetReason(); reason != pb.FarewellReason_FAREWELL_REASON_UNSPECIFIED && reason != pb.FarewellReason_FAREWELL_REASON_DRAINING {
			log.Print(farewell.Message)
			return
		}
		if slices.Contains(refusals, status.Code(stream.err)) || failures > failuresMax {
			log.Fatal("No more play: ", status.Convert(stream.err).Message())
		}
		longest := time.Second / 10 << min(failures+1, 4)
		time.Sleep(longest/2 + rand.N(longest/2)) // jitter: not all bots at once
	}
}
