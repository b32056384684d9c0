//! Ducks: plays the highest card that does not win, passes high cards, and is careful with the queen of spades.
//! The same strategy is written in every language of the sample bots; proto/vectors/duck.json holds its decisions.

use crate::hearts::{MoonChoice, Turn};

const HEARTS: i32 = 2;
const SPADES: i32 = 3;
const QUEEN_OF_SPADES: i32 = 50;
const GUARDS: usize = 4; // spades below the queen that make high spades safe to keep

// A card is a number: 1 to 13 are the clubs from two to ace, then diamonds, hearts, spades.
fn suit(card: i32) -> i32 {
    (card - 1) / 13
}

fn rank(card: i32) -> i32 {
    (card - 1) % 13 + 2
}

/// Sort key: lowest rank first, then clubs, diamonds, hearts, spades.
fn by_rank(card: i32) -> (i32, i32) {
    (rank(card), suit(card))
}

/// Pass unguarded high spades, then what is highest, of equals the heart.
pub fn choose_pass(turn: &Turn) -> Vec<i32> {
    let guards = turn.hand.iter().filter(|&&card| suit(card) == SPADES && card < QUEEN_OF_SPADES).count();
    let danger = |card: i32| match suit(card) {
        SPADES if card >= QUEEN_OF_SPADES && guards < GUARDS => 20 + card,
        SPADES => 0,
        HEARTS => 2 * rank(card) + 1,
        _ => 2 * rank(card),
    };
    let mut cards = turn.legal.clone();
    cards.sort_by_key(|&card| (danger(card), card));
    cards.split_off(cards.len() - turn.pass_count as usize)
}

pub fn choose_card(turn: &Turn) -> i32 {
    let seats = turn.seats as usize;
    let trick = &turn.played[turn.played.len() - turn.played.len() % seats..];
    let queen_lurks = !turn.played.contains(&QUEEN_OF_SPADES) && !turn.hand.contains(&QUEEN_OF_SPADES);
    match trick.first() {
        None => lead(&turn.legal, queen_lurks),
        Some(&led) if suit(turn.legal[0]) == suit(led) => follow(&turn.legal, trick, trick.len() == seats - 1),
        Some(_) => discard(&turn.legal, queen_lurks),
    }
}

/// Give the moon to the others, unless that would end the match and this seat would not have won it alone.
pub fn choose_moon(turn: &Turn) -> i32 {
    let seat = turn.seat as usize;
    let mut others = turn.scores.clone();
    let own = others.remove(seat);
    let with_moon = || others.iter().map(|total| total + turn.points[seat]);
    let ends = with_moon().max() >= Some(turn.target as i32);
    if ends && with_moon().min() <= Some(own) { MoonChoice::Subtract.into() } else { MoonChoice::Add.into() }
}

/// How badly a high spade may end: 2 is the queen herself, 1 what she can be played under.
fn risk(card: i32, queen_lurks: bool) -> i32 {
    if card == QUEEN_OF_SPADES { 2 } else { (card > QUEEN_OF_SPADES && queen_lurks).into() }
}

fn lead(legal: &[i32], queen_lurks: bool) -> i32 {
    *legal.iter().min_by_key(|&&card| (risk(card, queen_lurks), by_rank(card))).unwrap()
}

/// Stay below the best card so far, as high as can be; where that cannot be, keep the queen back.
fn follow(legal: &[i32], trick: &[i32], is_last: bool) -> i32 {
    let ranks: Vec<i32> = trick.iter().filter(|&&card| suit(card) == suit(trick[0])).map(|&card| rank(card)).collect();
    let is_single = |rank: &&i32| ranks.iter().filter(|other| other == rank).count() == 1; // twins cancel each other
    let best = *ranks.iter().filter(is_single).max().unwrap_or(&0);
    let safe = || legal.iter().copied().filter(|&card| rank(card) < best || ranks.contains(&rank(card)));
    if let Some(highest) = safe().max() {
        return if safe().any(|card| card == QUEEN_OF_SPADES) { QUEEN_OF_SPADES } else { highest };
    }
    let others = legal.iter().copied().filter(|&card| card != QUEEN_OF_SPADES);
    if is_last { others.max() } else { others.min() }.unwrap_or(QUEEN_OF_SPADES)
}

fn discard(legal: &[i32], queen_lurks: bool) -> i32 {
    *legal.iter().max_by_key(|&&card| (risk(card, queen_lurks), suit(card) == HEARTS, by_rank(card))).unwrap()
}
