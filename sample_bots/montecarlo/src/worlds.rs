//! What a seat knows of the cards it does not see, and deals of them that agree with it.

use crate::cards::{Card, Cards, Hand, QUEEN_OF_SPADES, SPADES, bit, of_suit, suit};
use crate::deal::Deal;
use crate::hearts::{Turn, TurnKind};
use crate::policy;
use crate::rules::{Rules, SEATS_MAX};
use fastrand::Rng;

const SURPRISE: f32 = 0.45; // how likely a seat is to play another card than the policy, beside the policy's own
const SHY: f32 = 0.1; // how likely a seat still has the queen of spades that did not get rid of her when it could

/// Everything a turn tells about where cards are. `SEATS_MAX` seats and after them what nobody holds.
pub struct Known<'a> {
    pub rules: &'a Rules,
    pub seat: usize,
    pub own: Hand,
    unseen: Vec<Card>,            // that nobody is known to hold, scarce ones first
    holds: [Hand; SEATS_MAX],     // known for certain
    free: [usize; SEATS_MAX + 1], // how many of the unseen cards each holds
    may_hold: [Cards; SEATS_MAX + 1],
    queen: [f32; SEATS_MAX + 1], // weights of the seats for the queen of spades
    pub played: Vec<(usize, Card)>,
    leader: usize,
}

/// One way in which the cards may lie.
pub struct World {
    pub hands: [Hand; SEATS_MAX],
    pub aside: Vec<Card>,
}

