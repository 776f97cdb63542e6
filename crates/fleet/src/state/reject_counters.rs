//! Counts what arrived and could not be used; nothing is dropped silently.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Mutex;

use bridge::MessageError;
use robot::{RejectReason, RobotId};

use runtime::lock::lock;
use runtime::stamps::NotNew;

/// Different counters kept; beyond, the rest is counted together.
const COUNTERS_MAX: usize = 1_000;

/// Counters per robot, message and reason.
#[derive(Debug, Default)]
pub struct RejectCounters {
    counts: Mutex<BTreeMap<String, u64>>,
}

impl RejectCounters {
    /// A state sample whose content is not usable.
    pub fn note(&self, robot: &RobotId, what: &str, reason: RejectReason) {
        self.count(format!("{robot} {what} {reason:?}"));
    }

    /// A state sample that says nothing about now.
    pub(crate) fn note_old(&self, robot: &RobotId, what: &str, why: NotNew) {
        self.count(format!("{robot} {what} {why:?}"));
    }

    /// A state sample that the robot's key should have signed and has not.
    pub fn note_unsigned(&self, robot: &RobotId, key_expr: &str) {
        self.count(format!("{robot} {key_expr} Unsigned"));
    }

    /// State of a robot with a key that no context reads. True if people should be told of it again.
    pub fn note_unread(&self, robot: &RobotId, key_expr: &str, why: impl Debug) -> bool {
        self.count(format!("{robot} {key_expr} Unread {why:?}"))
    }

    /// A put on an expression that stands for more than one key. True if people should be told of it again.
    pub fn note_wildcard(&self) -> bool {
        self.count("put on a wildcard".to_owned())
    }

    /// A message on a key of the robot's gate that is not believed. True if people should be told of it again.
    pub fn note_misheard(&self, robot: &RobotId, error: MessageError) -> bool {
        self.count(format!("{robot} gate {error:?}"))
    }

    /// A message to the robot that no station it knows has signed. True if people should be told of it again.
    pub fn note_forged(&self, robot: &RobotId) -> bool {
        self.count(format!("{robot} forged"))
    }

    fn count(&self, name: String) -> bool {
        let mut counts = lock(&self.counts);
        let name = if counts.len() >= COUNTERS_MAX && !counts.contains_key(&name) { "other".into() } else { name };
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        // The first of a kind, then at each power of two: a 10 Hz fault does not fill the log.
        let told = count.is_power_of_two();
        if told {
            tracing::warn!(what = name, count = *count, "a message was rejected");
        }
        told
    }
}
