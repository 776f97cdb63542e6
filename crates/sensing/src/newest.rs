//! The newest message of a key, read once somebody asks for what it shows.

use std::sync::{Arc, Mutex};

use arc_swap::ArcSwapOption;
use bridge::HeldMessage;
use robot::Instant;

use runtime::lock::lock;

/// The newest message, with the last result that could be `Shown` and the `Fault` of the newest if it could not.
pub(crate) struct Newest<Shown, Fault> {
    message: ArcSwapOption<HeldMessage>,
    read: Mutex<Read<Shown, Fault>>,
}

/// Outcome of reading the messages that somebody has asked for.
struct Read<Shown, Fault> {
    /// Arrival of the newest message that was read.
    until: Option<Instant>,
    /// The newest that could be shown.
    shown: Option<Shown>,
    /// The fault of the newest, if it could not.
    fault: Option<Fault>,
}

impl<Shown, Fault> Default for Newest<Shown, Fault> {
    fn default() -> Self {
        let read = Read { until: None, shown: None, fault: None };
        Self { message: ArcSwapOption::empty(), read: Mutex::new(read) }
    }
}

impl<Shown: Clone, Fault: Copy> Newest<Shown, Fault> {
    /// Takes the place of the message before it, unread.
    pub fn take(&self, message: HeldMessage) {
        self.message.store(Some(Arc::new(message)));
    }

    /// The newest that can be shown and the fault of a newer message. Each message is read once, whoever asks.
    pub fn look(
        &self,
        read_message: impl FnOnce(&HeldMessage) -> Result<Shown, Fault>,
    ) -> (Option<Shown>, Option<Fault>) {
        // Held while a message is read: of two who ask at once the second waits and finds it read.
        let mut read = lock(&self.read);
        if let Some(message) = self.message.load_full() {
            let received = message.received().station;
            if read.until.is_none_or(|until| until < received) {
                read.until = Some(received);
                match read_message(&message) {
                    Ok(shown) => (read.shown, read.fault) = (Some(shown), None),
                    Err(fault) => read.fault = Some(fault),
                }
            }
        }
        (read.shown.clone(), read.fault)
    }
}
