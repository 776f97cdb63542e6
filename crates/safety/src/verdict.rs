//! The answer of a judgement, in the form in which it is stored, sent and shown.

use std::borrow::Cow;

use arrayvec::ArrayVec;
use robot::{Command, CommandId, ConstraintId, FrameId, Instant, JointName, MissionId, Reason};
use robot::{RobotId, VerdictId, path_points_max};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::constraint::set_hash::SetHash;
use crate::{Approved, sentence};

/// The most items a verdict carries; `explain` gives all of them.
pub(crate) const ITEMS_MAX: usize = 32;
/// The most violations among them; the rest of the room is for the tightest margin of each kind.
pub(crate) const VIOLATIONS_MAX: usize = 16;

/// The engine's decision about one command, with its reasons. Its wire form leaves out the approval.
#[derive(Debug, Serialize, Deserialize, JsonSchema, TS)]
#[must_use]
#[schemars(extend("x-vouched" = true))]
pub struct Verdict {
    /// Follows from command, snapshot and time, so that a replay gives the same.
    pub id: VerdictId,
    /// Station clock of the judgement.
    #[serde(rename = "at_mono_ms", with = "mono_ms")]
    #[schemars(with = "u64")]
    #[ts(type = "number")]
    pub at: Instant,
    /// The robot.
    pub robot: RobotId,
    /// The mission the command belongs to.
    pub mission: Option<MissionId>,
    /// The command.
    pub command: CommandId,
    /// The frame of every point below.
    pub frame: FrameId,
    /// The decision.
    pub overall: Overall,
    /// The worst 16 violations, then the tightest margin of each kind.
    #[schemars(with = "Vec<Item>")]
    #[ts(as = "Vec<Item>")]
    pub items: ArrayVec<Item, ITEMS_MAX>,
    /// Number of violations, shown or not.
    pub violations_total: u32,
    /// Version of the constraint set.
    #[ts(type = "number")]
    pub set_version: u64,
    /// Hash of the constraint set.
    pub set_hash: SetHash,
    /// The picture of the robot that was used.
    #[ts(type = "number")]
    pub snapshot_seq: u64,
    /// The speed at which the same motion would pass, if only its speed is wrong, metres per second.
    pub speed_allowed_mps: Option<f64>,
    /// Part of the way between start and goal that was checked.
    pub path_checked: PathChecked,
    #[serde(skip)]
    #[ts(skip)]
    pub(crate) approved: Option<Approved<Command>>,
}

/// The decision; two of the three stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Overall {
    /// Everything was shown to hold.
    Allow,
    /// Something was not.
    Deny,
    /// The engine could not decide.
    ValidatorError(Cause),
}

/// The reason that the engine could not decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// It panicked.
    Panicked,
    /// The station clock gave no time.
    ClockFailed,
    /// The constraint set could not be read.
    StoreUnavailable,
    /// Another thread panicked while it held a lock the judgement needs.
    LockPoisoned,
}

/// The result for one limit. A number that is absent or not finite is null on the wire.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(rename = "VerdictItem")]
pub struct Item {
    /// The constraint or manifest limit; none for a condition of the gate itself, such as being armed.
    pub constraint: Option<ConstraintId>,
    /// Kind of limit.
    pub kind: Kind,
    /// Decision for this limit alone.
    pub verdict: Overall,
    /// The limit, in `unit`.
    #[serde(with = "nullable")]
    #[schemars(with = "Option<f64>")]
    #[ts(type = "number | null")]
    pub limit: f64,
    /// The value that the command would lead to, in `unit`.
    #[serde(with = "nullable")]
    #[schemars(with = "Option<f64>")]
    #[ts(type = "number | null")]
    pub predicted: f64,
    /// Room that is left, in `unit`; below zero the limit is violated.
    #[serde(with = "nullable")]
    #[schemars(with = "Option<f64>")]
    #[ts(type = "number | null")]
    pub margin: f64,
    /// The unit of the three.
    pub unit: Unit,
    /// Distance along the path to the first violation, metres.
    pub at_path_m: Option<f64>,
    /// The worst point of the path, metres.
    pub point_m: Option<[f64; 3]>,
    /// The nearest point to it that this limit allows, metres.
    pub nearest_allowed_m: Option<[f64; 3]>,
    /// The code of the check, with its numbers.
    pub reason: ItemReason,
}

