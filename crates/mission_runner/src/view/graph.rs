//! The missions of an agent among one another: what may start now, and what a mission is made of.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock};

use missions::MissionFile;
use missions::graph::{Evaluation, GraphNode, Standing, evaluate};
use missions::lifecycle::{Phase, Status};
use robot::{MissionId, RobotId};

use crate::lives::Life;
use crate::runner::{AgentMissions, MissionRunner};
use runtime::lock::lock;

/// The missions that are parts of one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Parts {
    pub count: usize,
    pub completed: usize,
}

/// The family of an agent as it was worked out last, with the numbers of changes to its files and lifecycles then.
pub(crate) type KnownFamily = Mutex<Option<([u64; 2], Arc<Family>)>>;

/// The missions of an agent, each by the text that was activated, else by its file as it was last read.
pub(crate) struct Family {
    nodes: BTreeMap<MissionId, GraphNode>,
    parts: BTreeMap<MissionId, Parts>,
    /// The robots that each may command.
    robots: BTreeMap<MissionId, Vec<RobotId>>,
    evaluation: OnceLock<Evaluation>,
}

impl Family {
    /// The family of now. It is worked out again only when a file or a lifecycle has changed.
    pub fn of(agent: &AgentMissions) -> Arc<Self> {
        // Read first: what changes from here on is seen by the next look.
        let changes = [agent.files.changes(), agent.lives.changes()];
        let mut known = lock(&agent.family);
        match &*known {
            Some((at, family)) if *at == changes => Arc::clone(family),
            Some(_) | None => {
                let family = Arc::new(Self::worked_out(agent));
                *known = Some((changes, Arc::clone(&family)));
                family
            }
        }
    }

    fn worked_out(agent: &AgentMissions) -> Self {
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
        let robots = texts.iter().filter_map(|(id, (text, _))| Some(((*id).clone(), text.as_ref()?.robots.clone())));
        let robots = robots.collect();
        let nodes = texts.into_iter().map(node).collect();
        Self { nodes, parts, robots, evaluation: OnceLock::new() }
    }

    /// The missions that may start, and what the others wait for.
    pub fn evaluation(&self) -> &Evaluation {
        self.evaluation.get_or_init(|| evaluate(&self.nodes))
    }

    /// Missions that become ready once `id` is completed, by id.
    pub fn freed_by(&self, id: &MissionId) -> Vec<MissionId> {
        let before = &self.evaluation().ready;
        let mut nodes = self.nodes.clone();
        if let Some(node) = nodes.get_mut(id) {
            node.standing = Standing::Completed;
        }
        evaluate(&nodes).ready.into_iter().filter(|ready| !before.contains(ready)).collect()
    }

    /// `id` and every mission that says something about it: those behind it, what it is a part of and its parts, and
    /// those that name one of its robots.
    pub fn around(&self, id: &MissionId) -> BTreeSet<MissionId> {
        let own = self.robots.get(id).map(Vec::as_slice).unwrap_or_default();
        let shares = |robots: &[RobotId]| robots.iter().any(|robot| own.contains(robot));
        let mut found: BTreeSet<MissionId> =
            self.robots.iter().filter(|(_, robots)| shares(robots)).map(|(id, _)| id.clone()).collect();
        let mut behind: BTreeMap<&MissionId, Vec<&MissionId>> = BTreeMap::new();
        for (other, node) in &self.nodes {
            for before in node.depends_on.iter().chain(&node.parent) {
                behind.entry(before).or_default().push(other);
            }
        }
        let mut open = vec![id];
        let mut seen = BTreeSet::from([id]);
        while let Some(next) = open.pop() {
            let others = behind.get(next).into_iter().flatten().copied();
            // Each once, because missions may wait for one another in a circle.
            open.extend(others.filter(|other| seen.insert(*other)));
        }
        found.extend(seen.into_iter().cloned());
        found.extend(self.nodes.get(id).and_then(|node| node.parent.clone()));
        found
    }

    pub fn parts(&self, id: &MissionId) -> Parts {
        self.parts.get(id).copied().unwrap_or_default()
    }
}

impl MissionRunner {
    /// Tells windows that a mission has changed, and no more than shows it.
    pub(crate) fn tell_changed(&self, agent: &AgentMissions, id: &MissionId) {
        self.runtime.bus.missions_changed(Family::of(agent).around(id));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> MissionId {
        name.parse().unwrap()
    }

    /// Name, missions before it, the whole that it is a part of, and robots.
    type Mission = (&'static str, &'static [&'static str], Option<&'static str>, &'static [&'static str]);

    fn family(missions: &[Mission]) -> Family {
        let node = |depends_on: &[&str], parent: Option<&str>| GraphNode {
            standing: Standing::Held,
            depends_on: depends_on.iter().map(|name| id(name)).collect(),
            parent: parent.map(id),
            goes_on: false,
        };
        let nodes = missions.iter().map(|(name, before, parent, _)| (id(name), node(before, *parent))).collect();
        let robots = |names: &[&str]| names.iter().map(|name| name.parse().unwrap()).collect();
        let robots = missions.iter().map(|(name, _, _, names)| (id(name), robots(names))).collect();
        Family { nodes, parts: BTreeMap::new(), robots, evaluation: OnceLock::new() }
    }

    #[test]
    fn mo_17_a_change_is_told_to_those_behind_it_its_parts_its_whole_and_those_of_its_robots_alone() {
        let family = family(&[
            ("weld", &["calibrate"], None, &[]),
            ("calibrate", &[], Some("shift"), &["arm-1"]),
            ("inspect", &["weld"], None, &[]),
            ("seam", &[], Some("weld"), &[]),
            ("shift", &[], None, &[]),
            ("park", &[], None, &["rover-1", "arm-1"]),
            ("patrol", &[], None, &["rover-1"]),
            ("dog", &[], None, &[]),
        ]);
        let around =
            |name: &str| family.around(&id(name)).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(around("calibrate"), "calibrate inspect park seam shift weld");
        assert_eq!(around("dog"), "dog");
        assert_eq!(around("unknown"), "unknown");
    }

    #[test]
    fn mo_17_missions_that_wait_in_a_circle_are_told_once() {
        let family = family(&[("a", &["b"], None, &[]), ("b", &["a"], None, &[])]);
        assert_eq!(family.around(&id("a")).len(), 2);
    }
}
