//! The compiled constraint set of one robot: everything a judgement needs that does not change with time.

use std::time::Duration;

use robot::{Actuator, ActuatorId, ConstraintId, FrameId, IdError, Manifest, RobotId};
use sha2::{Digest, Sha256};

use crate::constraint::bound::Bound;
use crate::constraint::joints::JointLimits;
use crate::constraint::params::{Constraint, ConstraintKind, ParamsError, params_error};
use crate::constraint::rate::{self, CommandRate};
use crate::constraint::set_hash::SetHash;
use crate::space::frames::{FrameIndex, Frames};
use crate::space::rounding::sum_up;

/// The most constraints one robot may have.
pub(crate) const CONSTRAINTS_MAX: usize = 10_000;
/// Added around spheres so that rounding denies, metres.
pub(crate) const ROUNDING_M: f64 = 1e-9;

/// A compiled constraint set; never changes.
#[derive(Debug)]
pub struct Limits {
    version: u64,
    hash: SetHash,
    /// In order of id, so that the order of registration is irrelevant.
    constraints: Vec<Constraint>,
    /// The frame of each constraint's numbers.
    frame_of: Vec<FrameIndex>,
    /// The constraints of each actuator, in the manifest's order.
    bounds: Vec<Bound>,
    pub(crate) frames: Frames,
    pub(crate) manifest: Manifest,
    pub(crate) ids: ManifestIds,
    pub(crate) numbers: JudgeNumbers,
    /// A test's way to make the kernel panic.
    #[cfg(test)]
    pub(crate) panics: bool,
}

/// Numbers of judging and watching that a site may choose. They are no part of the set: a verdict's items, and with
/// them replays, do not depend on them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JudgeNumbers {
    /// Time for which an approval may wait for the sender.
    pub approved_for: Duration,
    /// A pose that stays the same for this long while a speed is commanded comes from a frozen sensor.
    pub frozen_after: Duration,
    /// The rate of every actuator, whatever is registered.
    pub rate: CommandRate,
}

impl Default for JudgeNumbers {
    /// In half a second a robot at 1 m/s has moved half a metre.
    fn default() -> Self {
        Self {
            approved_for: Duration::from_millis(500),
            frozen_after: Duration::from_secs(1),
            rate: CommandRate::default(),
        }
    }
}

/// Ids of the manifest limits that are no constraints.
#[derive(Debug)]
pub(crate) struct ManifestIds {
    pub(crate) envelope: ConstraintId,
    pub(crate) angular: ConstraintId,
    pub(crate) escape: ConstraintId,
}

/// The reason that a set cannot be compiled; names the constraint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// Its frame is not connected to the robot.
    #[error(
        "constraint {constraint}: frame {frame} is not connected to the robot's default frame by static transforms"
    )]
    UnknownFrame {
        /// The constraint.
        constraint: ConstraintId,
        /// Its frame.
        frame: FrameId,
    },
    /// The robot has no such actuator.
    #[error("constraint {constraint}: robot {robot} has no actuator {actuator}")]
    UnknownActuator {
        /// The constraint.
        constraint: ConstraintId,
        /// The robot.
        robot: RobotId,
        /// The actuator it names.
        actuator: ActuatorId,
    },
    /// It binds another robot.
    #[error("constraint {constraint} binds robot {named}, not {robot}")]
    OtherRobot {
        /// The constraint.
        constraint: ConstraintId,
        /// The robot it names.
        named: RobotId,
        /// The robot the set is compiled for.
        robot: RobotId,
    },
    /// Its numbers are out of range.
    #[error("constraint {constraint}: {source}")]
    Params {
        /// The constraint.
        constraint: ConstraintId,
        /// The failing number.
        source: ParamsError,
    },
    /// Two constraints have one id.
    #[error("constraint {constraint} occurs twice")]
    Duplicate {
        /// The id.
        constraint: ConstraintId,
    },
    /// The set is too large.
    #[error("robot {robot} would have {count} constraints, at most {CONSTRAINTS_MAX} are allowed")]
    TooMany {
        /// The robot.
        robot: RobotId,
        /// The number of constraints.
        count: usize,
    },
    /// A manifest limit got no id.
    #[error("a manifest limit has no id")]
    Id(#[from] IdError),
    /// The set has no canonical JSON.
    #[error("the constraint set has no canonical JSON: {message}")]
    Canonical {
        /// Message of the JSON writer.
        message: String,
    },
}

