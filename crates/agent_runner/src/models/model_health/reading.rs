//! Prompt reading of an agent's model: progress with a prompt, and whether it takes so long that fewer words are
//! better.

use std::sync::{Arc, Mutex};

use agent::Purpose;
use llm::{Caps, Delta, ModelKind, PromptRead};
use tokio::sync::watch;

use runtime::Runtime;
use runtime::lock::lock;
use runtime::wire::{CompactTools, PromptReading, Tag};

/// A model that reads fewer tokens in a second is given the compact tools, as a small one is.
const PER_SECOND_MIN: u64 = 300;
/// The time of fewer tokens says nothing about a thousand.
const MEASURED_MIN: u64 = 500;
/// A shorter wait is none.
const SHOWN_AFTER_MS: u64 = 500;

/// Prompt reading of an agent's model.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    state: Mutex<State>,
    /// True once it was measured to be slow.
    slow: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct State {
    calls: u64,
    /// Calls of a lower number went to another model.
    first: u64,
    /// The call whose prompt is read, and how far.
    shown: Option<(u64, PromptReading)>,
    /// As the newest prompt was made.
    compact: Option<CompactTools>,
}

impl Reading {
    pub fn shown(&self) -> Option<PromptReading> {
        lock(&self.state).shown.as_ref().map(|(_, reading)| reading.clone())
    }

    pub fn compact(&self) -> Option<CompactTools> {
        lock(&self.state).compact
    }

    /// Another model reads from now on.
    pub fn begin_anew(&self) {
        let mut state = lock(&self.state);
        *state = State { calls: state.calls, first: state.calls, ..State::default() };
        // Another model has to be measured anew before it counts as slow.
        self.slow.send_replace(false);
    }

    /// Reason for which the model of `caps` is given the compact tools; none if it is not.
    pub fn compact_tools(&self, runtime: &Runtime, caps: &Caps) -> Option<CompactTools> {
        if caps.kind == ModelKind::Interpreter {
            return None;
        }
        let compact = self.compact_for(caps);
        if std::mem::replace(&mut lock(&self.state).compact, compact) != compact {
            runtime.bus.changed(Tag::Agents);
        }
        compact
    }

    /// Waits until the model is measured to be slow. Never ends where it has the compact tools already.
    pub async fn becomes_slow(&self) {
        if self.compact().is_some() {
            return std::future::pending().await;
        }
        // The sender is there as long as this agent.
        let _ = self.slow.subscribe().wait_for(|is_slow| *is_slow).await;
    }

    fn compact_for(&self, caps: &Caps) -> Option<CompactTools> {
        if caps.is_small() {
            return Some(CompactTools::SmallModel);
        }
        self.slow.borrow().then_some(CompactTools::SlowReading)
    }
}

/// Shows how far the prompt of one call is read, as long as it lives.
pub(crate) struct PromptWatch {
    runtime: Arc<Runtime>,
    reading: Arc<Reading>,
    purpose: Purpose,
    call: u64,
}

impl PromptWatch {
    /// Of a call that begins now.
    pub fn begin(runtime: &Arc<Runtime>, reading: &Arc<Reading>, purpose: Purpose) -> Self {
        let call = {
            let mut state = lock(&reading.state);
            state.calls += 1;
            state.calls - 1
        };
        let watch = Self { runtime: Arc::clone(runtime), reading: Arc::clone(reading), purpose, call };
        if watch.is_warm_up() {
            watch.show(PromptReading { warm_up: true, read: None });
        }
        watch
    }

    /// Looks at a piece of the reply. Never waits.
    pub fn heard(&self, delta: &Delta) {
        match delta {
            Delta::Prompt(read) => {
                self.measure(read);
                let is_shown = read.elapsed_ms >= SHOWN_AFTER_MS || self.is_warm_up();
                if read.done >= read.tokens {
                    self.hide();
                } else if is_shown {
                    self.show(PromptReading { warm_up: self.is_warm_up(), read: Some(*read) });
                }
            }
            Delta::Text(_) | Delta::Thinking(_) | Delta::CallStart { .. } => self.hide(),
            Delta::CallArgs { .. } | Delta::CallEnd { .. } | Delta::Usage(_) | Delta::Restart => {}
        }
    }

    fn is_warm_up(&self) -> bool {
        self.purpose == Purpose::Warm
    }

    /// Notes a model that is slow. It stays so: tools that come and go would have every prompt read anew.
    fn measure(&self, read: &PromptRead) {
        let is_main = matches!(self.purpose, Purpose::Main | Purpose::Fallback | Purpose::Extend | Purpose::Warm);
        let is_slow = read.per_second().is_some_and(|speed| speed < PER_SECOND_MIN);
        if is_main && is_slow && read.fresh() >= MEASURED_MIN && self.call >= lock(&self.reading.state).first {
            self.reading.slow.send_replace(true);
        }
    }

    fn show(&self, reading: PromptReading) {
        {
            let mut state = lock(&self.reading.state);
            // It went to the model of before, whose reading concerns nobody any more.
            if self.call < state.first {
                return;
            }
            state.shown = Some((self.call, reading));
        }
        self.runtime.bus.changed(Tag::Agents);
    }

    fn hide(&self) {
        let hidden = lock(&self.reading.state).shown.take_if(|(call, _)| *call == self.call);
        if hidden.is_some() {
            self.runtime.bus.changed(Tag::Agents);
        }
    }
}

impl Drop for PromptWatch {
    fn drop(&mut self) {
        self.hide();
    }
}