/// Kind of limit that an item is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "LimitKind")]
pub enum Kind {
    /// A condition that comes before all limits: armed, not stopped, in time, well-formed, with a fresh pose.
    Precondition,
    /// The manifest's bounds of plausible positions.
    Envelope,
    /// A longest step to a goal.
    GoalJump,
    /// The manifest's angular speed.
    AngularVelocity,
    /// A box to stay in.
    Workspace,
    /// A highest speed.
    MaxVelocity,
    /// A sphere to stay out of.
    ForbiddenZone,
    /// A highest force.
    MaxForce,
    /// A box to stay out of.
    KeepOutBox,
    /// The limits of a joint.
    JointLimits,
    /// A highest acceleration between two set-points.
    MaxAcceleration,
    /// A longest way to stop.
    StoppingDistance,
    /// A highest speed near other limits.
    ApproachSpeed,
    /// A highest rate of commands.
    CommandRate,
}

impl Kind {
    /// The unit of its numbers. The limits of a joint have that of the joint: their items are given it.
    pub(crate) const fn unit(self) -> Unit {
        match self {
            Self::Precondition => Unit::None,
            Self::Envelope | Self::GoalJump | Self::Workspace => Unit::M,
            Self::ForbiddenZone | Self::KeepOutBox | Self::StoppingDistance => Unit::M,
            Self::AngularVelocity => Unit::Radps,
            Self::MaxVelocity | Self::ApproachSpeed => Unit::Mps,
            Self::MaxForce => Unit::N,
            Self::JointLimits => Unit::Rad,
            Self::MaxAcceleration => Unit::Mps2,
            Self::CommandRate => Unit::Hz,
        }
    }

    /// Its bearing on the care that a request needs, and on the order of violations.
    pub(crate) const fn bearing(self) -> Bearing {
        match self {
            Self::Precondition | Self::Envelope => Bearing::Explains,
            Self::Workspace | Self::ForbiddenZone | Self::KeepOutBox => Bearing::Place,
            Self::MaxVelocity | Self::ApproachSpeed | Self::AngularVelocity => Bearing::Speed,
            Self::GoalJump | Self::MaxForce | Self::MaxAcceleration | Self::StoppingDistance => Bearing::Other,
            Self::CommandRate | Self::JointLimits => Bearing::Other,
        }
    }
}

/// The unit of an item's numbers; the suffixes of field names are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// No numbers.
    None,
    /// Metres.
    M,
    /// Metres per second.
    Mps,
    /// Radians.
    Rad,
    /// Radians per second.
    Radps,
    /// Newtons.
    N,
    /// Metres per second squared.
    Mps2,
    /// Times per second.
    Hz,
}

/// Bearing of a kind of limit on more than its own check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bearing {
    /// Its violation explains all others, and comes before them.
    Explains,
    /// Its margin is room to a place.
    Place,
    /// Its share is one of a speed.
    Speed,
    /// None.
    Other,
}

/// Part of the way between start and goal that was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum PathChecked {
    /// Nothing moves through space.
    Point,
    /// The straight way.
    Segment,
    /// Every straight piece of the way.
    Polyline,
    /// Everywhere the tool can get to while its joints move.
    Ball,
    /// The goal: the robot plans its own way there.
    GoalOnly,
}

/// A frozen code with what its sentence needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ItemReason {
    /// The code.
    pub code: Reason,
    /// Its arguments.
    pub args: ReasonArgs,
}