impl Limits {
    /// Compiles the manifest's limits and `constraints` into one set; a command must satisfy all of them. Errors name
    /// the constraint at fault.
    pub fn compile(manifest: &Manifest, constraints: &[Constraint], version: u64) -> Result<Self, CompileError> {
        let mut set = manifest_constraints(manifest)?;
        set.extend_from_slice(constraints);
        if set.len() > CONSTRAINTS_MAX {
            return Err(CompileError::TooMany { robot: manifest.id.clone(), count: set.len() });
        }
        // Before hashing and judging, so that neither depends on the order of registration.
        set.sort_by(|a, b| a.id.cmp(&b.id));
        // Two of one id, one of them perhaps named like a limit of the manifest, look the same in a verdict.
        if let Some(pair) = set.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(CompileError::Duplicate { constraint: pair[0].id.clone() });
        }
        let frames = Frames::new(manifest);
        let frame_of = set.iter().map(|constraint| resolve(constraint, manifest, &frames)).collect::<Result<_, _>>()?;
        let mut limits = Self {
            version,
            hash: hash(&set)?,
            constraints: set,
            frame_of,
            bounds: Vec::new(),
            frames,
            manifest: manifest.clone(),
            ids: ManifestIds {
                envelope: ConstraintId::new("manifest-envelope")?,
                angular: ConstraintId::new("manifest-angular_speed")?,
                escape: ConstraintId::new("escape-speed")?,
            },
            numbers: JudgeNumbers::default(),
            #[cfg(test)]
            panics: false,
        };
        // Last: a bound looks up constraints and frames in the set that it belongs to.
        limits.bounds = manifest.actuators.iter().map(|actuator| Bound::new(&limits, actuator)).collect();
        Ok(limits)
    }

    /// The errors of those `constraints` that cannot be part of a set of this robot, in their order; each names its
    /// constraint.
    #[must_use]
    pub fn errors_of(manifest: &Manifest, constraints: &[Constraint]) -> Vec<CompileError> {
        let frames = Frames::new(manifest);
        constraints.iter().filter_map(|constraint| resolve(constraint, manifest, &frames).err()).collect()
    }

    /// The same set, judged by what a site has chosen.
    #[must_use]
    pub fn with_numbers(self, numbers: JudgeNumbers) -> Self {
        Self { numbers, ..self }
    }

    /// The same set without a grid: what the grid is compared with.
    #[doc(hidden)]
    #[must_use]
    pub fn without_grid(mut self) -> Self {
        self.bounds.iter_mut().for_each(Bound::drop_grid);
        self
    }

    /// The set's version, per robot, never used twice.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The set's hash; equal sets have equal hashes whatever their versions and order.
    #[must_use]
    pub fn hash(&self) -> SetHash {
        self.hash
    }

    /// All constraints in order of id, those of the manifest (`manifest-…`) included.
    #[must_use]
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// The frame of constraints and commands that name none.
    pub(crate) fn default_frame(&self) -> &FrameId {
        self.frames.default_id()
    }

    /// The constraints that bind `actuator`, each with the frame of its numbers.
    pub(crate) fn binding<'a>(
        &'a self,
        actuator: &'a ActuatorId,
    ) -> impl Iterator<Item = (&'a Constraint, FrameIndex)> + 'a {
        let all = self.constraints.iter().zip(self.frame_of.iter().copied());
        all.filter(move |(constraint, _)| constraint.binds(actuator))
    }

    pub(crate) fn actuator(&self, id: &ActuatorId) -> Option<&Actuator> {
        self.manifest.actuators.iter().find(|actuator| &actuator.id == id)
    }

    /// Body, localisation error and margin: what every box is shrunk and every sphere inflated by, metres.
    pub(crate) fn inflation_m(&self) -> f64 {
        let body = &self.manifest.body;
        sum_up(sum_up(body.bounding_radius_m, body.localisation_error_m), body.margin_m)
    }

    /// The constraint type `actuator` cannot move without and this set lacks.
    pub(crate) fn missing(&self, actuator: &Actuator) -> Option<&'static str> {
        self.bound(&actuator.id).and_then(|bound| bound.missing)
    }

    /// The constraints of an actuator of the robot.
    pub(crate) fn bound(&self, id: &ActuatorId) -> Option<&Bound> {
        let place = self.manifest.actuators.iter().position(|actuator| &actuator.id == id)?;
        self.bounds.get(place)
    }

    /// The constraint in that place of the set, and the frame of its numbers.
    pub(crate) fn constraint_at(&self, place: u32) -> (&Constraint, FrameIndex) {
        let place = place as usize;
        (&self.constraints[place], self.frame_of[place])
    }
}

impl CompileError {
    /// The constraint at fault; none if it is the set as a whole.
    #[must_use]
    pub const fn constraint(&self) -> Option<&ConstraintId> {
        match self {
            Self::UnknownFrame { constraint, .. } | Self::UnknownActuator { constraint, .. } => Some(constraint),
            Self::OtherRobot { constraint, .. } | Self::Params { constraint, .. } => Some(constraint),
            Self::Duplicate { constraint } => Some(constraint),
            Self::TooMany { .. } | Self::Id(_) | Self::Canonical { .. } => None,
        }
    }
}

