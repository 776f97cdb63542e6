//! The edges between missions, in the files and in the texts that are in force, each with how far its first mission is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use missions::MissionFile;
use missions::format::front::{Front, OnFailure};
use missions::graph::{Evaluation, Standing, WaitReason};
use robot::MissionId;

use crate::lives::Life;
use crate::view::graph::standing;
use crate::view::reasons::state_for;
use runtime::wire::{GraphEdge, GraphEdgeKind as Kind, GraphEdgeState as State, GraphEdgeText as Text, MissionState};

/// An edge without the texts in which it stands.
type Key = (MissionId, MissionId, Kind);

/// The missions of an agent as far as edges follow from them.
pub(crate) struct Site<'s> {
    /// The files that can be read.
    pub files: &'s BTreeMap<MissionId, Arc<MissionFile>>,
    /// Missions that somebody has activated or ended.
    pub lives: &'s BTreeMap<MissionId, Arc<Life>>,
    /// Every mission that there is.
    pub known: &'s BTreeSet<MissionId>,
    /// The missions that wait for others, and why.
    pub evaluation: &'s Evaluation,
}

impl Site<'_> {
    /// Every edge, by its missions.
    pub fn edges(&self) -> Vec<GraphEdge> {
        let mut texts: BTreeMap<Key, Text> = BTreeMap::new();
        for id in self.known {
            let draft = self.files.get(id).map(|file| edges_of(id, &file.parsed.front));
            let activated = self.lives.get(id).and_then(|life| life.version.as_ref());
            let activated = activated.map(|version| edges_of(id, &version.file.parsed.front));
            // Without a file, what is in force is all that there is.
            let drafted = draft.as_ref().or(activated.as_ref()).cloned().unwrap_or_default();
            let activated = activated.unwrap_or_default();
            for edge in &activated {
                texts.insert(edge.clone(), if drafted.contains(edge) { Text::Both } else { Text::Activated });
            }
            for edge in drafted.into_iter().filter(|edge| !activated.contains(edge)) {
                texts.insert(edge, Text::Draft);
            }
        }
        let waits: BTreeMap<_, _> =
            self.evaluation.waits.iter().map(|wait| ((&wait.mission, &wait.waits_for), wait.reason)).collect();
        let edge = |((from, to, kind), in_text): (Key, Text)| {
            let state = self.state(&from, &to, kind, in_text, waits.get(&(&to, &from)).copied());
            GraphEdge { from, to, kind, in_text, state }
        };
        texts.into_iter().map(edge).collect()
    }

    fn life(&self, id: &MissionId) -> Option<&Life> {
        self.lives.get(id).map(AsRef::as_ref)
    }

    fn state(&self, from: &MissionId, to: &MissionId, kind: Kind, text: Text, wait: Option<WaitReason>) -> State {
        if !self.known.contains(from) || !self.known.contains(to) {
            // An edge to a mission that does not exist can never be met by waiting.
            return State::Broken;
        }
        if kind == Kind::Spawn {
            return State::Met;
        }
        if let Some(reason) = wait {
            return if state_for(reason) == MissionState::Blocked { State::Broken } else { State::Open };
        }
        // One that has begun waits for nothing any more, and neither does one that waits for something else.
        let waits_no_more = matches!(standing(self.life(to)), Standing::Held | Standing::Begun | Standing::Running);
        if waits_no_more && text != Text::Draft { State::Met } else { reached(kind, standing(self.life(from))) }
    }
}

/// State of an edge whose second mission waits for nothing now, from where the first one stands.
const fn reached(kind: Kind, from: Standing) -> State {
    match (kind, from) {
        (Kind::DependsOn, Standing::Completed) | (Kind::Parent, Standing::Running) => State::Met,
        (Kind::DependsOn | Kind::Parent, Standing::Failed | Standing::Cancelled)
        | (Kind::Parent, Standing::Completed) => State::Broken,
        (_, _) => State::Open,
    }
}

fn edges_of(id: &MissionId, front: &Front) -> BTreeSet<Key> {
    let mut edges: BTreeSet<Key> =
        front.depends_on.iter().map(|first| (first.value.clone(), id.clone(), Kind::DependsOn)).collect();
    edges.extend(front.parent.iter().map(|parent| (parent.value.clone(), id.clone(), Kind::Parent)));
    if let OnFailure::Spawn(next) = &front.on_failure {
        edges.insert((id.clone(), next.clone(), Kind::Spawn));
    }
    edges
}
