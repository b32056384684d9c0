//! One deal while it is played out: the rulebook, fast and without questions.

use crate::cards::{Card, Cards, HEARTS, Hand, QUEEN_OF_SPADES, bit, lowest, of_suit, suit};
use crate::hearts::LastTrickCancelled;
use crate::rules::{Rules, SEATS_MAX};

#[derive(Clone)]
pub struct Deal<'a> {
    pub rules: &'a Rules,
    pub hands: [Hand; SEATS_MAX],
    pub left: Hand,  // all hands together
    pub seat: usize, // whose turn it is
    pub leader: usize,
    pub trick: [Card; SEATS_MAX],
    pub trick_len: usize,
    pub faces: Cards,       // of the trick
    pub best: Option<Card>, // highest card of the suit led that no twin cancels
    pub best_seat: usize,
    pub trick_points: i32, // those of the pot included, as in the next two
    trick_bonus: i32,
    pub trick_needed: usize,
    pub is_first: bool, // trick
    pub hearts_broken: bool,
    pub points: [i32; SEATS_MAX],
    pub bonus: [i32; SEATS_MAX],
    pub needed: [usize; SEATS_MAX],
    pub takers: u32,     // seats that took a card that a moon needs
    pub voids: [u32; 4], // seats that showed to have none of the suit
    last_winner: Option<usize>,
}

