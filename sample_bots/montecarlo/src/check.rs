//! Checks of the rulebook, of the dealt worlds and of whole deals: `make check`, or `cargo test`.

use crate::cards::{Card, Hand, bit, each, of_suit};
use crate::deal::Deal;
use crate::hearts::*;
use crate::policy;
use crate::rules::{Rules, SEATS_MAX};
use crate::strategy::{self, Budget};
use crate::thinkers::answer;
use crate::worlds::Known;
use fastrand::Rng;
use serde_json::Value;
use std::time::{Duration, Instant};
use std::{env, fs};

const QUICK_MS: u32 = 3;
const UNHURRIED_MS: u32 = 60_000;

#[test]
fn the_rulebook_finds_the_legal_cards_of_the_vectors() {
    let positions = json("HEARTS_VECTORS", "../../proto/vectors/legal_plays.json");
    let positions = positions["positions"].as_array().unwrap();
    for position in positions {
        let rules = preset(position["rules"].as_str().unwrap());
        let turn = Turn {
            kind: TurnKind::Play.into(),
            seat: position["seat"].as_u64().unwrap() as u32,
            seats: rules.seats as u32,
            hand: numbers(&position["hand"]),
            played: numbers(&position["played"]),
            leaders: position["leaders"].as_array().unwrap().iter().map(|seat| seat.as_u64().unwrap() as u32).collect(),
            ..Turn::default()
        };
        let known = Known::new(&turn, &rules);
        let mut deal = known.deal(&known.world(&mut Rng::with_seed(7))).0;
        (deal.seat, deal.hands[known.seat]) = (known.seat, known.own);

        let legal: Vec<i32> = each(deal.legal()).map(|card| i32::from(card) + 1).collect();
        assert_eq!(legal, numbers(&position["legal"]), "{position}");
    }
    println!("rulebook: {} positions as expected", positions.len());
}

#[test]
fn a_dealt_world_agrees_with_hand_sizes_voids_and_passed_cards() {
    for (name, rules) in presets() {
        played(&rules, 1, |deal, turn| {
            let known = Known::new(turn, &rules);
            let world = known.world(&mut Rng::with_seed(turn.turn_seed.into()));
            let mut all = Hand::of(world.aside.iter().copied().chain(turn.played.iter().map(|&card| card as Card - 1)));
            for (seat, hand) in world.hands[..rules.seats].iter().enumerate() {
                assert_eq!(hand.count(), deal.hands[seat].count(), "{name}: cards of seat {seat}, {turn:?}");
                for led in (0..4).filter(|&led| deal.voids[led] & 1 << seat != 0 && seat != known.seat) {
                    assert_eq!(hand.faces & of_suit(led), 0, "{name}: seat {seat} is void, {turn:?}");
                }
                hand.cards().for_each(|card| all.add(card));
            }
            assert_eq!(all, rules.pack, "{name}: every card is somewhere once, {turn:?}");
            let taker = (turn.seat as i32 + turn.pass_offset).rem_euclid(turn.seats as i32) as usize;
            for &card in turn.passed_cards.iter().filter(|card| !turn.played.contains(card)) {
                assert!(world.hands[taker].faces & bit(card as Card - 1) != 0, "{name}: {card} was passed, {turn:?}");
            }
            strategy::choose_card(turn, &rules)
        });
    }
}

#[test]
fn every_preset_is_played_with_legal_cards_even_if_its_rules_were_not_told() {
    for (name, rules) in presets() {
        for seed in 0..2 {
            played(&rules, seed, |_, turn| {
                let guessed = Rules::guess(turn);
                let card = answer(turn, if seed == 0 { &rules } else { &guessed }).cards[0];
                assert!(turn.legal.contains(&card), "{name}: {card}, {turn:?}");
                card
            });
        }
    }
}

#[test]
fn a_pass_names_as_many_cards_as_the_turn_says() {
    let rules = preset("american");
    for pass_count in [0, 1, 3, 7, 13] {
        let hand: Vec<i32> = (1..=52).step_by(4).collect();
        let turn = Turn { pass_count, turn_ms: QUICK_MS, ..pass_turn(&hand) };
        let mut cards = strategy::choose_pass(&turn, &rules);
        cards.sort();
        cards.dedup();
        assert_eq!(cards.len(), pass_count as usize);
        assert!(cards.iter().all(|card| hand.contains(card)));
    }
}

#[test]
fn asked_again_it_decides_the_same() {
    let rules = preset("american");
    let turn = Turn { turn_ms: UNHURRIED_MS, ..pass_turn(&(1..=52).step_by(4).collect::<Vec<i32>>()) };
    assert_eq!(strategy::choose_pass(&turn, &rules), strategy::choose_pass(&turn, &rules));
}

#[test]
fn it_thinks_for_a_third_of_its_clock_at_most() {
    let before = Instant::now();
    let budget = Budget::of(&Turn { turn_ms: 900, ..Turn::default() }, 1);
    assert!(budget.until <= Instant::now() + Duration::from_millis(300));
    assert!(budget.until >= before + Duration::from_millis(300));
}

fn pass_turn(hand: &[i32]) -> Turn {
    let (hand, legal) = (hand.to_vec(), hand.to_vec());
    let kind = TurnKind::Pass.into();
    Turn { kind, seats: 4, deal_number: 1, pass_offset: 1, pass_count: 3, hand, legal, ..Turn::default() }
}

