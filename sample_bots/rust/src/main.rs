//! The wire loop: plays the strategy at every table that the referee offers, until it says farewell.

#[cfg(test)]
mod check;
mod strategy;
mod hearts {
    tonic::include_proto!("hearts.v1");
}

use hearts::referee_service_client::RefereeServiceClient;
use hearts::{BotMessage, Decision, FarewellReason, Hello, RefereeMessage, Turn, TurnKind};
use std::{env, error::Error, fs, process, time::Duration};
use tokio::signal::unix::{SignalKind, signal};
use tokio_stream::{StreamExt, wrappers::UnboundedReceiverStream};
use tonic::Code::{FailedPrecondition, InvalidArgument, PermissionDenied, Unauthenticated, Unimplemented};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};
use tonic::{Request, Status};

const DECISIONS_MAX: usize = 128; // of one message, by the protocol
const FAILURES_MAX: u32 = 20; // running; with the pauses between them more than a minute

fn answer(turn: &Turn) -> Decision {
    let mut decision = Decision { turn_id: turn.turn_id, ..Decision::default() };
    match turn.kind() {
        TurnKind::Play => decision.cards = vec![strategy::choose_card(turn)],
        TurnKind::Pass => decision.cards = strategy::choose_pass(turn),
        _ => decision.moon_choice = strategy::choose_moon(turn),
    }
    decision
}

/// Where to dial, and whether with TLS. An address that begins with `unix:` needs nothing more.
fn endpoint(address: &str) -> Result<Endpoint, Box<dyn Error>> {
    if let Ok(ca_file) = env::var("HEARTS_CA") {
        let tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(fs::read(ca_file)?));
        return Ok(Endpoint::from_shared(format!("https://{address}"))?.tls_config(tls)?);
    }
    let scheme = if address.starts_with("unix:") { "" } else { "http://" };
    Ok(Endpoint::from_shared(format!("{scheme}{address}"))?)
}

/// Runs one stream to its end; `last` is the last message that came. A send that fails has its reason in the next read.
async fn play(endpoint: &Endpoint, failures: &mut u32, last: &mut RefereeMessage) -> Result<(), Status> {
    let channel = endpoint.connect().await.map_err(|error| Status::unavailable(error.to_string()))?;
    let (outbox, messages) = tokio::sync::mpsc::unbounded_channel();
    let mut call = Request::new(UnboundedReceiverStream::new(messages));
    let token = format!("Bearer {}", env::var("HEARTS_TOKEN").expect("HEARTS_TOKEN is set"));
    let instance = env::var("HEARTS_INSTANCE").unwrap_or_default();
    call.metadata_mut().insert("authorization", token.parse().expect("HEARTS_TOKEN is plain text"));
    call.metadata_mut().insert("hearts-instance", instance.parse().expect("HEARTS_INSTANCE is plain text"));
    let (bot_name, bot_version, sdk) = ("duck-rust".into(), "1.0".into(), "rust tonic".into());
    let hello = Some(Hello { protocol_min: 1, protocol_max: 1, bot_name, bot_version, sdk, tables_max: 256 });
    let _ = outbox.send(BotMessage { hello, decisions: vec![] });
    let mut stream = RefereeServiceClient::new(channel).max_decoding_message_size(65536).play(call).await?.into_inner();
    while let Some(message) = stream.next().await {
        (*last, *failures) = (message?, 0);
        for turns in last.turns.chunks(DECISIONS_MAX) {
            let _ = outbox.send(BotMessage { hello: None, decisions: turns.iter().map(answer).collect() });
        }
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (mut stop, mut failures) = (signal(SignalKind::terminate())?, 0);
    tokio::spawn(async move { stop.recv().await.map(|()| process::exit(0)) });
    let referee = env::var("HEARTS_TOKEN").and(env::var("HEARTS_REFEREE"));
    let endpoint = endpoint(&referee.or(Err("HEARTS_REFEREE and HEARTS_TOKEN must be set."))?)?;
    loop {
        let mut last = RefereeMessage::default();
        let ended = play(&endpoint, &mut failures, &mut last).await;
        failures += 1;
        let farewell = last.farewell.unwrap_or_default();
        if !matches!(farewell.reason(), FarewellReason::Unspecified | FarewellReason::Draining) {
            return Ok(eprintln!("{}", farewell.message));
        }
        let status = ended.err().unwrap_or(Status::ok("The stream ended."));
        let refused = [Unauthenticated, PermissionDenied, InvalidArgument, FailedPrecondition, Unimplemented];
        if refused.contains(&status.code()) || failures > FAILURES_MAX {
            eprintln!("No more play: {}", status.message()); // to call again would end so again
            process::exit(1);
        }
        // Jitter: not all bots at once.
        tokio::time::sleep(Duration::from_millis(100 << failures.min(6)).mul_f64(0.5 + fastrand::f64() / 2.0)).await;
    }
}
