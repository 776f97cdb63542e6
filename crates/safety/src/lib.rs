//! Judges a command against limits and state; the only place that makes an Approved command; pure and total.
//!
//! The order of the work: [`parse_params`] makes constraints, [`Limits::compile`] makes one set of them,
//! [`judge`] makes a [`Verdict`], [`Verdict::into_approved`] makes an [`Approved`] command, [`Fence::pass`] spends it.
//! While a robot moves, [`monitor`] looks at every sample, and [`machine`] keeps the state that lets motion pass.
//! [`arbitration`] says whose motion passes, and [`leases`] that one owner at a time moves a part.
//! A request by a machine waits for a person: [`tier`] says how much care it needs, [`Binding`] ties the answer to
//! what was judged, [`Envelope`] bounds a standing approval.

mod approved;
pub mod arbitration;
mod arming;
mod arrival;
mod binding;
mod bound;
mod code;
mod commissioning;
mod direction;
mod easing;
mod envelope;
pub mod fallback;
mod fence;
mod frames;
mod fresh;
mod geometry;
mod grid;
mod joints;
mod judge;
pub mod leases;
mod limits;
pub mod machine;
pub mod monitor;
mod params;
mod predicted;
mod rate;
mod rounding;
mod sentence;
mod set_hash;
mod slots;
mod sources;
mod speeds;
mod state;
pub mod tier;
mod verdict;

pub use approved::{Approvable, Approved, Stop};
pub use arming::{ArmingProblem, EscapeProgress};
pub use arrival::{Approach, OffGoal, Unconfirmed};
pub use binding::{Binding, Precondition, Present};
pub use code::SafetyCode;
pub use commissioning::Commissioning;
pub use direction::ChangeDirection;
pub use easing::Wish;
pub use envelope::{Envelope, EnvelopeBox, EnvelopeError};
pub use fence::{Fence, RefusedAtSend};
pub use fresh::{Fresh, Measured, NotFresh};
pub use joints::JointLimits;
pub use judge::{explain, goal_violations, judge};
pub use limits::{CompileError, JudgeNumbers, Limits};
pub use params::{Constraint, ConstraintKind, ParamsError, parse_params};
pub use predicted::Predicted;
pub use rate::{CommandRate, RateMeter};
pub use sentence::sentence;
pub use set_hash::SetHash;
pub use slots::Slots;
pub use sources::{Silent, SourceTimes};
pub use speeds::{GATE_AGE_MS_MAX, Speeds, Velocities};
pub use state::{JointPositions, MovingTransform, Pose, RobotState, SetPoint};
pub use verdict::{Axis, Cause, Item, ItemReason, Kind, Overall, PathChecked, ReasonArgs, Refusal, Unit, Verdict};

#[cfg(test)]
mod fixtures;
