//! The wire loop: plays the strategy at every table that the referee offers, until it says farewell.
//! It thinks in threads of its own, so that the stream is read meanwhile and many tables share the machine.

mod cards;
#[cfg(test)]
mod check;
mod connection;
mod deal;
mod hearts;
mod policy;
mod rules;
mod strategy;
mod thinkers;
mod worlds;

use connection::Connection;
use hearts::notice::Body;
use hearts::{Farewell, FarewellReason, Hello};
use rules::Rules;
use std::collections::HashMap;
use std::{convert::Infallible, error::Error, process, sync::Arc, time::Duration};
use thinkers::{Job, Thinkers};
use tonic::Code::{FailedPrecondition, InvalidArgument, PermissionDenied, Unauthenticated, Unimplemented};

const FAILURES_MAX: u32 = 60; // running; with the pauses between them more than a minute
const TABLES_MAX: u32 = 256;

/// Runs one stream to its end, which is always a status; `farewell` is that of its last message.
async fn play(
    connection: &Connection,
    thinkers: &Thinkers,
    failures: &mut u32,
    farewell: &mut Farewell,
) -> tonic::Result<Infallible> {
    let (bot_name, bot_version, sdk) = ("montecarlo".into(), "1.0".into(), "rust tonic".into());
    let hello = Hello { protocol_min: 1, protocol_max: 1, bot_name, bot_version, sdk, tables_max: TABLES_MAX };
    let (outbox, mut messages) = connection.open(hello).await?;
    let mut rules: HashMap<u32, Arc<Rules>> = HashMap::new(); // of each match; told again after a lost connection
    while let Some(message) = messages.message().await? {
        (*failures, *farewell) = (0, message.farewell.unwrap_or_default());
        for notice in &message.notices {
            match &notice.body {
                Some(Body::MatchStarted(started)) => {
                    started.rules.iter().for_each(|told| drop(rules.insert(notice.match_id, Rules::new(told).into())));
                }
                Some(Body::MatchEnded(_)) => drop(rules.remove(&notice.match_id)),
                _ => {}
            }
        }
        for turn in message.turns {
            let rules = rules.entry(turn.match_id).or_insert_with(|| Rules::guess(&turn).into()).clone();
            thinkers.think(Job { turn, rules, outbox: outbox.clone() });
        }
    }
    Err(tonic::Status::ok("The stream ended."))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let connection = Connection::prepare()?;
    let thinkers = Thinkers::start();
    let (mut failures, mut farewell) = (0, Farewell::default());
    loop {
        let Err(status) = play(&connection, &thinkers, &mut failures, &mut farewell).await;
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
