//! The sources of a robot's state that its manifest declares: which of them are silent or stale. Whoever declares a
//! source relies on it, so none of them may be missing when something moves.

use robot::{Instant, Manifest, StateKind, StateSource};
use serde::{Deserialize, Serialize};

use crate::machine::SafetyCause;
use crate::sentence::age_in_words;
use crate::{Fresh, Measured, NotFresh};

/// When each declared source last said something that was true then, by its place in the manifest. The default has
/// heard none.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SourceTimes(Vec<Fresh<()>>);

/// A declared source that was never heard, or whose last sample is too old.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Silent<'a> {
    /// The source.
    pub source: &'a StateSource,
    /// The reason why it cannot be used.
    pub problem: NotFresh,
    /// It is the source of the pose that commands are judged by.
    pub is_first_pose: bool,
}

impl SourceTimes {
    /// Every source of `manifest` as of `now`: for a robot's own gate, which reads its sensors and no topics. Each
    /// value that it gives is still read with its own time.
    #[must_use]
    pub fn at_hand(manifest: &Manifest, now: Instant) -> Self {
        Self(manifest.state.iter().map(|_| Fresh::at((), now)).collect())
    }

    /// The sources of `manifest` that are silent or stale at `now`.
    pub fn silent<'a>(&'a self, manifest: &'a Manifest, now: Instant) -> impl Iterator<Item = Silent<'a>> + use<'a> {
        let mut poses = 0;
        manifest.state.iter().enumerate().filter_map(move |(place, source)| {
            poses += u32::from(source.kind == StateKind::Pose);
            let is_first_pose = source.kind == StateKind::Pose && poses == 1;
            let problem = self.problem(place, source.max_age_ms, now)?;
            Some(Silent { source, problem, is_first_pose })
        })
    }

    /// Notes that the source in that place of the manifest said what was true at `observed`.
    pub fn note(&mut self, place: usize, observed: Instant) {
        if self.0.len() <= place {
            // Bounded by the manifest: `place` is an index into its list of sources.
            self.0.resize(place + 1, Fresh::NEVER);
        }
        self.0[place].renew(Measured { value: (), observed });
    }

    /// The reason why the source in that place cannot be used at `now`; `None` if it can.
    fn problem(&self, place: usize, age_ms_max: u64, now: Instant) -> Option<NotFresh> {
        // A place beyond the list was never noted, which counts as silent.
        self.0.get(place).map_or(Some(NotFresh::Never), |heard| heard.get(now, age_ms_max).err())
    }
}

impl Silent<'_> {
    /// The cause of the robot's state that it is.
    #[must_use]
    pub const fn cause(&self) -> SafetyCause {
        match self.source.kind {
            StateKind::Pose if self.is_first_pose => SafetyCause::PoseStale,
            StateKind::Frame => SafetyCause::TransformStale,
            StateKind::Pose | StateKind::Velocity | StateKind::Joints | StateKind::Force => SafetyCause::SourceStale,
        }
    }
}

impl std::fmt::Display for Silent<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (what, key) = (name_of(self.source.kind), &self.source.key);
        match self.problem {
            NotFresh::Never => write!(f, "the {what} on {key} has not been heard yet"),
            NotFresh::Aged { age_ms, age_ms_max } => {
                let (age, most) = (age_in_words(age_ms), age_in_words(age_ms_max));
                write!(f, "the {what} on {key} is {age} old, and may be {most} old at most")
            }
        }
    }
}

/// Maximum age of the pose of a robot, milliseconds. One without a pose source never has a fresh one.
pub(crate) fn pose_age_ms_max(manifest: &Manifest) -> u64 {
    manifest.state_source(StateKind::Pose).map_or(0, |source| source.max_age_ms)
}

/// The name of a source in sentences.
const fn name_of(kind: StateKind) -> &'static str {
    match kind {
        StateKind::Pose => "pose",
        StateKind::Velocity => "velocity",
        StateKind::Joints => "joint positions",
        StateKind::Force => "force",
        StateKind::Frame => "moving transform",
    }
}

#[cfg(test)]
mod tests;
