//! The missions that may start, and the reasons why the others wait. Pure: the graph of all missions of one agent
//! goes in, the answer comes out, whatever the graph looks like.
//!
//! Every mission has two events, its start and its end. `end(m)` waits for `start(m)`; `start(m)` waits for `end(d)`
//! of each dependency and for `start(p)` of its parent; `end(p)` waits for `end(s)` of each of its parts. Missions
//! that lie on a circle of events wait for themselves.

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
    /// One circle of each group of missions that wait for one another: the shortest through its smallest id, from
    /// that id.
    pub cycles: Vec<Vec<MissionId>>,
    /// The next mission on the way to what keeps a mission from ever starting, in the order of ids.
    onward: Vec<Onward>,
}

/// A mission that can never start, and the mission that keeps it from that.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Onward {
    mission: MissionId,
    waits_for: MissionId,
}

impl Evaluation {
    /// The waits of one mission.
    #[must_use]
    pub fn waits_of(&self, mission: &MissionId) -> &[Wait] {
        let from = self.waits.partition_point(|wait| wait.mission < *mission);
        let to = self.waits.partition_point(|wait| wait.mission <= *mission);
        self.waits.get(from..to).unwrap_or_default()
    }

    /// The ids from the mission that waits to the root of the trouble, both included.
    #[must_use]
    pub fn path(&self, wait: &Wait) -> Vec<MissionId> {
        let mut path = vec![wait.mission.clone(), wait.waits_for.clone()];
        while let Some(next) = path.last().and_then(|last| self.after(last)) {
            // Each mission has one entry at most, so a longer path would go in a circle.
            if path.len() > self.onward.len() + 2 {
                break;
            }
            path.push(next.clone());
        }
        path
    }

    fn after(&self, mission: &MissionId) -> Option<&MissionId> {
        let place = self.onward.binary_search_by(|onward| onward.mission.cmp(mission)).ok()?;
        self.onward.get(place).map(|onward| &onward.waits_for)
    }
}

/// The number of a mission. Four bytes, as a graph has several tables of them and memory is what a large one costs.
type Number = u32;

/// The graph with numbers in the place of ids. Missions that there are come first, in the order of ids; behind them
/// stand ids that are named and that no mission has.
struct Indexed<'g> {
    ids: Vec<&'g MissionId>,
    nodes: Vec<&'g GraphNode>,
    /// Dependencies of each mission by id, each once.
    dependencies: Lists,
    parents: Vec<Option<Number>>,
}

impl<'g> Indexed<'g> {
    fn new(graph: &'g BTreeMap<MissionId, GraphNode>) -> Self {
        let mut ids: Vec<&MissionId> = graph.keys().collect();
        let mut numbers: HashMap<&MissionId, Number> = ids.iter().copied().zip(0..).collect();
        let mut number_of = |id: &'g MissionId| {
            *numbers.entry(id).or_insert_with(|| {
                ids.push(id);
                Number::try_from(ids.len() - 1).unwrap_or(Number::MAX)
            })
        };
        let count = graph.values().map(|node| node.depends_on.len()).sum();
        let mut dependencies = Lists::with_capacity(graph.len(), count);
        let mut parents = Vec::with_capacity(graph.len());
        for node in graph.values() {
            dependencies.push(node.depends_on.iter().map(&mut number_of));
            parents.push(node.parent.as_ref().map(&mut number_of));
        }
        let missing = graph.len();
        for number in 0..graph.len() {
            let own = dependencies.of_mut(number);
            // Numbers are in the order of ids, but for those of missions that are missing.
            if own.last().is_some_and(|last| *last as usize >= missing) {
                own.sort_by_key(|number| ids.get(*number as usize).copied());
            }
        }
        Self { ids, nodes: graph.values().collect(), dependencies, parents }
    }

    fn parent(&self, number: usize) -> Option<Number> {
        self.parents.get(number).copied().flatten()
    }

    fn node(&self, number: Number) -> Option<&'g GraphNode> {
        self.nodes.get(number as usize).copied()
    }
}

/// Lists of numbers in one piece of memory.
struct Lists {
    numbers: Vec<Number>,
    /// The place behind the last number of each list.
    ends: Vec<Number>,
}

impl Lists {
    fn with_capacity(lists: usize, numbers: usize) -> Self {
        Self { numbers: Vec::with_capacity(numbers), ends: Vec::with_capacity(lists) }
    }

