//! The missions that may start, and the reasons why the others wait. Pure: the graph of all missions of one agent goes in,
//! the answer comes out, whatever the graph looks like.
//!
//! Every mission has two events, its start and its end. `end(m)` waits for `start(m)`; `start(m)` waits for `end(d)` of
//! each dependency and for `start(p)` of its parent; `end(p)` waits for `end(s)` of each of its parts. Missions that lie on
//! a circle of events wait for themselves.

mod events;

use std::collections::{BTreeMap, HashMap};

use robot::MissionId;

use events::Circles;

/// Present condition of a mission, as far as others wait for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nobody has activated it.
    Draft,
    /// It is active and waits for what it depends on.
    Held,
    /// It is active and has begun, without a run at present.
    Begun,
    /// It is active and in a run.
    Running,
    /// It stands still until it is resumed.
    Paused,
    /// It is done.
    Completed,
    /// It went wrong.
    Failed,
    /// It was ended.
    Cancelled,
}

/// A mission in the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphNode {
    /// Its present condition.
    pub standing: Standing,
    /// Missions that have to be completed before it starts.
    pub depends_on: Vec<MissionId>,
    /// The mission that it is a part of.
    pub parent: Option<MissionId>,
    /// True if it never completes by itself.
    pub goes_on: bool,
}

/// The reason that a mission waits for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum WaitReason {
    /// It is not completed yet, and nothing keeps it from that.
    Dependency,
    /// It is the parent, and not in a run.
    Parent,
    /// There is no such mission.
    DependencyMissing,
    /// It waits in turn for the mission itself.
    DependencyCycle,
    /// It failed.
    DependencyFailed,
    /// It was cancelled.
    DependencyCancelled,
    /// It is paused.
    DependencyPaused,
    /// Nobody has activated it.
    DependencyDraft,
    /// It never completes by itself.
    DependencyNeverCompletes,
    /// It waits in turn for something that a person has to mend.
    Upstream,
}

/// A mission and another one that it waits for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wait {
    /// The mission that waits.
    pub mission: MissionId,
    /// The mission that it waits for.
    pub waits_for: MissionId,
    /// The reason.
    pub reason: WaitReason,
}

/// The answer about a graph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evaluation {
    /// Missions that may start now, by id.
    pub ready: Vec<MissionId>,
    /// Waits of the others: of every mission that is a draft or held and not ready, by id.
    pub waits: Vec<Wait>,
    /// One circle of each group of missions that wait for one another: the shortest through its smallest id, from that id.
    pub cycles: Vec<Vec<MissionId>>,
    /// The next mission on the way to what keeps a mission from ever starting.
    onward: HashMap<MissionId, MissionId>,
}

impl Evaluation {
    /// The ids from the mission that waits to the root of the trouble, both included.
    #[must_use]
    pub fn path(&self, wait: &Wait) -> Vec<MissionId> {
        let mut path = vec![wait.mission.clone(), wait.waits_for.clone()];
        let is_open = |path: &[MissionId]| path.len() <= self.onward.len() + 2;
        while let Some(next) = path.last().and_then(|last| self.onward.get(last)).filter(|_| is_open(&path)) {
            path.push(next.clone());
        }
        path
    }
}

/// A mission that another one names.
struct Named<'g> {
    id: &'g MissionId,
    /// Its number; none if there is no such mission.
    number: Option<usize>,
}

/// The graph with numbers in the place of ids, in the order of ids.
struct Indexed<'g> {
    ids: Vec<&'g MissionId>,
    nodes: Vec<&'g GraphNode>,
    /// Dependencies of each mission by id, each once.
    dependencies: Vec<Vec<Named<'g>>>,
    parents: Vec<Option<Named<'g>>>,
}

impl<'g> Indexed<'g> {
    fn new(graph: &'g BTreeMap<MissionId, GraphNode>) -> Self {
        let numbers: HashMap<&MissionId, usize> = graph.keys().enumerate().map(|(number, id)| (id, number)).collect();
        let named = |id: &'g MissionId| Named { id, number: numbers.get(id).copied() };
        let dependencies = graph.values().map(|node| {
            let mut dependencies: Vec<&MissionId> = node.depends_on.iter().collect();
            dependencies.sort_unstable();
            dependencies.dedup();
            dependencies.into_iter().map(named).collect()
        });
        Self {
            ids: graph.keys().collect(),
            nodes: graph.values().collect(),
            dependencies: dependencies.collect(),
            parents: graph.values().map(|node| node.parent.as_ref().map(named)).collect(),
        }
    }

