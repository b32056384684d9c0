//! One thread a core that takes turns in the order in which they came and sends each decision as soon as it is made.

use crate::hearts::{BotMessage, Decision, Turn, TurnKind};
use crate::rules::Rules;
use crate::strategy;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use tokio::sync::mpsc::UnboundedSender;

pub struct Job {
    pub turn: Turn,
    pub rules: Arc<Rules>,
    pub outbox: UnboundedSender<BotMessage>, // of the stream that the turn came by
}

pub struct Thinkers(Sender<Job>);

impl Thinkers {
    pub fn start() -> Thinkers {
        let (jobs, queue) = channel();
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            let queue = queue.clone();
            thread::spawn(move || {
                while let Some(job) = next(&queue) {
                    if !job.outbox.is_closed() {
                        let _ =
                            job.outbox.send(BotMessage { hello: None, decisions: vec![answer(&job.turn, &job.rules)] });
                    }
                }
            });
        }
        Thinkers(jobs)
    }

    pub fn think(&self, job: Job) {
        let _ = self.0.send(job);
    }
}

fn next(queue: &Mutex<Receiver<Job>>) -> Option<Job> {
    queue.lock().ok()?.recv().ok()
}

pub fn answer(turn: &Turn, rules: &Rules) -> Decision {
    let mut decision = Decision { turn_id: turn.turn_id, ..Decision::default() };
    match turn.kind() {
        TurnKind::Play => decision.cards = vec![strategy::choose_card(turn, rules)],
        TurnKind::Pass => decision.cards = strategy::choose_pass(turn, rules),
        _ => decision.moon_choice = strategy::choose_moon(turn, rules),
    }
    decision
}