    /// Adds a list, in order and each number once.
    fn push(&mut self, numbers: impl Iterator<Item = Number>) {
        let from = self.numbers.len();
        self.numbers.extend(numbers);
        let own = self.numbers.get_mut(from..).unwrap_or_default();
        own.sort_unstable();
        let mut kept = from;
        for at in from..self.numbers.len() {
            if kept == from || self.numbers.get(at) != self.numbers.get(kept - 1) {
                self.numbers.swap(kept, at);
                kept += 1;
            }
        }
        self.numbers.truncate(kept);
        self.ends.push(Number::try_from(kept).unwrap_or(Number::MAX));
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn range(&self, list: usize) -> std::ops::Range<usize> {
        let from = list.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
        let to = self.ends.get(list).copied().unwrap_or(from);
        from as usize..to as usize
    }

    fn of(&self, list: usize) -> &[Number] {
        self.numbers.get(self.range(list)).unwrap_or_default()
    }

    fn of_mut(&mut self, list: usize) -> &mut [Number] {
        let range = self.range(list);
        self.numbers.get_mut(range).unwrap_or_default()
    }
}

/// Says which missions may start and what the others wait for.
#[must_use]
pub fn evaluate(graph: &BTreeMap<MissionId, GraphNode>) -> Evaluation {
    let indexed = Indexed::new(graph);
    let circles = Circles::find(&indexed);
    let mut judged = Judged { indexed: &indexed, circles: &circles, troubled: vec![false; indexed.nodes.len()] };
    // The other way round: what a mission waits for is judged before it.
    for number in circles.dependencies_first() {
        // On a circle no order puts what is waited for first, so its members are marked as such.
        let is_troubled = circles.holds(number) || judged.trouble(number).is_some();
        if let Some(slot) = judged.troubled.get_mut(number) {
            *slot = is_troubled;
        }
    }
    let mut evaluation = Evaluation { cycles: circles.shortest(&indexed), ..Evaluation::default() };
    evaluation.waits.reserve(indexed.dependencies.numbers.len());
    for (number, (node, id)) in indexed.nodes.iter().zip(&indexed.ids).enumerate() {
        if judged.troubled.get(number) == Some(&true)
            && !circles.holds(number)
            && let Some(waits_for) = judged.trouble(number)
        {
            evaluation.onward.push(Onward { mission: (*id).clone(), waits_for: waits_for.clone() });
        }
        if !matches!(node.standing, Standing::Draft | Standing::Held) {
            continue;
        }
        let before = evaluation.waits.len();
        judged.waits(number, &mut |waits_for, reason| {
            evaluation.waits.push(Wait { mission: (*id).clone(), waits_for: waits_for.clone(), reason });
        });
        // A draft may be without waits too, and only a person starts it.
        if node.standing == Standing::Held && evaluation.waits.len() == before {
            evaluation.ready.push((*id).clone());
        }
    }
    evaluation
}

/// A graph with what is known of its missions so far.
struct Judged<'g> {
    indexed: &'g Indexed<'g>,
    circles: &'g Circles,
    /// True of each mission that can never start before a person has mended something.
    troubled: Vec<bool>,
}

impl<'g> Judged<'g> {
    /// The first mission for which this one waits in vain.
    fn trouble(&self, number: usize) -> Option<&'g MissionId> {
        let mut trouble = None;
        self.waits(number, &mut |waits_for, reason| {
            if reason > WaitReason::Parent && trouble.is_none() {
                trouble = Some(waits_for);
            }
        });
        trouble
    }

    /// Tells everything that one mission waits for: dependencies, its parent, and parts that wait for it in turn.
    fn waits(&self, number: usize, tell: &mut dyn FnMut(&'g MissionId, WaitReason)) {
        let Indexed { ids, dependencies, .. } = self.indexed;
        let mut tell = |awaited: Number, reason| {
            if let Some(id) = ids.get(awaited as usize) {
                tell(id, reason);
            }
        };
        for &dependency in dependencies.of(number) {
            if let Some(reason) = self.reason_of_dependency(number, dependency) {
                tell(dependency, reason);
            }
        }
        if let Some(parent) = self.indexed.parent(number)
            && let Some(reason) = self.reason_of_parent(number, parent)
        {
            tell(parent, reason);
        }
        for part in self.circles.parts(number) {
            tell(part, WaitReason::DependencyCycle);
        }
    }

    fn is_troubled(&self, number: Number) -> bool {
        self.troubled.get(number as usize).copied().unwrap_or_default()
    }

    fn reason_of_dependency(&self, number: usize, other: Number) -> Option<WaitReason> {
        let Some(node) = self.indexed.node(other) else { return Some(WaitReason::DependencyMissing) };
        match node.standing {
            // Before its standing: as long as the circle is there, no state of the other one ends the wait.
            _ if self.circles.shares(number, other as usize) => Some(WaitReason::DependencyCycle),
            _ if self.circles.holds_back_end(other as usize) => Some(WaitReason::Upstream),
            Standing::Completed => None,
            Standing::Failed => Some(WaitReason::DependencyFailed),
            Standing::Cancelled => Some(WaitReason::DependencyCancelled),
            Standing::Paused => Some(WaitReason::DependencyPaused),
            Standing::Draft => Some(WaitReason::DependencyDraft),
            Standing::Held | Standing::Begun | Standing::Running if node.goes_on => {
                Some(WaitReason::DependencyNeverCompletes)
            }
            Standing::Held if self.is_troubled(other) => Some(WaitReason::Upstream),
            Standing::Held | Standing::Begun | Standing::Running => Some(WaitReason::Dependency),
        }
    }

    fn reason_of_parent(&self, number: usize, other: Number) -> Option<WaitReason> {
        let Some(node) = self.indexed.node(other) else { return Some(WaitReason::DependencyMissing) };
        match node.standing {
            _ if self.circles.shares(number, other as usize) => Some(WaitReason::DependencyCycle),
            _ if self.circles.holds_back_start(other as usize) => Some(WaitReason::Upstream),
            Standing::Running => None,
            _ if self.is_troubled(other) => Some(WaitReason::Upstream),
            Standing::Draft | Standing::Held | Standing::Begun | Standing::Paused => Some(WaitReason::Parent),
            Standing::Completed | Standing::Failed | Standing::Cancelled => Some(WaitReason::Parent),
        }
    }
}

#[cfg(test)]
mod tests;
