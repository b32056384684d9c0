//! How every seat plays while a deal is played out: quick rules of thumb that look at no hand but the seat's own.

use crate::cards::{Card, Cards, QUEEN_OF_SPADES, SPADES, below, bit, count, each, highest, lowest, of_suit, suit};
use crate::deal::Deal;

const RELIEF: f32 = 0.3; // of the burden that a card is, so much counts for leading it
const ALARM: f32 = 0.4; // share of the moon's cards, taken by one seat alone, from which on it may be shooting the moon
const LOSERS_MAX: usize = 1; // cards that may lose a trick, and a seat under that suspicion goes on

/// Plays the deal to its end.
pub fn play_out(deal: &mut Deal) {
    while !deal.is_over() && !deal.is_decided() {
        let card = choose(deal);
        deal.play(card);
    }
}

pub fn choose(deal: &Deal) -> Card {
    let legal = deal.legal();
    if legal & (legal - 1) == 0 {
        return lowest(legal);
    }
    let table = Table { deal, seat: deal.seat, own: deal.hands[deal.seat].faces };
    if table.goes_on_shooting() {
        return table.shoot(legal);
    }
    if deal.trick_len == 0 {
        table.lead(legal)
    } else if legal & of_suit(deal.led()) != 0 {
        table.follow(legal)
    } else {
        table.discard(legal)
    }
}

/// The three most dangerous cards or as many as are passed, for seats whose pass is not known.
pub fn pass(rules: &crate::rules::Rules, hand: Cards, passes: usize) -> Vec<Card> {
    let mut cards: Vec<Card> = each(hand).collect();
    cards.sort_by_cached_key(|&card| -danger(rules, hand, card));
    cards.truncate(passes);
    cards
}

/// How much a seat should like to pass the card.
pub fn danger(rules: &crate::rules::Rules, hand: Cards, card: Card) -> i32 {
    let (rank, same) = (i32::from(card) % 13 + 2, hand & of_suit(suit(card)));
    if rules.value(card) < 0 {
        return -100;
    }
    let guards = count(same & below(QUEEN_OF_SPADES));
    if suit(card) == SPADES && rules.penalties & bit(QUEEN_OF_SPADES) != 0 {
        return if card < QUEEN_OF_SPADES || guards >= 4 { 0 } else { 60 + rank };
    }
    let cover = each(same).filter(|other| other % 13 <= 3).count() as i32;
    2 * rank + 3 * i32::from(rules.value(card) > 0) - 4 * cover - count(same & below(card)) as i32 - count(same) as i32
}

/// The deal as one seat sees it.
struct Table<'d, 'a> {
    deal: &'d Deal<'a>,
    seat: usize,
    own: Cards,
}

impl Table<'_, '_> {
    /// Cards of a suit that others hold.
    fn out(&self, suit: usize) -> Cards {
        self.deal.left.faces & !(self.own & !self.deal.left.twins) & of_suit(suit)
    }

    fn value(&self, card: Card) -> i32 {
        self.deal.rules.value(card)
    }

    fn queen_lurks(&self) -> bool {
        let queen = bit(QUEEN_OF_SPADES);
        self.deal.rules.penalties & queen & self.deal.left.faces & !self.own != 0
    }

    /// The other seat that took all of the moon's cards so far, if they are many.
    fn suspect(&self) -> Option<usize> {
        let seat = self.deal.takers.trailing_zeros() as usize;
        let is_one = self.deal.takers.count_ones() == 1 && seat != self.seat;
        (is_one && self.took_much(seat)).then_some(seat)
    }

    fn took_much(&self, seat: usize) -> bool {
        self.deal.needed[seat] as f32 >= ALARM * self.deal.rules.needed_total as f32
    }

    fn goes_on_shooting(&self) -> bool {
        self.deal.takers == 1 << self.seat && self.took_much(self.seat) && self.losers() <= LOSERS_MAX
    }

    /// Cards that would lose a trick if this seat led every suit from the top and the others kept their best.
    fn losers(&self) -> usize {
        let others = self.deal.rules.seats - 1;
        (0..4)
            .map(|suit| {
                let (mut out, mut own, mut lost) = (self.out(suit), self.own & of_suit(suit), 0);
                while own != 0 && out != 0 {
                    let top = highest(own);
                    own &= !bit(top);
                    if highest(out) > top {
                        lost += 1;
                        out &= !bit(highest(out));
                    } else {
                        (0..others).for_each(|_| out &= out.wrapping_sub(1)); // everybody follows with the lowest
                    }
                }
                lost
            })
            .sum()
    }

    fn shoot(&self, legal: Cards) -> Card {
        let deal = self.deal;
        if deal.trick_len == 0 {
            let height = |&card: &Card| (self.out(suit(card)) & !below(card) == 0, self.value(card) > 0, card % 13);
            return each(legal).max_by_key(height).unwrap_or(lowest(legal));
        }
        let led = of_suit(deal.led());
        if legal & led == 0 {
            return each(legal).min_by_key(|&card| (self.value(card) > 0, card % 13)).unwrap_or(lowest(legal));
        }
        let over = legal & !deal.best.map_or(0, |best| below(best) | bit(best));
        match over {
            0 => lowest(legal),
            _ if deal.trick_len + 1 == deal.rules.seats => lowest(over),
            _ => highest(over),
        }
    }

