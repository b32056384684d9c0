// Ducks: plays the highest card that does not win, passes high cards, and is careful with the queen of spades.
// The same strategy is written in every language of the sample bots; proto/vectors/duck.json holds its decisions.
package main

import (
	"cmp"
	"slices"

	pb "hearts-duck/gen/hearts/v1"
)

const (
	hearts        = 2
	spades        = 3
	queenOfSpades = pb.Card_CARD_QS
	guardsNeeded  = 4 // spades below the queen that make high spades safe to keep
)

// A card is a number: 1 to 13 are the clubs from two to ace, then diamonds, hearts, spades.
func suit(card pb.Card) int { return int(card-1) / 13 }
func rank(card pb.Card) int { return int(card-1)%13 + 2 }

func byRank(card pb.Card) int { return 4*rank(card) + suit(card) }

// most returns the card with the largest key; keys of different cards differ.
func most(cards []pb.Card, key func(pb.Card) int) pb.Card {
	return slices.MaxFunc(cards, func(a, b pb.Card) int { return cmp.Compare(key(a), key(b)) })
}

// filter returns the cards that fit, in their order.
func filter(cards []pb.Card, fits func(pb.Card) bool) []pb.Card {
	return slices.DeleteFunc(slices.Clone(cards), func(card pb.Card) bool { return !fits(card) })
}

// choosePass passes unguarded high spades, then what is highest, of equals the heart.
func choosePass(turn *pb.Turn) []pb.Card {
	guards := filter(turn.Hand, func(card pb.Card) bool { return suit(card) == spades && card < queenOfSpades })
	danger := func(card pb.Card) int {
		switch {
		case card >= queenOfSpades && len(guards) < guardsNeeded:
			return 20 + int(card)
		case suit(card) == spades:
			return 0
		case suit(card) == hearts:
			return 2*rank(card) + 1
		}
		return 2 * rank(card)
	}
	cards := slices.Clone(turn.Legal)
	slices.SortFunc(cards, func(a, b pb.Card) int {
		return cmp.Or(cmp.Compare(danger(a), danger(b)), cmp.Compare(a, b))
	})
	return cards[len(cards)-int(turn.PassCount):]
}

func chooseCard(turn *pb.Turn) pb.Card {
	trick := turn.Played[len(turn.Played)-len(turn.Played)%int(turn.Seats):]
	queenLurks := !slices.Contains(turn.Played, queenOfSpades) && !slices.Contains(turn.Hand, queenOfSpades)
	switch {
	case len(trick) == 0:
		return lead(turn.Legal, queenLurks)
	case suit(turn.Legal[0]) == suit(trick[0]):
		return follow(turn.Legal, trick, len(trick) == int(turn.Seats)-1)
	}
	return discard(turn.Legal, queenLurks)
}

// chooseMoon gives the moon to the others, unless that would end the match and this seat would not have won it alone.
func chooseMoon(turn *pb.Turn) pb.MoonChoice {
	own, taken := turn.Scores[turn.Seat], turn.Points[turn.Seat]
	others := slices.Delete(slices.Clone(turn.Scores), int(turn.Seat), int(turn.Seat)+1)
	if slices.Max(others)+taken >= int32(turn.Target) && slices.Min(others)+taken <= own {
		return pb.MoonChoice_MOON_CHOICE_SUBTRACT
	}
	return pb.MoonChoice_MOON_CHOICE_ADD
}

// risk tells how badly a high spade may end: 2 is the queen herself, 1 what she can be played under.
func risk(card pb.Card, queenLurks bool) int {
	switch {
	case card == queenOfSpades:
		return 2
	case card > queenOfSpades && queenLurks:
		return 1
	}
	return 0
}

func lead(legal []pb.Card, queenLurks bool) pb.Card {
	return most(legal, func(card pb.Card) int { return -(100*risk(card, queenLurks) + byRank(card)) })
}

// follow stays below the best card so far, as high as can be; where that cannot be, it keeps the queen back.
func follow(legal, trick []pb.Card, isLast bool) pb.Card {
	times := map[int]int{} // how often each rank of the suit led lies in the trick; twins cancel each other
	for _, card := range trick {
		if suit(card) == suit(trick[0]) {
			times[rank(card)]++
		}
	}
	best := 0
	for rank, count := range times {
		if count == 1 {
			best = max(best, rank)
		}
	}
	safe := filter(legal, func(card pb.Card) bool { return rank(card) < best || times[rank(card)] > 0 })
	if slices.Contains(safe, queenOfSpades) {
		return queenOfSpades
	}
	if len(safe) > 0 {
		return slices.Max(safe)
	}
	others := filter(legal, func(card pb.Card) bool { return card != queenOfSpades })
	if len(others) == 0 {
		return queenOfSpades
	}
	if isLast {
		return slices.Max(others)
	}
	return slices.Min(others)
}

func discard(legal []pb.Card, queenLurks bool) pb.Card {
	return most(legal, func(card pb.Card) int {
		if suit(card) == hearts {
			return 200*risk(card, queenLurks) + 100 + byRank(card)
		}
		return 200*risk(card, queenLurks) + byRank(card)
	})
}