impl<'a> Known<'a> {
    pub fn new(turn: &Turn, rules: &'a Rules) -> Known<'a> {
        let (seats, seat) = (rules.seats, turn.seat as usize);
        let cards = |list: &[i32]| list.iter().map(|&card| (card - 1) as Card).collect::<Vec<Card>>();
        let own = Hand::of(cards(&turn.hand));
        let history = cards(&turn.played);
        let mut known = Known {
            rules,
            seat,
            own,
            unseen: vec![],
            holds: Default::default(),
            free: [0; SEATS_MAX + 1],
            may_hold: [Cards::MAX; SEATS_MAX + 1],
            queen: [1.0; SEATS_MAX + 1],
            played: vec![],
            leader: turn.leaders.first().map_or(0, |&leader| leader as usize),
        };
        let mut unseen = rules.pack;
        own.cards().chain(history.iter().copied()).for_each(|card| unseen.remove(card));
        (0..seats).filter(|&other| other != seat).for_each(|other| known.free[other] = own.count());
        for (trick, cards) in history.chunks(seats).enumerate() {
            known.watch(turn.leaders[trick] as usize, cards, trick == 0);
        }
        let begun = history.len() % seats;
        for place in 0..begun {
            known.free[(turn.leaders[turn.leaders.len() - 1] as usize + place) % seats] -= 1;
        }
        known.place_passed(turn, &mut unseen);
        known.free[SEATS_MAX] = unseen.count().saturating_sub(known.free.iter().sum());
        let mut scarce_first: Vec<Card> = unseen.cards().collect();
        scarce_first.sort_by_key(|&card| (card != QUEEN_OF_SPADES, known.holders(card).count()));
        known.unseen = scarce_first;
        known
    }

    fn watch(&mut self, leader: usize, cards: &[Card], is_first: bool) {
        let (led, queen) = (suit(cards[0]), self.rules.penalties & bit(QUEEN_OF_SPADES) != 0);
        let mut best = cards[0];
        for (place, &card) in cards.iter().enumerate() {
            let seat = (leader + place) % self.rules.seats;
            self.played.push((seat, card));
            let could_drop_her = if suit(card) != led {
                self.may_hold[seat] &= !of_suit(led);
                !is_first || self.rules.barred & bit(QUEEN_OF_SPADES) == 0
            } else {
                let covered = led == SPADES && best > QUEEN_OF_SPADES;
                best = best.max(card);
                covered && place > 0
            };
            if queen && could_drop_her && card != QUEEN_OF_SPADES {
                self.queen[seat] *= SHY;
            }
        }
    }

    /// Cards that this seat passed and that have not been played are where it passed them to.
    fn place_passed(&mut self, turn: &Turn, unseen: &mut Hand) {
        let taker = (turn.seat as i32 + turn.pass_offset).rem_euclid(turn.seats as i32) as usize;
        let mut theirs: Vec<Card> = self.played.iter().filter(|play| play.0 == taker).map(|play| play.1).collect();
        if taker == self.seat || turn.kind() == TurnKind::Pass {
            return;
        }
        for card in turn.passed_cards.iter().map(|&card| (card - 1) as Card) {
            if let Some(place) = theirs.iter().position(|&played| played == card) {
                theirs.swap_remove(place);
            } else if unseen.faces & bit(card) != 0 && self.free[taker] > 0 {
                unseen.remove(card);
                self.holds[taker].add(card);
                self.free[taker] -= 1;
            }
        }
    }

    /// The cards of the trick that is being played.
    pub fn trick(&self) -> Cards {
        let begun = self.played.len() - self.played.len() % self.rules.seats;
        self.played[begun..].iter().fold(0, |cards, play| cards | bit(play.1))
    }

    fn holders(&self, card: Card) -> impl Iterator<Item = usize> {
        (0..=SEATS_MAX).filter(move |&seat| self.free[seat] > 0 && self.may_hold[seat] & bit(card) != 0)
    }

    /// The deal as it would stand in a world, all that was played replayed.
    pub fn deal(&self, world: &World) -> (Deal<'a>, f32) {
        let mut hands = world.hands;
        self.played.iter().for_each(|&(seat, card)| hands[seat].add(card));
        let mut deal = Deal::new(self.rules, hands, self.leader);
        deal.put_aside(&world.aside);
        let mut weight = 1.0;
        for &(seat, card) in &self.played {
            if deal.trick_len == 0 {
                (deal.leader, deal.seat) = (seat, seat);
            }
            if seat != self.seat && policy::choose(&deal) != card {
                weight *= SURPRISE;
            }
            deal.play(card);
        }
        (deal, weight)
    }

    /// Deal the unseen cards so that every seat has as many as it must and none that it cannot have.
    pub fn world(&self, chance: &mut Rng) -> World {
        let mut dealt: [Vec<Card>; SEATS_MAX + 1] = Default::default();
        let mut free = self.free;
        let mut cards = self.unseen.clone();
        shuffle_equals(&mut cards, |card| (card != QUEEN_OF_SPADES, self.holders(card).count()), chance);
        for card in cards {
            let weight = |seat: usize| match self.may_hold[seat] & bit(card) {
                0 => 0.0,
                _ if card == QUEEN_OF_SPADES => free[seat] as f32 * self.queen[seat],
                _ => free[seat] as f32,
            };
            let total: f32 = (0..=SEATS_MAX).map(weight).sum();
            let mut point = chance.f32() * total;
            let drawn = (0..=SEATS_MAX).filter(|&seat| weight(seat) > 0.0).find(|&seat| {
                point -= weight(seat);
                point <= 0.0
            });
            match drawn.or_else(|| (0..=SEATS_MAX).find(|&seat| weight(seat) > 0.0)) {
                Some(seat) => {
                    free[seat] -= 1;
                    dealt[seat].push(card);
                }
                None => self.make_room(card, &mut dealt, &mut free),
            }
        }
        let mut hands = self.holds;
        hands[self.seat] = self.own;
        for (seat, cards) in dealt[..SEATS_MAX].iter().enumerate() {
            cards.iter().for_each(|&card| hands[seat].add(card));
        }
        World { hands, aside: std::mem::take(&mut dealt[SEATS_MAX]) }
    }

    /// Gives the card to a seat that may hold it and is full, by a chain of cards that move on to other seats.
    fn make_room(&self, card: Card, dealt: &mut [Vec<Card>; SEATS_MAX + 1], free: &mut [usize; SEATS_MAX + 1]) {
        // Breadth first over seats: from[seat] is the seat that pushes a card on to it, and which card.
        let mut from: [Option<(usize, Card)>; SEATS_MAX + 1] = [None; SEATS_MAX + 1];
        let starts: Vec<usize> = self.holders(card).collect();
        let mut queue = starts.clone();
        let mut next = 0;
        while next < queue.len() {
            let seat = queue[next];
            next += 1;
            for &moved in &dealt[seat] {
                for target in self.holders(moved) {
                    if from[target].is_some() || starts.contains(&target) {
                        continue;
                    }
                    from[target] = Some((seat, moved));
                    queue.push(target);
                    if free[target] > 0 {
                        free[target] -= 1;
                        let mut at = target;
                        while let Some((giver, gone)) = from[at] {
                            let place = dealt[giver].iter().position(|&held| held == gone).unwrap_or(0);
                            dealt[giver].swap_remove(place);
                            dealt[at].push(gone);
                            at = giver;
                        }
                        dealt[at].push(card);
                        return;
                    }
                }
            }
        }
    }
}

/// Shuffle cards that are equal under the key, which are neighbours.
fn shuffle_equals<K: PartialEq>(cards: &mut [Card], key: impl Fn(Card) -> K, chance: &mut Rng) {
    for group in cards.chunk_by_mut(|&one, &other| key(one) == key(other)) {
        chance.shuffle(group);
    }
}
