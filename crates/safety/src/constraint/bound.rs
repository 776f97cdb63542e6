//! The constraints of one actuator, laid out so that a judgement touches as little of a large set as it can.

use glam::DVec3;
use robot::{Actuator, ActuatorId, ActuatorKind};

use crate::constraint::rate;
use crate::judge::region_of;
use crate::space::frames::{Frame, Frames};
use crate::space::geometry::{Pieces, Region, Track};
use crate::space::grid::{Place, Places, Reach};
use crate::{ConstraintKind, Limits, PlaceLimit};

/// From this many zones and boxes on a grid finds those that a way comes near; below, looking at each is faster.
const GRID_FROM: usize = 256;

/// The constraints of one actuator, by their places in the set.
#[derive(Debug)]
pub(crate) struct Bound {
    /// The constraint type it cannot move without and has not.
    pub(crate) missing: Option<&'static str>,
    /// All of them, in order of id.
    pub(crate) all: Vec<u32>,
    /// Those that no grid holds.
    pub(crate) beside_grid: Vec<u32>,
    /// Forbidden zones, then keep-out boxes; apart, because the nearest of each kind is reported.
    grids: Vec<Places>,
}

impl Bound {
    pub(crate) fn new(limits: &Limits, actuator: &Actuator) -> Self {
        let (mut all, mut beside_grid) = (Vec::new(), Vec::new());
        let (mut zones, mut boxes) = (Vec::new(), Vec::new());
        for (constraint, place) in limits.constraints().iter().zip(0..) {
            if !constraint.binds(&actuator.id) {
                continue;
            }
            all.push(place);
            let kept = match constraint.kind.place() {
                Some(PlaceLimit::ForbiddenZone { .. }) => &mut zones,
                Some(PlaceLimit::KeepOutBox { .. }) => &mut boxes,
                Some(PlaceLimit::Workspace { .. }) | None => {
                    // A rate is counted before anything is judged.
                    beside_grid.extend(rate::of_kind(&constraint.kind).is_none().then_some(place));
                    continue;
                }
            };
            let (_, frame) = limits.constraint_at(place);
            kept.extend(region_of(limits, &constraint.kind).map(|region| Place { region, frame, constraint: place }));
        }
        let mut bound = Self { missing: missing(limits, actuator), all, beside_grid, grids: Vec::new() };
        // Fingers and switches have no way that could come near a zone, so a grid would only cost memory.
        if moves_through_space(actuator) && zones.len() + boxes.len() >= GRID_FROM {
            let kinds = [zones, boxes].into_iter().filter(|places| !places.is_empty());
            bound.grids = kinds.map(|places| Places::new(limits, places)).collect();
        } else {
            bound.drop_grid();
        }
        bound
    }

    pub(crate) fn drop_grid(&mut self) {
        self.grids.clear();
        self.beside_grid.clone_from(&self.all);
    }

    pub(crate) fn has_grid(&self) -> bool {
        !self.grids.is_empty()
    }

    /// Names every zone and box of the grids that `track` violates and, of each kind, the nearest that it does not.
    pub(crate) fn sweep(
        &self,
        frames: &Frames,
        track: &Track<'_>,
        frame: Frame,
        reach: Reach,
        found: &mut dyn FnMut(u32),
    ) {
        self.grids.iter().for_each(|places| places.sweep(frames, track, frame, reach, found));
    }
}

impl Limits {
    /// Zones and boxes of `actuator` that a straight way violates, with room to stop, counted with the nearest of each
    /// kind that it does not. In metres of the default frame; for measuring the check of a swept segment alone.
    #[doc(hidden)]
    #[must_use]
    pub fn sweep_segment(&self, actuator: &ActuatorId, from: [f64; 3], to: [f64; 3], stopping_m: f64) -> usize {
        let Some(bound) = self.bound(actuator) else { return 0 };
        let points = [to];
        let track = Track { start: DVec3::from_array(from), points: &points, pieces: Pieces::Straight };
        let (home, reach) = (self.frames.default_index(), Reach { ball_m: 0.0, stopping_m });
        let mut found = 0;
        if bound.has_grid() {
            bound.sweep(&self.frames, &track, home.into(), reach, &mut |_| found += 1);
            return found;
        }
        let mut nearest_m = [f64::INFINITY; 2];
        for (constraint, frame) in bound.all.iter().map(|place| self.constraint_at(*place)) {
            let Some(region) = region_of(self, &constraint.kind) else { continue };
            let kind = match region {
                Region::Within(_) => continue,
                Region::Outside { .. } => 0,
                Region::OutsideBox { .. } => 1,
            };
            let clearance = track.worst(region, |point| self.frames.convert(point, home, frame)).clearance;
            if reach.is_clear(region, clearance) {
                nearest_m[kind] = nearest_m[kind].min(clearance);
            } else {
                found += 1;
            }
        }
        found + nearest_m.iter().filter(|nearest_m| nearest_m.is_finite()).count()
    }
}

/// True if the actuator moves the point that poses are about.
pub(crate) fn moves_through_space(actuator: &Actuator) -> bool {
    match actuator.kind {
        ActuatorKind::Tool | ActuatorKind::Joints | ActuatorKind::Base => true,
        ActuatorKind::Gripper | ActuatorKind::Switch => false,
    }
}

/// The least that must bind an actuator before it may move.
fn missing(limits: &Limits, actuator: &Actuator) -> Option<&'static str> {
    let has = |type_name: &str| limits.binding(&actuator.id).any(|(found, _)| found.kind.type_name() == type_name);
    let limited = |joint: &robot::JointSpec| {
        limits
            .binding(&actuator.id)
            .any(|(found, _)| matches!(&found.kind, ConstraintKind::JointLimits(limits) if limits.joint == joint.name))
    };
    match actuator.kind {
        ActuatorKind::Tool | ActuatorKind::Base if !has("workspace") => Some("workspace"),
        ActuatorKind::Tool | ActuatorKind::Base if !has("max_velocity") => Some("max_velocity"),
        ActuatorKind::Gripper if !has("max_force") && !actuator.joints.iter().any(limited) => Some("max_force"),
        ActuatorKind::Joints if !actuator.joints.iter().all(limited) => Some("joint_limits"),
        ActuatorKind::Tool | ActuatorKind::Base | ActuatorKind::Gripper => None,
        ActuatorKind::Joints | ActuatorKind::Switch => None,
    }
}