/// Plays a deal after a pass to the left: `decide` plays for the seats of even number, the policy for the others.
fn played(rules: &Rules, seed: u64, decide: impl Fn(&Deal, &Turn) -> i32) {
    let seats = rules.seats;
    let mut pack: Vec<Card> = rules.pack.cards().collect();
    Rng::with_seed(seed).shuffle(&mut pack);
    let size = pack.len() / seats;
    let mut hands: [Hand; SEATS_MAX] = Default::default();
    (0..seats).for_each(|seat| hands[seat] = Hand::of(pack[seat * size..(seat + 1) * size].iter().copied()));
    let passed: Vec<Vec<Card>> = hands[..seats].iter().map(|hand| policy::pass(rules, hand.faces, 3)).collect();
    for (seat, gone) in passed.iter().enumerate() {
        gone.iter().for_each(|&card| hands[seat].remove(card));
        gone.iter().for_each(|&card| hands[(seat + 1) % seats].add(card));
    }
    let clubs = hands.iter().fold(0, |cards, hand| cards | hand.faces & of_suit(0));
    let holds_lowest = |&seat: &usize| hands[seat].faces & clubs & clubs.wrapping_neg() != 0;
    let leader = if rules.lowest_club_leads { (0..seats).find(holds_lowest).unwrap() } else { 1 };
    let mut deal = Deal::new(rules, hands, leader);
    deal.put_aside(&pack[size * seats..]);
    let (mut history, mut leaders) = (vec![], vec![]);
    while !deal.is_over() {
        if deal.trick_len == 0 {
            leaders.push(deal.seat as u32);
        }
        let card = if deal.seat % 2 == 0 {
            decide(&deal, &turn_of(&deal, &history, &leaders, &passed[deal.seat])) as Card - 1
        } else {
            policy::choose(&deal)
        };
        history.push(card);
        deal.play(card);
    }
}

/// What the referee would ask the seat whose turn it is.
fn turn_of(deal: &Deal, history: &[Card], leaders: &[u32], passed: &[Card]) -> Turn {
    let mut hand = wire(deal.hands[deal.seat].cards());
    hand.sort();
    Turn {
        turn_id: 1,
        kind: TurnKind::Play.into(),
        seat: deal.seat as u32,
        seats: deal.rules.seats as u32,
        deal_number: 1,
        hand,
        legal: wire(each(deal.legal())),
        played: wire(history.iter().copied()),
        leaders: leaders.to_vec(),
        pass_offset: 1,
        pass_count: 3,
        passed_cards: wire(passed.iter().copied()),
        turn_ms: QUICK_MS,
        turn_seed: history.len() as u32,
        ..Turn::default()
    }
}

fn wire(cards: impl Iterator<Item = Card>) -> Vec<i32> {
    cards.map(|card| i32::from(card) + 1).collect()
}

fn json(variable: &str, file: &str) -> Value {
    let file = env::var(variable).unwrap_or(file.into());
    serde_json::from_str(&fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"))).unwrap()
}

fn presets() -> Vec<(String, Rules)> {
    let file = json("HEARTS_PRESETS", "../../referee/rules/presets.json");
    file.as_object()
        .unwrap()
        .iter()
        .map(|(name, entry)| (name.clone(), Rules::new(&rule_set(&entry["rules"]))))
        .collect()
}

fn preset(name: &str) -> Rules {
    presets().into_iter().find(|preset| preset.0 == name).unwrap_or_else(|| panic!("no preset {name}")).1
}

/// A rule set as the file of presets writes it.
fn rule_set(json: &Value) -> RuleSet {
    let number = |key: &str| json[key].as_i64().unwrap() as u32;
    let constant = |prefix: &str, key: &str| format!("{prefix}_{}", json[key].as_str().unwrap().to_uppercase());
    let points = |key: &str| {
        let cards = json[key].as_object().unwrap().iter();
        cards
            .map(|(card, points)| CardPoints { card: number_of(card), points: points.as_i64().unwrap() as i32 })
            .collect()
    };
    RuleSet {
        seats: number("seats"),
        packs: number("packs"),
        removed: json["removed"].as_array().unwrap().iter().map(|card| number_of(card.as_str().unwrap())).collect(),
        pass_count: number("pass_count"),
        first_lead: FirstLead::from_str_name(&constant("FIRST_LEAD", "first_lead")).unwrap().into(),
        first_trick: FirstTrick::from_str_name(&constant("FIRST_TRICK", "first_trick")).unwrap().into(),
        hearts_must_break: json["hearts_must_break"].as_bool().unwrap(),
        hearts_broken_by: HeartsBrokenBy::from_str_name(&constant("HEARTS_BROKEN_BY", "hearts_broken_by"))
            .unwrap()
            .into(),
        queen_breaks: QueenBreaks::from_str_name(&constant("QUEEN_BREAKS", "queen_breaks")).unwrap().into(),
        heart_values: HeartValues::from_str_name(&constant("HEART_VALUES", "heart_values")).unwrap().into(),
        penalties: points("penalties"),
        bonuses: points("bonuses"),
        moon: Moon::from_str_name(&constant("MOON", "moon")).unwrap().into(),
        moon_needs: MoonNeeds::from_str_name(&constant("MOON_NEEDS", "moon_needs")).unwrap().into(),
        cancellation: json["cancellation"].as_bool().unwrap(),
        ..RuleSet::default()
    }
}

/// Cards as the vectors write them: `2C TD QS`.
fn numbers(text: &Value) -> Vec<i32> {
    text.as_str().unwrap().split_whitespace().map(number_of).collect()
}

fn number_of(card: &str) -> i32 {
    let place = |all: &str, letter: char| all.find(letter).unwrap() as i32;
    let (rank, suit) = (card.chars().next().unwrap(), card.chars().nth(1).unwrap());
    13 * place("CDHS", suit) + place("23456789TJQKA", rank) + 1
}
