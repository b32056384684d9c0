// The wire loop: plays the strategy at every table that the referee offers, until it says farewell.
package main

import (
	"context"
	"log"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	pb "hearts-duck/gen/hearts/v1"
)

// Decisions of one message, by the protocol; failures running, with the pauses between them more than a minute.
const decisionsMax, failuresMax = 128, 20

// A call that ends with one of these would end so again.
var refusals = []codes.Code{codes.Unauthenticated, codes.PermissionDenied, codes.InvalidArgument, codes.FailedPrecondition, codes.Unimplemented}
var comeBack = []pb.FarewellReason{pb.FarewellReason_FAREWELL_REASON_UNSPECIFIED, pb.FarewellReason_FAREWELL_REASON_DRAINING}
var hello = &pb.Hello{ProtocolMin: 1, ProtocolMax: 1, BotName: "duck-go", BotVersion: "1.0", Sdk: "go grpc " + grpc.Version, TablesMax: 256}

func answer(turn *pb.Turn) *pb.Decision {
	switch turn.Kind {
	case pb.TurnKind_TURN_KIND_PLAY:
		return &pb.Decision{TurnId: turn.TurnId, Cards: []pb.Card{chooseCard(turn)}}
	case pb.TurnKind_TURN_KIND_PASS:
		return &pb.Decision{TurnId: turn.TurnId, Cards: choosePass(turn)}
	}
	return &pb.Decision{TurnId: turn.TurnId, MoonChoice: chooseMoon(turn)}
}

// connect prepares a connection; the first call makes it. An address that begins with `unix:` needs nothing more.
func connect(address, caFile string) (connection *grpc.ClientConn, err error) {
	security := insecure.NewCredentials()
	if caFile != "" {
		if security, err = credentials.NewClientTLSFromFile(caFile, ""); err != nil {
			return nil, err
		}
	}
	return grpc.NewClient(address, grpc.WithTransportCredentials(security),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(65536)))
}

// serve answers what comes on a stream until it ends; returns the last message and the status of the call.
func serve(stream pb.RefereeService_PlayClient, failures *int) (last *pb.RefereeMessage, err error) {
	stream.Send(&pb.BotMessage{Hello: hello}) // why a Send failed is told by Recv
	for {
		message, err := stream.Recv()
		if err != nil {
			return last, err
		}
		last, *failures = message, 0
		for turns := range slices.Chunk(message.Turns, decisionsMax) {
			decisions := make([]*pb.Decision, len(turns))
			for i, turn := range turns {
				decisions[i] = answer(turn)
			}
			stream.Send(&pb.BotMessage{Decisions: decisions})
		}
	}
}

func main() {
	log.SetFlags(0)
	if os.Getenv("HEARTS_REFEREE") == "" || os.Getenv("HEARTS_TOKEN") == "" {
		log.Fatal("HEARTS_REFEREE and HEARTS_TOKEN must be set.")
	}
	ctx, _ := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	context.AfterFunc(ctx, func() { os.Exit(0) })
	connection, err := connect(os.Getenv("HEARTS_REFEREE"), os.Getenv("HEARTS_CA"))
	if err != nil {
		log.Fatal(err)
	}
	ctx = metadata.AppendToOutgoingContext(context.Background(), "authorization", "Bearer "+os.Getenv("HEARTS_TOKEN"), "hearts-instance", os.Getenv("HEARTS_INSTANCE"))
	for failures := 0; ; failures++ {
		stream, err := pb.NewRefereeServiceClient(connection).Play(ctx)
		last := &pb.RefereeMessage{}
		if err == nil {
			last, err = serve(stream, &failures)
		}
		if farewell := last.GetFarewell(); !slices.Contains(comeBack, farewell.GetReason()) {
			log.Print(farewell.Message)
			return
		}
		if slices.Contains(refusals, status.Code(err)) || failures > failuresMax {
			log.Fatal("No more play: ", status.Convert(err).Message())
		}
		connection.ResetConnectBackoff() // dials at once, or the library's own pauses would add to these
		longest := time.Second / 10 << min(failures+1, 6)
		time.Sleep(longest/2 + rand.N(longest/2)) // jitter: not all bots at once
	}
}
