//! Plays deals out before it decides: every candidate in the same worlds, each a way in which the unseen cards may lie.
//! The decision depends on the turn alone, for as long as the clock leaves time for all that is to be played out.

use crate::cards::{Card, Cards, Hand, bit, each, highest, of_suit, suit};
use crate::deal::Deal;
use crate::hearts::{MoonChoice, Turn};
use crate::policy;
use crate::rules::{Rules, SEATS_MAX};
use crate::worlds::Known;
use fastrand::Rng;
use std::time::{Duration, Instant};

const PLAY_OUTS: usize = 4000; // of one card's decision
const PASS_PLAY_OUTS: usize = 12000;
const WORLDS_DRAWN: usize = 4; // for each that is played out: of these the plausible are taken
const WORLDS_MAX: usize = 800;
const PASSES_MAX: usize = 40;
const SHARE_OF_CLOCK: u32 = 3; // a third is the most that is thought about a turn
const UNTIMED_MS: u32 = 1000; // for a turn that names no clock

/// How much may be thought about one turn.
pub struct Budget {
    pub play_outs: usize,
    pub until: Instant,
}

impl Budget {
    pub fn of(turn: &Turn, play_outs: usize) -> Budget {
        let turn_ms = if turn.turn_ms == 0 { UNTIMED_MS } else { turn.turn_ms };
        let time = Duration::from_millis(u64::from(turn_ms / SHARE_OF_CLOCK));
        Budget { play_outs, until: Instant::now() + time }
    }
}

pub fn choose_pass(turn: &Turn, rules: &Rules) -> Vec<i32> {
    let passes = turn.pass_count as usize;
    let known = Known::new(turn, rules);
    if turn.legal.len() <= passes {
        return turn.legal.clone();
    }
    let mut chance = Rng::with_seed(turn.turn_seed.into());
    let mut arms: Vec<_> = pass_candidates(rules, known.own, passes).into_iter().map(Arm::new).collect();
    let budget = Budget::of(turn, PASS_PLAY_OUTS);
    let number = budget.play_outs / arms.len().min(16);
    let worlds: Vec<_> = (0..number.clamp(16, WORLDS_MAX)).map(|_| known.world(&mut chance)).collect();
    let offset = turn.pass_offset;
    search(&mut arms, worlds.len(), &budget, |cards, world| {
        let seats = rules.seats;
        let mut hands = worlds[world].hands;
        let given: Vec<Vec<Card>> = (0..seats)
            .map(|seat| if seat == known.seat { cards.clone() } else { policy::pass(rules, hands[seat].faces, passes) })
            .collect();
        for (seat, gone) in given.iter().enumerate() {
            let taker = (seat as i32 + offset).rem_euclid(seats as i32) as usize;
            gone.iter().for_each(|&card| hands[seat].remove(card));
            gone.iter().for_each(|&card| hands[taker].add(card));
        }
        let mut deal = Deal::new(rules, hands, first_leader(turn, rules, &hands));
        deal.put_aside(&worlds[world].aside);
        policy::play_out(&mut deal);
        deal.gain(known.seat)
    });
    best(&arms).iter().map(|&card| i32::from(card) + 1).collect()
}

pub fn choose_card(turn: &Turn, rules: &Rules) -> i32 {
    let known = Known::new(turn, rules);
    let legal = Hand::of(turn.legal.iter().map(|&card| (card - 1) as Card)).faces;
    let mut candidates = distinct(legal, &known);
    if candidates.len() == 1 {
        return i32::from(candidates.remove(0)) + 1;
    }
    let mut chance = Rng::with_seed(turn.turn_seed.into());
    let budget = Budget::of(turn, PLAY_OUTS);
    let number = (budget.play_outs / candidates.len()).clamp(16, WORLDS_MAX);
    let deals = plausible(&known, number, &mut chance, &budget);
    let mut arms: Vec<_> = candidates.into_iter().map(Arm::new).collect();
    search(&mut arms, deals.len(), &budget, |&card, world| {
        let mut deal = deals[world].clone();
        deal.play(card);
        policy::play_out(&mut deal);
        deal.gain(known.seat)
    });
    i32::from(*best(&arms)) + 1
}

/// Give the moon to the others, unless that would end the match and this seat would not have won it alone.
pub fn choose_moon(turn: &Turn, rules: &Rules) -> i32 {
    let seat = turn.seat as usize;
    let mut others = turn.scores.clone();
    let own = others.remove(seat);
    let with_moon = || others.iter().map(|total| total + rules.moon_amount);
    let ends = with_moon().max() >= Some(turn.target as i32);
    if ends && with_moon().min() <= Some(own) { MoonChoice::Subtract.into() } else { MoonChoice::Add.into() }
}

/// One thing to decide for, and what came of it.
struct Arm<T> {
    choice: T,
    total: f32,
    tried: usize,
}

