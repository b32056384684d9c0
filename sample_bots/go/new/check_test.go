// Tests of the strategy over a few positions: `go test`.
package main

import (
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	pb "hearts-duck/gen/hearts/v1"
)

// positions are the turns of positions.json, by situation.
func positions(t *testing.T) map[string]*pb.Turn {
	text, err := os.ReadFile("positions.json")
	var file struct {
		Positions []struct {
			Situation string
			Turn      json.RawMessage
		}
	}
	if err = cmp.Or(err, json.Unmarshal(text, &file)); err != nil {
		t.Fatal(err)
	}
	turns := map[string]*pb.Turn{}
	for _, position := range file.Positions {
		turn := &pb.Turn{}
		if err := protojson.Unmarshal(position.Turn, turn); err != nil {
			t.Fatal(err)
		}
		turns[position.Situation] = turn
	}
	return turns
}

func TestEveryPositionGetsALegalDecision(t *testing.T) {
	for situation, turn := range positions(t) {
		decision := answer(turn)
		expected := map[pb.TurnKind]int{pb.TurnKind_TURN_KIND_PASS: int(turn.PassCount), pb.TurnKind_TURN_KIND_PLAY: 1}
		if len(decision.Cards) != expected[turn.Kind] {
			t.Errorf("%s: %d cards", situation, len(decision.Cards))
		}
		if len(slices.Compact(slices.Sorted(slices.Values(decision.Cards)))) != len(decision.Cards) {
			t.Errorf("%s: a card twice: %v", situation, decision.Cards)
		}
		for _, card := range decision.Cards {
			if !slices.Contains(turn.Legal, card) {
				t.Errorf("%s: %v is not legal", situation, card)
			}
		}
	}
}

// What this strategy should do, as you want it: change this with strategy.go.
func TestTheQueenOfSpadesGoesWhereAnotherTakesHer(t *testing.T) {
	if card := chooseCard(positions(t)["discard with the queen of spades"]); card != pb.Card_CARD_QS {
		t.Errorf("played %v", card)
	}
}