/// The arguments of a reason; each code uses a few.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(default)]
pub struct ReasonArgs {
    /// Path of the failing field of the command.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub field: Option<String>,
    /// Description of what was expected or is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(with = "Option<String>")]
    #[ts(type = "string")]
    pub expected: Option<Cow<'static, str>>,
    /// The axis of a box.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub axis: Option<Axis>,
    /// Index of the path's point, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub point_index: Option<u32>,
    /// Age of the pose or the command, milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub age_ms: Option<u64>,
    /// Maximum age, milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub age_ms_max: Option<u64>,
    /// Body, localisation error and margin together, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub inflation_m: Option<f64>,
    /// The speed the stopping distance was computed for, metres per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub speed_mps: Option<f64>,
    /// The speed this limit would allow, metres per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub speed_allowed_mps: Option<f64>,
    /// Holder of control of the robot, or of the lease on the commanded part.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub owner: Option<String>,
    /// The longest step of the tool that can be shown to be safe, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub step_m_max: Option<f64>,
    /// The joint.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub joint: Option<JointName>,
    /// The frame that cannot be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub frame: Option<FrameId>,
}

/// An axis of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "one variant per axis")]
pub enum Axis {
    X,
    Y,
    Z,
}

/// A verdict that is no approval.
#[derive(Debug, thiserror::Error)]
#[error("{}", .verdict.sentence())]
pub struct Refusal {
    /// The whole verdict.
    pub verdict: Box<Verdict>,
}

impl Item {
    /// A violated condition that has no numbers of its own.
    pub(crate) fn precondition(code: Reason, args: ReasonArgs) -> Self {
        Self {
            constraint: None,
            kind: Kind::Precondition,
            verdict: Overall::Deny,
            limit: f64::NAN,
            predicted: f64::NAN,
            margin: f64::NAN,
            unit: Unit::None,
            at_path_m: None,
            point_m: None,
            nearest_allowed_m: None,
            reason: ItemReason { code, args },
        }
    }

    /// True unless the item was shown to hold.
    #[must_use]
    pub fn is_violated(&self) -> bool {
        self.verdict != Overall::Allow
    }
}

impl Verdict {
    /// The same verdict, denied for one more reason. There is no way back.
    pub fn refuse(mut self, code: Reason, args: ReasonArgs) -> Self {
        // The approval goes first: a verdict that is denied for any reason must not be spendable.
        self.approved = None;
        // Going slower does not help against the new reason, so the suggestion would be wrong.
        self.speed_allowed_mps = None;
        if self.overall == Overall::Allow {
            self.overall = Overall::Deny;
        }
        self.violations_total = self.violations_total.saturating_add(1);
        // Makes room: inserting into a full `ArrayVec` panics. Violations come first, so a held limit goes.
        self.items.truncate(ITEMS_MAX - 1);
        self.items.insert(0, Item::precondition(code, args));
        self
    }

    /// The same decision taken back, because what it rests on cannot be relied on. There is no way back.
    pub fn not_judged(mut self, cause: Cause) -> Self {
        self = self.refuse(Reason::NotProvable, ReasonArgs::default());
        self.overall = Overall::ValidatorError(cause);
        if let Some(first) = self.items.first_mut() {
            first.verdict = self.overall;
        }
        self
    }

    /// The approval, or the verdict back if it is none.
    pub fn into_approved(mut self) -> Result<Approved<Command>, Refusal> {
        self.take_approved().ok_or_else(|| Refusal { verdict: Box::new(self) })
    }

    /// The approval, once; the verdict stays behind as the record of the decision.
    pub fn take_approved(&mut self) -> Option<Approved<Command>> {
        // Taken in every case, so that a later change of `overall` cannot bring the approval back.
        let approved = self.approved.take();
        match self.overall {
            Overall::Allow => approved,
            Overall::Deny | Overall::ValidatorError(_) => None,
        }
    }

    /// The whole decision in plain English, with numbers and units.
    #[must_use]
    pub fn sentence(&self) -> String {
        sentence::of_verdict(self)
    }
}

mod mono_ms {
    //! An `Instant` as whole milliseconds of the station clock.

    use robot::Instant;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(at: &Instant, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(at.mono_ms())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Instant, D::Error> {
        u64::deserialize(deserializer).map(Instant::from_millis)
    }
}

mod nullable {
    //! A number whose not-finite values are null.

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        number.is_finite().then_some(*number).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
    }
}

// A point's index is shown as 32 bits.
const _: () = assert!(path_points_max() <= u32::MAX as usize);

#[cfg(test)]
mod tests;