impl<T> Arm<T> {
    fn new(choice: T) -> Arm<T> {
        Arm { choice, total: 0.0, tried: 0 }
    }

    fn worth(&self) -> f32 {
        self.total / self.tried.max(1) as f32
    }
}

/// Tries the arms in one world after the other, dropping the worse half now and then; the best come first.
fn search<T>(arms: &mut [Arm<T>], worlds: usize, budget: &Budget, gain: impl Fn(&T, usize) -> f32) {
    let stages = arms.len().ilog2() as usize + 1;
    let (mut alive, mut world) = (arms.len(), 0);
    for stage in 0..stages {
        let until = (world + budget.play_outs / stages / alive).max(world + 1).min(worlds);
        let until = if stage + 1 == stages { worlds.min(until) } else { until };
        while world < until {
            for arm in &mut arms[..alive] {
                arm.total += gain(&arm.choice, world);
                arm.tried += 1;
            }
            world += 1;
            if Instant::now() >= budget.until {
                arms[..alive].sort_by(|one, other| other.worth().total_cmp(&one.worth()));
                return;
            }
        }
        arms[..alive].sort_by(|one, other| other.worth().total_cmp(&one.worth()));
        alive = alive.div_ceil(2).max(2.min(alive));
    }
}

fn best<T>(arms: &[Arm<T>]) -> &T {
    &arms[0].choice
}

/// Worlds in which the others have played as the policy would, more or less: of several the likelier ones.
fn plausible<'a>(known: &Known<'a>, number: usize, chance: &mut Rng, budget: &Budget) -> Vec<Deal<'a>> {
    let drawn = if known.played.is_empty() { 1 } else { WORLDS_DRAWN };
    let mut deals: Vec<Deal> = vec![];
    let until = Instant::now() + (budget.until - Instant::now()) / 3;
    while deals.len() < number && (deals.is_empty() || Instant::now() < until) {
        let mut total = 0.0;
        let mut taken = None;
        for _ in 0..drawn {
            let (deal, weight) = known.deal(&known.world(chance));
            total += weight;
            if taken.is_none() || chance.f32() * total < weight {
                taken = Some(deal);
            }
        }
        deals.extend(taken);
    }
    deals
}

/// Of cards that are as good as equal the first: neighbours of a suit of the same value, with nothing unseen between.
fn distinct(legal: Cards, known: &Known) -> Vec<Card> {
    let gone = known.played.iter().fold(known.own.faces, |cards, play| cards | bit(play.1));
    let trick = known.trick();
    let mut chosen: Vec<Card> = vec![];
    let mut last: Option<Card> = None;
    for card in each(legal) {
        let is_equal = last.is_some_and(|last| {
            let between = (bit(card) - 1) & !(bit(last) | (bit(last) - 1));
            suit(last) == suit(card)
                && known.rules.value(last) == known.rules.value(card)
                && between & known.rules.pack.faces & (!gone | trick) == 0
                && known.rules.pack.twins == 0
        });
        if !is_equal {
            chosen.push(card);
        }
        last = Some(card);
    }
    chosen
}

/// The passes to be compared: all choices among the most dangerous cards.
fn pass_candidates(rules: &Rules, hand: Hand, passes: usize) -> Vec<Vec<Card>> {
    let mut cards: Vec<Card> = hand.cards().collect();
    cards.sort_by_cached_key(|&card| -policy::danger(rules, hand.faces, card));
    let mut among = passes;
    while among < cards.len() && choices(among + 1, passes) <= PASSES_MAX {
        among += 1;
    }
    let mut found = vec![];
    choose_from(&cards[..among], passes, &mut vec![], &mut found);
    found
}

fn choices(among: usize, taken: usize) -> usize {
    (0..taken).fold(1, |number, step| number * (among - step) / (step + 1))
}

fn choose_from(cards: &[Card], passes: usize, taken: &mut Vec<Card>, found: &mut Vec<Vec<Card>>) {
    if taken.len() == passes {
        return found.push(taken.clone());
    }
    for (place, &card) in cards.iter().enumerate() {
        taken.push(card);
        choose_from(&cards[place + 1..], passes, taken, found);
        taken.pop();
    }
}

fn first_leader(turn: &Turn, rules: &Rules, hands: &[Hand; SEATS_MAX]) -> usize {
    let left_of_dealer = turn.deal_number as usize % rules.seats;
    let clubs = hands.iter().fold(0, |cards, hand| cards | hand.faces & of_suit(0));
    if !rules.lowest_club_leads || clubs == 0 {
        return left_of_dealer;
    }
    let led = clubs & clubs.wrapping_neg();
    debug_assert!(highest(led) < 13);
    let seats = (0..rules.seats).map(|step| (left_of_dealer + step) % rules.seats);
    seats.into_iter().find(|&seat| hands[seat].faces & led != 0).unwrap_or(left_of_dealer)
}
