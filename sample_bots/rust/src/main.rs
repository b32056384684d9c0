//! The wire loop: plays the strategy at every table that the referee offers, until it says farewell.

#[cfg(test)]
mod check;
mod connection;
mod hearts;
mod strategy;

use connection::Connection;
use hearts::{BotMessage, Decision, Farewell, FarewellReason, Hello, Turn, TurnKind};
use std::{convert::Infallible, error::Error, process, time::Duration};
use tonic::Code::{FailedPrecondition, InvalidArgument, PermissionDenied, Unauthenticated, Unimplemented};

const DECISIONS_MAX: usize = 128; // of one message, by the protocol
const FAILURES_MAX: u32 = 60; // running; with the pauses between them more than a minute

fn answer(turn: &Turn) -> Decision {
    let (cards, moon_choice) = match turn.kind() {
        TurnKind::Play => (vec![strategy::choose_card(turn)], 0),
        TurnKind::Pass => (strategy::choose_pass(turn), 0),
        _ => (vec![], strategy::choose_moon(turn)),
    };
    Decision { turn_id: turn.turn_id, cards, moon_choice, note: None }
}

/// Runs one stream to its end, which is always a status; `farewell` is that of its last message.
async fn play(connection: &Connection, failures: &mut u32, farewell: &mut Farewell) -> tonic::Result<Infallible> {
    let (bot_name, bot_version, sdk) = ("duck-rust".into(), "1.0".into(), "rust tonic".into());
    let hello = Hello { protocol_min: 1, protocol_max: 1, bot_name, bot_version, sdk, tables_max: 256 };
    let (outbox, mut messages) = connection.open(hello).await?;
    while let Some(message) = messages.message().await? {
        (*failures, *farewell) = (0, message.farewell.unwrap_or_default());
        for turns in message.turns.chunks(DECISIONS_MAX) {
            let _ = outbox.send(BotMessage { hello: None, decisions: turns.iter().map(answer).collect() });
        }
    }
    Err(tonic::Status::ok("The stream ended."))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let connection = Connection::prepare()?;
    let (mut failures, mut farewell) = (0, Farewell::default());
    loop {
        let Err(status) = play(&connection, &mut failures, &mut farewell).await;
        failures += 1;
        if !matches!(farewell.reason(), FarewellReason::Unspecified | FarewellReason::Draining) {
            eprintln!("{}", farewell.message);
            return Ok(());
        }
        let refused = [Unauthenticated, PermissionDenied, InvalidArgument, FailedPrecondition, Unimplemented];
        if refused.contains(&status.code()) || failures > FAILURES_MAX {
            eprintln!("No more play: {}", status.message()); // to call again would end so again
            process::exit(1);
        }
        // Jitter: not all bots at once.
        tokio::time::sleep(Duration::from_millis(100 << failures.min(4)).mul_f64(0.5 + fastrand::f64() / 2.0)).await;
    }
}