    /// Stay below the best card so far, as high as can be; take a trick where that is safe, or where it stops a moon.
    fn follow(&self, legal: Cards) -> Card {
        let deal = self.deal;
        let led = deal.led();
        let is_last = deal.trick_len + 1 == deal.rules.seats;
        let queen = bit(QUEEN_OF_SPADES) & deal.rules.penalties;
        let under = legal & (deal.best.map_or(0, below) | if deal.rules.cancels { deal.faces } else { 0 });
        let over = legal & !under;
        if self
            .suspect()
            .is_some_and(|seat| over != 0 && (deal.trick_needed > 0 && (deal.best_seat == seat || !is_last)))
        {
            return highest(over);
        }
        if under & queen != 0 {
            return QUEEN_OF_SPADES;
        }
        let is_clean = deal.trick_points <= 0 && over & !queen != 0;
        let out = self.out(led);
        let is_risky = !is_last
            && ((led == SPADES && self.queen_lurks()) || !(deal.is_first || count(out) > 2 * (deal.rules.seats - 1)));
        if is_clean && !is_risky && self.value(highest(over & !queen)) <= 0 {
            return highest(over & !queen);
        }
        if under != 0 {
            return highest(under);
        }
        match over & !queen {
            0 => highest(over),
            others if is_last => highest(others),
            others => lowest(others),
        }
    }

    fn discard(&self, legal: Cards) -> Card {
        let deal = self.deal;
        if let Some(shooter) = self.suspect() {
            let harmless = legal & !deal.rules.needed;
            if deal.best_seat == shooter && harmless != 0 {
                return self.heaviest(harmless);
            }
        }
        if legal & bit(QUEEN_OF_SPADES) & deal.rules.penalties != 0 {
            return QUEEN_OF_SPADES;
        }
        self.heaviest(legal)
    }

    /// The card that it is worth most to be rid of: of each suit the highest is looked at.
    fn heaviest(&self, cards: Cards) -> Card {
        let tops = (0..4).map(|suit| cards & of_suit(suit)).filter(|&held| held != 0).map(highest);
        tops.map(|card| (self.burden(card), card))
            .max_by(|one, other| one.0.total_cmp(&other.0))
            .map_or(lowest(cards), |top| top.1)
    }

    fn lead(&self, legal: Cards) -> Card {
        let mut best = (f32::MAX, lowest(legal));
        for suit in 0..4 {
            let held = legal & of_suit(suit);
            if held == 0 {
                continue;
            }
            for card in [lowest(held), highest(held)] {
                let cost = self.lead_cost(card) - RELIEF * self.burden(card);
                if cost < best.0 {
                    best = (cost, card);
                }
            }
        }
        best.1
    }

    /// Points that leading the card should cost: its chance to take the trick, times what the trick should hold.
    fn lead_cost(&self, card: Card) -> f32 {
        let (deal, chances) = (self.deal, &self.deal.rules.chance);
        let suit = suit(card);
        let out = self.out(suit);
        let others = ((1u32 << deal.rules.seats) - 1) & !(1 << self.seat);
        let holders = (others & !deal.voids[suit]).count_ones() as i32;
        let size = count(out);
        if size == 0 || holders == 0 {
            let points = self.value(card) as f32 + others.count_ones() as f32;
            return if self.queen_lurks() { points + 6.0 } else { points };
        }
        let takes = (1.0 - chances.must_beat[size][count(out & !below(card))]).powi(holders);
        let voids = (others.count_ones() as i32 - holders) as f32 + holders as f32 * chances.is_void[size];
        let queen =
            if self.queen_lurks() { self.value(QUEEN_OF_SPADES) as f32 / others.count_ones() as f32 } else { 0.0 };
        let heart = f32::from(deal.left.faces & deal.rules.penalties & !self.own != 0);
        let mut points = self.value(card) as f32 + voids * (queen + heart);
        if deal.rules.penalties & of_suit(suit) & out != 0 && suit != SPADES {
            points += holders as f32 * self.value(lowest(out)) as f32;
        } else if suit == SPADES && card > QUEEN_OF_SPADES {
            points += queen * holders as f32 * 0.7;
        }
        takes * points
    }

    /// What it is worth to be rid of a card: its chance to take a later trick, times what such a trick holds.
    fn burden(&self, card: Card) -> f32 {
        let value = self.value(card) as f32;
        if value < 0.0 {
            return value;
        }
        if card == QUEEN_OF_SPADES && value > 0.0 {
            return 10.0;
        }
        if suit(card) == SPADES && card > QUEEN_OF_SPADES && self.queen_lurks() {
            return 5.0 + value / 2.0;
        }
        let out = self.out(suit(card));
        let share = if out == 0 { 0.5 } else { count(out & below(card)) as f32 / count(out) as f32 };
        share * (1.5 + value)
    }
}
