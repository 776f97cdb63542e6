//! Judges a command against limits and state; the only place that makes an Approved command; pure and total.
//!
//! The order of the work: [`parse_params`] makes constraints, [`Limits::compile`] makes one set of them,
//! [`judge`] makes a [`Verdict`], [`Verdict::into_approved`] makes an [`Approved`] command, [`Fence::pass`] spends it.
//! While a robot moves, [`monitor`] looks at every sample, and [`machine`] keeps the state that lets motion pass.
//! [`arbitration`] says whose motion passes, and [`leases`] that one owner at a time moves a part.
//! A request by a machine waits for a person: [`tier`] says how much care it needs, [`Binding`] ties the answer to
//! what was judged, [`Envelope`] bounds a standing approval.

pub mod approval;
mod approved;
pub mod arbitration;
mod arming;
mod arrival;
mod code;
mod commissioning;
mod constraint;
mod easing;
pub mod fallback;
mod fence;
mod judge;
pub mod leases;
pub mod machine;
mod measured;
pub mod monitor;
mod sentence;
mod slots;
mod space;
mod verdict;

pub use approval::binding::{Binding, Precondition, Present};
pub use approval::envelope::{Envelope, EnvelopeBox, EnvelopeError};
pub use approved::{Approvable, Approved, Stop};
pub use arming::{ArmingProblem, EscapeProgress};
pub use arrival::{Approach, OffGoal, Unconfirmed};
pub use code::SafetyCode;
pub use commissioning::Commissioning;
pub use constraint::direction::ChangeDirection;
pub use constraint::joints::JointLimits;
pub use constraint::limits::{CompileError, JudgeNumbers, Limits};
pub use constraint::params::{Constraint, ConstraintKind, ParamsError, PlaceLimit, parse_params};
pub use constraint::rate::{CommandRate, RateMeter};
pub use constraint::set_hash::SetHash;
pub use easing::Wish;
pub use fence::{Fence, RefusedAtSend};
pub use judge::{Rejected, explain, goal_violations, judge};
pub use measured::fresh::{Fresh, Measured, NotFresh};
pub use measured::predicted::Predicted;
pub use measured::sources::{Silent, SourceTimes};
pub use measured::speeds::{GATE_AGE_MS_MAX, Speeds, Velocities};
pub use measured::state::{JointPositions, MovingTransform, Pose, RobotState, SetPoint};
pub use sentence::sentence;
pub use slots::Slots;
pub use verdict::{Axis, Cause, Item, ItemReason, Kind, Overall, PathChecked, ReasonArgs, Refusal, Unit, Verdict};

#[cfg(test)]
mod fixtures;
