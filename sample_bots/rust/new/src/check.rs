//! Tests of the strategy over a few positions. They run with `cargo test --release`.

use crate::answer;
use crate::hearts::{Card, Turn, TurnKind};
use serde_json::Value;
use std::{collections::BTreeMap, fs};

/// The turns of positions.json, by situation.
fn positions() -> BTreeMap<String, Turn> {
    let file: Value = serde_json::from_str(&fs::read_to_string("positions.json").unwrap()).unwrap();
    let positions = file["positions"].as_array().unwrap();
    positions.iter().map(|each| (each["situation"].as_str().unwrap().into(), turn(&each["turn"]))).collect()
}

#[test]
fn every_position_gets_a_legal_decision() {
    for (situation, turn) in positions() {
        let decision = answer(&turn);
        let expected = match turn.kind() {
            TurnKind::Pass => turn.pass_count as usize,
            TurnKind::Play => 1,
            _ => 0,
        };
        let mut cards = decision.cards.clone();
        cards.sort();
        cards.dedup();
        assert_eq!(cards.len(), expected, "{situation}: {:?}", decision.cards);
        assert!(cards.iter().all(|card| turn.legal.contains(card)), "{situation}: {cards:?}");
        assert_eq!(answer(&turn), decision, "{situation}: the same turn gets another decision");
    }
}

/// What this strategy should do, as you want it: change this with strategy.rs.
#[test]
fn the_queen_of_spades_goes_where_another_takes_her() {
    let turn = &positions()["discard with the queen of spades"];
    assert_eq!(answer(turn).cards, [Card::Qs as i32]);
}

/// Add the fields that your strategy reads; those that are left out have their default.
fn turn(json: &Value) -> Turn {
    Turn {
        turn_id: number(&json["turn_id"]),
        kind: number(&json["kind"]),
        target: number(&json["target"]),
        seat: number(&json["seat"]),
        seats: number(&json["seats"]),
        hand: numbers(&json["hand"]),
        legal: numbers(&json["legal"]),
        played: numbers(&json["played"]),
        leaders: numbers(&json["leaders"]),
        scores: numbers(&json["scores"]),
        points: numbers(&json["points"]),
        pass_offset: number(&json["pass_offset"]),
        passed_cards: numbers(&json["passed_cards"]),
        received_cards: numbers(&json["received_cards"]),
        hearts_broken: json["hearts_broken"].as_bool().unwrap_or_default(),
        turn_seed: number(&json["turn_seed"]),
        pass_count: number(&json["pass_count"]),
        ..Turn::default()
    }
}

fn number<T: TryFrom<i64> + Default>(json: &Value) -> T {
    json.as_i64().map(|number| T::try_from(number).ok().expect("the number fits")).unwrap_or_default()
}

fn numbers<T: TryFrom<i64> + Default>(json: &Value) -> Vec<T> {
    json.as_array().map(|list| list.iter().map(number).collect()).unwrap_or_default()
}
