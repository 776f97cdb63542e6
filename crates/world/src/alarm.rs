//! Alarms: what needs a person's response, in which order, and what the response is (after ISA-18.2 and IEC 62682).
//!
//! [`AlarmState::step`] is the table of states, [`AlarmList`] keeps every alarm of a station, of rules and built-in
//! ones alike. Missing data moves no alarm: only fresh data and people do.

mod built_in;
mod figures;
mod flood;
mod list;
mod people;
mod record;
mod restore;
mod row;
mod state;
mod terms;

use robot::RobotId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use built_in::{BuiltIn, Of};
pub use figures::{AlarmFigures, AlarmPoint, PrioritySplit, WorstSource, figures};
pub use flood::FloodRow;
pub use list::{AlarmList, AlarmNotice, Report};
pub use people::{ActRefused, PersonAct, Planned};
pub use record::{Alarm, AlarmEvent, AlarmEventKind, Definition, OutOfService, Shelved};
pub use restore::StoredAlarm;
pub use row::{AlarmCounts, AlarmFlags, AlarmPreset, AlarmRow, Group};
pub use state::{AlarmState, AlarmStep, StepRefused};
pub use terms::{AlarmConfig, AlarmTerms, Consequence, Priority, TermsError};

/// An alarm's id, `am-<uuid>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(transparent)]
#[ts(type = "string")]
pub struct AlarmId(pub String);

/// Origin of an alarm: a mission's predicate of an agent, or a built-in alarm's code with its subject. It outlives the
/// rule, so that a rule that is registered anew goes on with the alarm it had.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AlarmSource(pub String);

impl AlarmSource {
    /// The alarm that says that the link of `robot` is lost.
    fn link_lost(robot: &RobotId) -> Self {
        Of::robot(robot).source(BuiltIn::RobotLinkLost)
    }
}

#[cfg(test)]
mod tests;
