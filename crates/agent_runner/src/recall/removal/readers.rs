//! The readers of what forgetting changes: what none of them can read any more keeps its words.

use agent::{Entry, EntryLine};
use memory::forget::Readers;
use robot::MissionId;

use runtime::wire::Proposal;

/// Of everything that is kept in files and rows.
pub(crate) const READERS: Readers = Readers { line: is_line, proposal: is_proposal, mission: is_mission };

fn is_line(text: &str) -> bool {
    serde_json::from_str::<EntryLine>(text).is_ok_and(|line| Entry::try_from(line).is_ok())
}

fn is_proposal(text: &str) -> bool {
    serde_json::from_str::<Proposal>(text).is_ok()
}

/// Only the form of the text counts: the id is one that no mission depends on.
fn is_mission(text: &str) -> bool {
    MissionId::new("none-of-them").is_ok_and(|id| missions::MissionFile::read(id, text).is_ok())
}