    fn dependencies(&self, number: usize) -> &[Named<'g>] {
        self.dependencies.get(number).map(Vec::as_slice).unwrap_or_default()
    }

    fn parent(&self, number: usize) -> Option<&Named<'g>> {
        self.parents.get(number)?.as_ref()
    }
}

/// Says which missions may start and what the others wait for.
#[must_use]
pub fn evaluate(graph: &BTreeMap<MissionId, GraphNode>) -> Evaluation {
    let indexed = Indexed::new(graph);
    let circles = Circles::find(&indexed);
    let mut evaluation = Evaluation { cycles: circles.shortest(&indexed), ..Evaluation::default() };
    // The other way round: what a mission waits for is judged before it.
    let mut troubled = vec![false; indexed.nodes.len()];
    let mut waits: Vec<Vec<Wait>> = vec![Vec::new(); indexed.nodes.len()];
    for &number in circles.dependencies_first() {
        let (Some(node), Some(id)) = (indexed.nodes.get(number), indexed.ids.get(number)) else { continue };
        let found = waits_of(&indexed, &circles, &troubled, number);
        let trouble = found.iter().find(|wait| wait.reason > WaitReason::Parent);
        let is_on_circle = circles.holds(number);
        if let Some(slot) = troubled.get_mut(number) {
            *slot = trouble.is_some() || is_on_circle;
        }
        if let Some(wait) = trouble.filter(|_| !is_on_circle) {
            evaluation.onward.insert((*id).clone(), wait.waits_for.clone());
        }
        if let (Standing::Draft | Standing::Held, Some(slot)) = (node.standing, waits.get_mut(number)) {
            *slot = found;
        }
    }
    for (number, (node, id)) in indexed.nodes.iter().zip(&indexed.ids).enumerate() {
        if node.standing == Standing::Held && waits.get(number).is_some_and(Vec::is_empty) {
            evaluation.ready.push((*id).clone());
        }
    }
    evaluation.waits = waits.into_iter().flatten().collect();
    evaluation
}

/// Everything that one mission waits for: dependencies, its parent, and parts that wait for it in turn.
fn waits_of(indexed: &Indexed<'_>, circles: &Circles, troubled: &[bool], number: usize) -> Vec<Wait> {
    let Some(id) = indexed.ids.get(number) else { return Vec::new() };
    let wait = |awaited: &MissionId, reason| Wait { mission: (*id).clone(), waits_for: awaited.clone(), reason };
    let upstream = |other: usize| troubled.get(other).copied().unwrap_or_default();
    let mut found = Vec::new();
    for Named { id: awaited, number: other } in indexed.dependencies(number) {
        let Some((other, dependency)) = other.and_then(|other| Some((other, indexed.nodes.get(other)?))) else {
            found.push(wait(awaited, WaitReason::DependencyMissing));
            continue;
        };
        let reason = match dependency.standing {
            _ if circles.shares(number, other) => Some(WaitReason::DependencyCycle),
            _ if circles.holds_back_end(other) => Some(WaitReason::Upstream),
            Standing::Completed => None,
            Standing::Failed => Some(WaitReason::DependencyFailed),
            Standing::Cancelled => Some(WaitReason::DependencyCancelled),
            Standing::Paused => Some(WaitReason::DependencyPaused),
            Standing::Draft => Some(WaitReason::DependencyDraft),
            Standing::Held | Standing::Begun | Standing::Running if dependency.goes_on => {
                Some(WaitReason::DependencyNeverCompletes)
            }
            Standing::Held if upstream(other) => Some(WaitReason::Upstream),
            Standing::Held | Standing::Begun | Standing::Running => Some(WaitReason::Dependency),
        };
        found.extend(reason.map(|reason| wait(awaited, reason)));
    }
    if let Some(Named { id: parent, number: other }) = indexed.parent(number) {
        let reason = match other.and_then(|other| Some((other, indexed.nodes.get(other)?))) {
            None => Some(WaitReason::DependencyMissing),
            Some((other, _)) if circles.shares(number, other) => Some(WaitReason::DependencyCycle),
            Some((other, _)) if circles.holds_back_start(other) => Some(WaitReason::Upstream),
            Some((_, GraphNode { standing: Standing::Running, .. })) => None,
            Some((other, _)) if upstream(other) => Some(WaitReason::Upstream),
            Some(_) => Some(WaitReason::Parent),
        };
        found.extend(reason.map(|reason| wait(parent, reason)));
    }
    let parts = circles.parts(number).filter_map(|part| indexed.ids.get(part));
    found.extend(parts.map(|part| wait(part, WaitReason::DependencyCycle)));
    found
}

#[cfg(test)]
mod tests;
