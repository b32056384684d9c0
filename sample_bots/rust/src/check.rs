//! Compares the duck with its expected decisions: `make check`, or `cargo test`.

use crate::answer;
use crate::hearts::{Decision, Turn};
use serde_json::Value;
use std::{env, fs};

#[test]
fn the_duck_decides_as_expected() {
    let file = env::var("HEARTS_VECTORS").unwrap_or("../../proto/vectors/duck.json".into());
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let vectors: Value = serde_json::from_str(&text).unwrap();
    let vectors = vectors["vectors"].as_array().unwrap();
    for vector in vectors {
        assert_eq!(answer(&turn(&vector["turn"])), decision(&vector["decision"]), "{vector}");
    }
    println!("duck: {} decisions as expected", vectors.len());
}

/// What the duck reads of a turn; a field that is left out has its default.
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
        scores: numbers(&json["scores"]),
        points: numbers(&json["points"]),
        pass_count: number(&json["pass_count"]),
        ..Turn::default()
    }
}

fn decision(json: &Value) -> Decision {
    Decision {
        turn_id: number(&json["turn_id"]),
        cards: numbers(&json["cards"]),
        moon_choice: number(&json["moon_choice"]),
        note: None,
    }
}

fn number<T: TryFrom<i64> + Default>(json: &Value) -> T {
    json.as_i64().map(|number| T::try_from(number).ok().expect("the number fits")).unwrap_or_default()
}

fn numbers(json: &Value) -> Vec<i32> {
    json.as_array().map(|list| list.iter().map(number).collect()).unwrap_or_default()
}
