//! The wire loop: plays the strategy at every table that the referee offers, until it says farewell.
//! It thinks in threads of its own, so that the stream is read meanwhile and many tables share the machine.

mod cards;
#[cfg(test)]
mod check;
mod deal;
mod policy;
mod rules;
mod strategy;
mod thinkers;
mod worlds;
mod hearts {
    tonic::include_proto!("hearts.v1");
}

use hearts::notice::Body;
use hearts::referee_service_client::RefereeServiceClient;
use hearts::{BotMessage, FarewellReason, Hello, RefereeMessage};
use rules::Rules;
use std::collections::HashMap;
use std::{env, error::Error, fs, process, sync::Arc, time::Duration};
use thinkers::{Job, Thinkers};
use tokio::signal::unix::{SignalKind, signal};
use tokio_stream::{StreamExt, wrappers::UnboundedReceiverStream};
use tonic::Code::{FailedPrecondition, InvalidArgument, PermissionDenied, Unauthenticated, Unimplemented};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};
use tonic::{Request, Status};

const FAILURES_MAX: u32 = 20; // running; with the pauses between them more than a minute
const TABLES_MAX: u32 = 256;

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
async fn play(
    endpoint: &Endpoint,
    thinkers: &Thinkers,
    failures: &mut u32,
    last: &mut RefereeMessage,
) -> Result<(), Status> {
    let channel = endpoint.connect().await.map_err(|error| Status::unavailable(error.to_string()))?;
    let (outbox, messages) = tokio::sync::mpsc::unbounded_channel();
    let mut call = Request::new(UnboundedReceiverStream::new(messages));
    let token = format!("Bearer {}", env::var("HEARTS_TOKEN").expect("HEARTS_TOKEN is set"));
    let instance = env::var("HEARTS_INSTANCE").unwrap_or_default();
    call.metadata_mut().insert("authorization", token.parse().expect("HEARTS_TOKEN is plain text"));
    call.metadata_mut().insert("hearts-instance", instance.parse().expect("HEARTS_INSTANCE is plain text"));
    let (bot_name, bot_version, sdk) = ("montecarlo".into(), "1.0".into(), "rust tonic".into());
    let hello = Some(Hello { protocol_min: 1, protocol_max: 1, bot_name, bot_version, sdk, tables_max: TABLES_MAX });
    let _ = outbox.send(BotMessage { hello, decisions: vec![] });
    let mut stream = RefereeServiceClient::new(channel).max_decoding_message_size(65536).play(call).await?.into_inner();
    let mut rules: HashMap<u32, Arc<Rules>> = HashMap::new(); // of each match; told again after a lost connection
    while let Some(message) = stream.next().await {
        (*last, *failures) = (message?, 0);
        for notice in &last.notices {
            match &notice.body {
                Some(Body::MatchStarted(started)) => {
                    started.rules.iter().for_each(|told| drop(rules.insert(notice.match_id, Rules::new(told).into())));
                }
                Some(Body::MatchEnded(_)) => drop(rules.remove(&notice.match_id)),
                _ => {}
            }
        }
        for turn in last.turns.drain(..) {
            let rules = rules.entry(turn.match_id).or_insert_with(|| Rules::guess(&turn).into()).clone();
            thinkers.think(Job { turn, rules, outbox: outbox.clone() });
        }
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut stop = signal(SignalKind::terminate())?;
    tokio::spawn(async move { stop.recv().await.map(|()| process::exit(0)) });
    let endpoint = endpoint(&env::var("HEARTS_REFEREE")?)?;
    let thinkers = Thinkers::start();
    let mut failures = 0;
    loop {
        let mut last = RefereeMessage::default();
        let ended = play(&endpoint, &thinkers, &mut failures, &mut last).await;
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
