// The connection: where the referee is and who calls, as the environment tells; TLS; the signal to stop.
package main

import (
	"context"
	"log"
	"os"
	"os/signal"
	"syscall"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	pb "hearts-duck/gen/hearts/v1"
)

const sdk = "go grpc " + grpc.Version

// connect prepares the connection; the first call makes it. An address that begins with `unix:` needs nothing more.
func connect() *grpc.ClientConn {
	log.SetFlags(0)
	if os.Getenv("HEARTS_REFEREE") == "" || os.Getenv("HEARTS_TOKEN") == "" {
		log.Fatal("HEARTS_REFEREE and HEARTS_TOKEN must be set.")
	}
	stop, _ := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	context.AfterFunc(stop, func() { os.Exit(0) })
	security := insecure.NewCredentials()
	if caFile := os.Getenv("HEARTS_CA"); caFile != "" {
		var err error
		if security, err = credentials.NewClientTLSFromFile(caFile, ""); err != nil {
			log.Fatal(err)
		}
	}
	connection, err := grpc.NewClient(os.Getenv("HEARTS_REFEREE"), grpc.WithTransportCredentials(security),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(65536)))
	if err != nil {
		log.Fatal(err)
	}
	return connection
}

// A call is one stream of messages to the referee and back.
type call struct {
	stream pb.RefereeService_PlayClient
	err    error // why it could not be opened, or has ended
}

// open calls the referee and says hello.
func open(connection *grpc.ClientConn, hello *pb.Hello) *call {
	connection.ResetConnectBackoff() // dials at once, or the library's own pauses would add to those between calls
	identity := metadata.Pairs("authorization", "Bearer "+os.Getenv("HEARTS_TOKEN"), "hearts-instance", os.Getenv("HEARTS_INSTANCE"))
	stream, err := pb.NewRefereeServiceClient(connection).Play(metadata.NewOutgoingContext(context.Background(), identity))
	opened := &call{stream, err}
	if err == nil {
		opened.send(&pb.BotMessage{Hello: hello})
	}
	return opened
}

// send says a message. Why that failed is told when the messages of the referee end.
func (c *call) send(message *pb.BotMessage) { c.stream.Send(message) }

// messages is an iterator over what the referee says until the call has ended; then err tells why it has.
func (c *call) messages(yield func(*pb.RefereeMessage) bool) {
	for c.err == nil {
		var message *pb.RefereeMessage
		if message, c.err = c.stream.Recv(); c.err == nil && !yield(message) {
			return
		}
	}
}
