//! Reads the wanted fields of a sample: JSON, CBOR, text or a
//! message of ROS 2, with or without a `{header, body}` envelope.

mod cbor;
mod format;
mod json;
mod node;
mod seeds;
mod walk;
mod want;

use robot::{RejectReason, Sample, Scan, ScanPlan, Scanned};

use walk::{Walk, Workspace};
use want::Wants;

pub use format::PAYLOAD_BYTES_MAX;
pub(crate) use format::{document, looks_like_ros2};
pub(crate) use node::Node;

/// Reads the wanted fields of one sample after the other: the paths are worked out once, and the memory is used again.
#[derive(Debug)]
pub struct Scanner {
    wants: Wants,
    memory: Workspace,
}

impl Scanner {
    /// A reader for `plan`.
    #[must_use]
    pub fn new(plan: &ScanPlan) -> Self {
        Self { wants: Wants::new(plan), memory: Workspace::default() }
    }

    /// Fills the plan from `sample`. Never panics, recurses at most 64 deep, and for a sample like the one before
    /// allocates nothing.
    pub fn scan(&mut self, sample: &Sample) -> Result<&Scanned, RejectReason> {
        let mut walk = Walk::new(&self.wants, &mut self.memory);
        format::walk(sample, self.wants.plan.codec, &mut walk)?;
        self.memory.finish(&self.wants)
    }
}

/// The decoder of every codec, for one sample at a time.
#[derive(Debug, Clone, Copy, Default)]
pub struct Decoder;

impl Scan for Decoder {
    fn scan(&self, sample: &Sample, plan: &ScanPlan) -> Result<Scanned, RejectReason> {
        Scanner::new(plan).scan(sample).cloned()
    }
}

/// The document that paths start in: the body of a map of exactly `header` and `body`, whose header is a map.
pub(crate) fn unwrapped(raw: &Node) -> &Node {
    let Node::Map(entries) = raw else { return raw };
    if !entries.iter().all(|(key, _)| matches!(key.as_deref(), Some("header" | "body"))) {
        return raw;
    }
    match (raw.get("header"), raw.get("body")) {
        (Ok(Some(Node::Map(_))), Ok(Some(body))) => body,
        (Ok(_) | Err(_), _) => raw,
    }
}

#[cfg(test)]
mod tests;
