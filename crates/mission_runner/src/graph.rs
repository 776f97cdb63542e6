//! The missions of an agent among one another: what may start now, and what a mission is made of.

use std::collections::BTreeMap;

use missions::MissionFile;
use missions::graph::{Evaluation, GraphNode, Standing, evaluate};
use missions::lifecycle::{Phase, Status};
use robot::MissionId;

use crate::lives::Life;
use crate::runner::AgentMissions;

/// The missions that are parts of one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Parts {
    pub count: usize,
    pub completed: usize,
}

/// The missions of an agent, each by the text that was activated, else by its file as it was last read.
pub(crate) struct Family {
    nodes: BTreeMap<MissionId, GraphNode>,
    parts: BTreeMap<MissionId, Parts>,
}

impl Family {
    pub fn of(agent: &AgentMissions) -> Self {
        let (files, unread, lives) = (agent.files.known(), agent.files.unread(), agent.lives.all());
        let mut texts: BTreeMap<&MissionId, (Option<&MissionFile>, Standing)> =
            files.iter().map(|(id, file)| (id, (Some(file.as_ref()), Standing::Draft))).collect();
        // What is still being written is no mission that is missing.
        texts.extend(unread.iter().map(|id| (id, (None, Standing::Draft))));
        for (id, life) in &lives {
            let draft = files.get(id).map(AsRef::as_ref);
            let text = life.version.as_ref().map(|version| &version.file).or(draft);
            texts.insert(id, (text, standing(Some(life))));
        }
        let mut parts: BTreeMap<MissionId, Parts> = BTreeMap::new();
        for (text, standing) in texts.values() {
            let Some(parent) = text.and_then(|text| text.parsed.front.parent.as_ref()) else { continue };
            let parts = parts.entry(parent.value.clone()).or_default();
            parts.count += 1;
            parts.completed += usize::from(*standing == Standing::Completed);
        }
        let node = |(id, (text, standing)): (&MissionId, (Option<&MissionFile>, Standing))| {
            let front = text.map(|text| &text.parsed.front);
            let count = parts.get(id).map_or(0, |parts| parts.count);
            let node = GraphNode {
                standing,
                depends_on: text.map(|text| text.depends_on.clone()).unwrap_or_default(),
                parent: front.and_then(|front| front.parent.as_ref()).map(|parent| parent.value.clone()),
                goes_on: front.is_some_and(|front| front.goes_on(count)),
            };
            (id.clone(), node)
        };
        let nodes = texts.into_iter().map(node).collect();
        Self { nodes, parts }
    }

    pub fn evaluate(&self) -> Evaluation {
        evaluate(&self.nodes)
    }

    /// Missions that become ready once `id` is completed, by id.
    pub fn freed_by(mut self, id: &MissionId) -> Vec<MissionId> {
        let before = self.evaluate().ready;
        if let Some(node) = self.nodes.get_mut(id) {
            node.standing = Standing::Completed;
        }
        self.evaluate().ready.into_iter().filter(|ready| !before.contains(ready)).collect()
    }

    pub fn parts(&self, id: &MissionId) -> Parts {
        self.parts.get(id).copied().unwrap_or_default()
    }
}

/// The present condition of a mission, as far as others wait for it.
pub(crate) fn standing(life: Option<&Life>) -> Standing {
    let Some(life) = life else { return Standing::Draft };
    match (life.state.status, life.state.phase) {
        (Status::Active, Phase::Held | Phase::Checking) => Standing::Held,
        (Status::Active, Phase::Live) => Standing::Begun,
        (Status::Active, Phase::Running) => Standing::Running,
        (Status::Paused, _) => Standing::Paused,
        (Status::Completed, _) => Standing::Completed,
        (Status::Failed, _) => Standing::Failed,
        (Status::Cancelled, _) => Standing::Cancelled,
    }
}
