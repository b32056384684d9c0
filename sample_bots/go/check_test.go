// Compares the duck with its expected decisions: `go test`, or `make check`.
package main

import (
	"cmp"
	"encoding/json"
	"os"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	pb "hearts-duck/gen/hearts/v1"
)

func TestDuckDecidesAsExpected(t *testing.T) {
	text, err := os.ReadFile(cmp.Or(os.Getenv("HEARTS_VECTORS"), "../../proto/vectors/duck.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct{ Turn, Decision json.RawMessage }
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, vector := range file.Vectors {
		turn, expected := &pb.Turn{}, &pb.Decision{}
		if err := cmp.Or(protojson.Unmarshal(vector.Turn, turn), protojson.Unmarshal(vector.Decision, expected)); err != nil {
			t.Fatal(err)
		}
		if decision := answer(turn); !proto.Equal(decision, expected) {
			t.Fatalf("Another decision than expected.\n%s\nexpected %s\ndecided %s", vector.Turn, vector.Decision, decision)
		}
	}
	t.Logf("duck: %d decisions as expected", len(file.Vectors))
}