/// Checks a constraint against the robot and finds its frame.
fn resolve(constraint: &Constraint, manifest: &Manifest, frames: &Frames) -> Result<FrameIndex, CompileError> {
    let id = || constraint.id.clone();
    constraint.kind.check().map_err(|source| CompileError::Params { constraint: id(), source })?;
    if let Some(named) = constraint.robot.as_ref().filter(|named| **named != manifest.id) {
        let robot = manifest.id.clone();
        return Err(CompileError::OtherRobot { constraint: id(), named: named.clone(), robot });
    }
    let metered = rate::of_kind(&constraint.kind).map(|(actuator, _)| actuator);
    let known = |bound: &ActuatorId| manifest.actuators.iter().any(|actuator| &actuator.id == bound);
    if let Some(actuator) = constraint.actuator.iter().chain(metered).find(|bound| !known(bound)) {
        let robot = manifest.id.clone();
        return Err(CompileError::UnknownActuator { constraint: id(), robot, actuator: actuator.clone() });
    }
    if let (Some(metered), Some(bound)) = (metered, &constraint.actuator)
        && metered != bound
    {
        let source = params_error(".actuator", format!("must be {bound}, the actuator the constraint binds"));
        return Err(CompileError::Params { constraint: id(), source });
    }
    if let ConstraintKind::JointLimits(limits) = &constraint.kind {
        check_joint(limits, constraint, manifest)
            .map_err(|source| CompileError::Params { constraint: id(), source })?;
    }
    match &constraint.frame {
        None => Ok(frames.default_index()),
        // A moving frame is refused: a limit whose place depends on messages could be moved out of the way.
        Some(frame) => {
            frames.index_of(frame).ok_or_else(|| CompileError::UnknownFrame { constraint: id(), frame: frame.clone() })
        }
    }
}

/// Checks that the robot has the joint, the actuator the constraint binds has it, and it can do as much.
fn check_joint(limits: &JointLimits, constraint: &Constraint, manifest: &Manifest) -> Result<(), ParamsError> {
    let joints = manifest.actuators.iter().filter(|actuator| constraint.binds(&actuator.id));
    let joints: Vec<_> = joints.flat_map(|actuator| &actuator.joints).collect();
    let Some(spec) = joints.iter().find(|spec| spec.name == limits.joint) else {
        let known: Vec<_> = joints.iter().map(|spec| spec.name.as_str()).collect();
        let known = if known.is_empty() { "there is none".to_owned() } else { format!("one of: {}", known.join(", ")) };
        return Err(params_error(".joint", format!("must be a joint of the robot; {known}")));
    };
    limits.problem_for(spec).map_or(Ok(()), Err)
}

/// The limits of the manifest that are constraints.
fn manifest_constraints(manifest: &Manifest) -> Result<Vec<Constraint>, IdError> {
    let limits = &manifest.limits;
    let workspace = limits.workspace.as_ref();
    let kinds = [
        ("manifest-speed", Some(ConstraintKind::MaxVelocity(limits.speed_mps_max))),
        ("manifest-acceleration", Some(ConstraintKind::MaxAcceleration(limits.acceleration_mps2_max))),
        ("manifest-goal_jump", Some(ConstraintKind::GoalJump(limits.goal_jump_m_max))),
        ("manifest-force", limits.force_n_max.map(ConstraintKind::MaxForce)),
        (
            "manifest-workspace",
            workspace.map(|bounds| ConstraintKind::Workspace { x: bounds.x, y: bounds.y, z: bounds.z }),
        ),
    ];
    let present = kinds.into_iter().filter_map(|(id, kind)| Some((id.to_owned(), kind?)));
    let joints = manifest.actuators.iter().flat_map(|actuator| &actuator.joints);
    let joints = joints.map(|spec| {
        (format!("manifest-joint_{}", spec.name), ConstraintKind::JointLimits(JointLimits::of_manifest(spec)))
    });
    present
        .chain(joints)
        .map(|(id, kind)| {
            Ok(Constraint {
                id: ConstraintId::new(id)?,
                robot: Some(manifest.id.clone()),
                mission: None,
                actuator: None,
                frame: None,
                kind,
                created_by: "manifest".into(),
                reason: None,
            })
        })
        .collect()
}

fn hash(set: &[Constraint]) -> Result<SetHash, CompileError> {
    // Canonical JSON, so that the hash does not depend on the order of keys or the spelling of numbers.
    let json = serde_json_canonicalizer::to_vec(&set);
    let json = json.map_err(|error| CompileError::Canonical { message: error.to_string() })?;
    Ok(SetHash(Sha256::digest(json).into()))
}

#[cfg(test)]
mod tests;