impl<'a> Deal<'a> {
    /// A deal before its first trick.
    pub fn new(rules: &'a Rules, hands: [Hand; SEATS_MAX], leader: usize) -> Deal<'a> {
        let mut left = Hand::default();
        hands.iter().flat_map(Hand::cards).for_each(|card| left.add(card));
        Deal {
            rules,
            hands,
            left,
            seat: leader,
            leader,
            trick: [0; SEATS_MAX],
            trick_len: 0,
            faces: 0,
            best: None,
            best_seat: leader,
            trick_points: 0,
            trick_bonus: 0,
            trick_needed: 0,
            is_first: true,
            hearts_broken: false,
            points: [0; SEATS_MAX],
            bonus: [0; SEATS_MAX],
            needed: [0; SEATS_MAX],
            takers: 0,
            voids: [0; 4],
            last_winner: None,
        }
    }

    pub fn led(&self) -> usize {
        suit(self.trick[0])
    }

    pub fn is_over(&self) -> bool {
        self.left.faces == 0
    }

    /// Whether no card that counts is left, so that nothing changes any more.
    pub fn is_decided(&self) -> bool {
        let (rules, is_between) = (self.rules, self.trick_len == 0 && self.trick_points == 0 && self.trick_needed == 0);
        is_between && self.left.faces & (rules.penalties | rules.bonuses | rules.needed) == 0
    }

    /// Cards that are put aside and go with the first trick that is won.
    pub fn put_aside(&mut self, widow: &[Card]) {
        for &card in widow {
            self.trick_points += self.rules.value(card);
            self.trick_bonus += self.rules.value(card).min(0);
            self.trick_needed += usize::from(self.rules.needed & bit(card) != 0);
        }
    }

    /// What the seat to play may play.
    pub fn legal(&self) -> Cards {
        let (rules, hand) = (self.rules, self.hands[self.seat].faces);
        match (self.trick_len, self.is_first) {
            (0, true) => self.first_lead(hand),
            (0, false) => self.lead(hand),
            (_, first) => {
                let follows = hand & of_suit(self.led());
                let free = if follows != 0 { follows } else { hand };
                if !first {
                    return free;
                }
                let preferred = free & rules.first_choice;
                match free & !rules.barred {
                    0 if hand & !rules.barred == 0 && preferred != 0 => preferred,
                    0 => free,
                    allowed => allowed,
                }
            }
        }
    }

    fn first_lead(&self, hand: Cards) -> Cards {
        if self.rules.lowest_club_leads {
            return bit(lowest(self.left.faces & of_suit(0)));
        }
        let free = self.lead(hand);
        if free & !self.rules.barred != 0 { free & !self.rules.barred } else { free }
    }

    fn lead(&self, hand: Cards) -> Cards {
        let (rules, hearts, queen) = (self.rules, of_suit(HEARTS), bit(QUEEN_OF_SPADES));
        if self.hearts_broken {
            return hand;
        }
        let waits = (if rules.hearts_wait { hearts } else { 0 }) | (if rules.queen_waits { queen } else { 0 });
        let plain = hand & !waits;
        if rules.queen_waits {
            return if hand & !(hearts | queen) == 0 { hand } else { plain };
        }
        let is_freed = rules.queen_frees_hearts && hand & !(hearts | queen) == 0;
        if plain == 0 || is_freed { hand } else { plain }
    }

    pub fn play(&mut self, card: Card) {
        let (seat, face) = (self.seat, bit(card));
        self.hands[seat].remove(card);
        self.left.remove(card);
        self.trick[self.trick_len] = card;
        self.trick_len += 1;
        let led = self.led();
        if suit(card) != led {
            self.voids[led] |= 1 << seat;
        } else if self.best.is_none_or(|best| card > best) && (!self.rules.cancels || self.faces & face == 0) {
            (self.best, self.best_seat) = (Some(card), seat);
        } else if self.rules.cancels && self.best == Some(card) {
            self.find_best();
        }
        self.faces |= face;
        self.hearts_broken |= self.rules.breaks[led] & face != 0;
        self.trick_points += self.rules.value(card);
        self.trick_bonus += self.rules.value(card).min(0);
        self.trick_needed += usize::from(self.rules.needed & face != 0);
        self.seat = if seat + 1 == self.rules.seats { 0 } else { seat + 1 };
        if self.trick_len == self.rules.seats {
            self.end_trick();
        }
    }

    fn find_best(&mut self) {
        let trick = &self.trick[..self.trick_len];
        let led = self.led();
        let is_single = |card: &Card| suit(*card) == led && trick.iter().filter(|other| *other == card).count() == 1;
        self.best = trick.iter().copied().filter(is_single).max();
        if let Some(best) = self.best {
            let place = trick.iter().position(|&card| card == best).unwrap_or(0);
            self.best_seat = (self.leader + place) % self.rules.seats;
        }
    }

    fn end_trick(&mut self) {
        let winner = match self.best {
            Some(_) => Some(self.best_seat),
            None if self.is_over() => self.taker_of_last(),
            None => None,
        };
        if let Some(seat) = winner {
            self.points[seat] += self.trick_points;
            self.bonus[seat] += self.trick_bonus;
            self.needed[seat] += self.trick_needed;
            self.takers |= u32::from(self.trick_needed > 0) << seat;
            (self.trick_points, self.trick_bonus, self.trick_needed) = (0, 0, 0);
            self.last_winner = winner;
        }
        self.leader = winner.unwrap_or(self.leader);
        self.seat = self.leader;
        (self.trick_len, self.faces, self.best, self.best_seat) = (0, 0, None, self.leader);
        self.is_first = false;
    }

    /// Who takes a last trick in which the whole suit that was led cancelled.
    fn taker_of_last(&self) -> Option<usize> {
        match self.rules.last_cancelled {
            LastTrickCancelled::Void => None,
            LastTrickCancelled::PreviousWinner => self.last_winner.or(Some(self.leader)),
            LastTrickCancelled::SecondOfHighest => {
                let trick = &self.trick[..self.trick_len];
                let highest = trick.iter().filter(|&&card| suit(card) == self.led()).max();
                let place = trick.iter().rposition(|card| Some(card) == highest).unwrap_or(0);
                Some((self.leader + place) % self.rules.seats)
            }
            _ => Some(self.leader),
        }
    }

    /// Scores of the finished deal. A shooter that may choose gives the moon to the others.
    pub fn scores(&self) -> [i32; SEATS_MAX] {
        let rules = self.rules;
        let is_moon = |&seat: &usize| rules.needed_total > 0 && self.needed[seat] == rules.needed_total;
        let Some(shooter) = (0..rules.seats).find(is_moon) else {
            return self.points;
        };
        let mut scores = self.bonus;
        if rules.moon_subtracts {
            scores[shooter] -= rules.moon_amount;
        } else {
            (0..rules.seats).filter(|&seat| seat != shooter).for_each(|seat| scores[seat] += rules.moon_amount);
        }
        scores
    }

    /// How much better than the mean of the table the seat did, in points.
    pub fn gain(&self, seat: usize) -> f32 {
        let scores = self.scores();
        let total: i32 = scores[..self.rules.seats].iter().sum();
        total as f32 / self.rules.seats as f32 - scores[seat] as f32
    }
}
