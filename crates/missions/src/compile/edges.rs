//! The mission among the others: those that it waits for, is a part of, starts when it fails, or shares a robot with.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use robot::MissionId;

use super::{Compiler, Place, meant};
use crate::catalog::{MissionEnd, Placed};
use crate::format::front::OnFailure;
use crate::graph::{Evaluation, GraphNode, Standing, WaitReason, evaluate};
use crate::problem::{Fault, Located, ProblemCode, Related};

/// The most missions above one in the order of parts.
const DEPTH_MAX: usize = 8;

type Graph = BTreeMap<MissionId, GraphNode>;

impl<'c> Compiler<'c> {
    pub(super) fn check_edges(&mut self) {
        for dependency in &self.parsed.front.depends_on {
            let place = self.entry("depends_on", dependency.span);
            self.check_dependency(dependency, &place);
        }
        if let Some(parent) = &self.parsed.front.parent
            && parent.value != *self.id
            && !self.catalog.missions.contains_key(&parent.value)
        {
            self.tell_missing(&parent.value, &self.key("parent"));
        }
        self.check_spawn();
        self.check_depth();
        let graph = OnceCell::new();
        self.check_cycles(&graph);
        self.check_shared_parts(&graph);
    }

    /// The graph of all missions with this text in its place. Most texts need none.
    fn graph<'g>(&self, graph: &'g OnceCell<Graph>) -> &'g Graph {
        let front = &self.parsed.front;
        let own = || GraphNode {
            standing: Standing::Held,
            depends_on: front.depends_on.iter().map(|named| named.value.clone()).collect(),
            parent: front.parent.as_ref().map(|named| named.value.clone()),
            goes_on: front.goes_on(0),
        };
        graph.get_or_init(|| self.catalog.graph(self.id, own()))
    }

    /// The missions that lie on a circle with this one and that it waits for.
    fn on_circle(&self, graph: &OnceCell<Graph>) -> BTreeSet<MissionId> {
        let of = |evaluation: &Evaluation| -> BTreeSet<MissionId> {
            let waits = evaluation.waits_of(self.id).iter();
            waits.filter(|wait| wait.reason == WaitReason::DependencyCycle).map(|wait| wait.waits_for.clone()).collect()
        };
        let missions = &self.catalog.missions;
        // One evaluation for all files of a folder: one for each would take a minute of ten thousand.
        if missions.get(self.id).is_some_and(|own| own.waits_as(&self.parsed.front)) {
            of(missions.evaluation())
        } else {
            of(&evaluate(self.graph(graph)))
        }
    }

    fn check_dependency(&mut self, dependency: &Located<MissionId>, place: &Place<'_>) {
        let other = &dependency.value;
        if other == self.id {
            let message = "A mission cannot depend on itself.".to_owned();
            self.error(ProblemCode::OutOfRange, place, message, "Remove its id from `depends_on`.");
            return;
        }
        match self.catalog.missions.get(other) {
            None => self.tell_missing(other, place),
            Some(mission) if mission.goes_on && mission.end != Some(MissionEnd::Completed) => {
                let message = format!(
                    "`{other}` never completes by itself, so that this mission waits until a person completes it."
                );
                let help = format!("Give `{other}` a key `completes_when`, or wait for another mission.");
                self.warn(ProblemCode::DependencyNeverCompletes, place, message, help);
            }
            Some(_) => {}
        }
    }

    fn tell_missing(&mut self, other: &MissionId, place: &Place<'_>) {
        let message = format!("There is no mission `{other}`.");
        let known = self.catalog.missions.keys().filter(|known| *known != self.id).map(MissionId::as_str);
        let help = meant(other.as_str(), known);
        // A warning: the other file may be written later, and until then the mission only waits.
        self.warn(ProblemCode::DependencyMissing, place, message, help);
    }

    fn check_spawn(&mut self) {
        let OnFailure::Spawn(other) = &self.parsed.front.on_failure else { return };
        let place = self.key("on_failure").at("spawn");
        match self.catalog.missions.get(other) {
            Some(mission) if mission.has_spawn_trigger => {}
            Some(_) => {
                let message = format!("`{other}` has no trigger `spawn`, so that the failure would not start it.");
                self.warn(
                    ProblemCode::SpawnMissing,
                    &place,
                    message,
                    format!("Add `spawn` to the triggers of `{other}`."),
                );
            }
            None => {
                let message = format!("There is no mission `{other}`, so that the failure would start nothing.");
                let help = meant(other.as_str(), self.catalog.missions.keys().map(MissionId::as_str));
                self.warn(ProblemCode::SpawnMissing, &place, message, help);
            }
        }
    }

    /// The mission itself as part of a part of a part: what is above it and below it together.
    fn check_depth(&mut self) {
        let Some(parent) = &self.parsed.front.parent else { return };
        let missions = &self.catalog.missions;
        let mut above = vec![&parent.value];
        while let Some(next) = above.last().and_then(|last| missions.get(*last)).and_then(|last| last.parent.as_ref()) {
            // Parents may form a circle, which is told as one; here it must only not be followed for ever.
            if above.len() > DEPTH_MAX || next.value == *self.id {
                break;
            }
            above.push(&next.value);
        }
        let depth = above.len() + self.height();
        if depth <= DEPTH_MAX {
            return;
        }
        let place_of = |mission: &&MissionId| Some((missions.get(*mission)?.parent.as_ref()?, (*mission).clone()));
        let related = above.iter().filter_map(place_of).map(|(placed, mission)| {
            let message = format!("`{mission}` is a part of `{}`.", placed.value);
            Related { mission, line: placed.line, column: placed.column, message }
        });
        let related = related.collect();
        let message = format!("Parts of parts are nested more than {DEPTH_MAX} deep.");
        let place = self.key("parent");
        let help = "Make it a part of a mission further up.";
        self.add(Fault::new(ProblemCode::TooDeep, place.span, message, help).beside(related), &place);
    }

    /// The number of levels of parts below this mission, counted to one more than there may be.
    fn height(&self) -> usize {
        let mut level: BTreeSet<&MissionId> = BTreeSet::from([self.id]);
        for height in 0..=DEPTH_MAX {
            let below = self.catalog.missions.iter().filter(|(id, mission)| {
                *id != self.id && mission.parent.as_ref().is_some_and(|parent| level.contains(&parent.value))
            });
            let below: BTreeSet<&MissionId> = below.map(|(id, _)| id).collect();
            if below.is_empty() {
                return height;
            }
            level = below;
        }
        DEPTH_MAX
    }

    /// Edges of this file that lie on a circle.
    fn check_cycles(&mut self, graph: &OnceCell<Graph>) {
        let on_circle = self.on_circle(graph);
        if on_circle.is_empty() {
            return;
        }
        let graph = self.graph(graph);
        let events = Events::of(graph);
        let Some((own, _)) = graph.get_key_value(self.id) else { return };
        let toward = events.toward(start(own));
        let front = &self.parsed.front;
        let dependencies = front.depends_on.iter().map(|named| (named, self.entry("depends_on", named.span)));
        let parent = front.parent.iter().map(|named| (named, self.key("parent")));
        let edges: Vec<_> = dependencies.chain(parent).collect();
        for (named, place) in edges {
            let is_parent = place.path == "parent";
            // That it depends on itself is told already.
            if !on_circle.contains(&named.value) || (named.value == *self.id && !is_parent) {
                continue;
            }
            let from = if is_parent { start(&named.value) } else { end(&named.value) };
            let way = way(&toward, from, start(own));
            let related = way.windows(2).filter_map(|pair| self.edge(pair.first()?, pair.get(1)?)).collect();
            let ids: Vec<String> = way.iter().map(|mission| format!("`{mission}`")).collect();
            let message = format!("The mission waits for itself: `{}` → {}.", self.id, ids.join(" → "));
            let fault = Fault::new(ProblemCode::DependencyCycle, place.span, message, "Take one of these edges away.");
            self.add(fault.beside(related), &place);
        }
    }

    /// The place in the file of one mission at which it names another.
    fn edge(&self, mission: &MissionId, other: &MissionId) -> Option<Related> {
        let missions = &self.catalog.missions;
        let stands_in =
            |id: &MissionId, named: &MissionId| Some((id.clone(), missions.get(id)?.place_of(named)?.clone()));
        let (mission, Placed { line, column, value }) =
            stands_in(mission, other).or_else(|| stands_in(other, mission)).filter(|(id, _)| id != self.id)?;
        Some(Related { message: format!("`{mission}` names `{value}` here."), mission, line, column })
    }

    /// Missions that could move the same part of a robot at the same time.
    fn check_shared_parts(&mut self, graph: &OnceCell<Graph>) {
        let locks = self.catalog.locks(self.parsed);
        if locks.is_empty() {
            return;
        }
        let (id, catalog) = (self.id, self.catalog);
        let own_spawn = match &self.parsed.front.on_failure {
            OnFailure::Spawn(other) => Some(other),
            OnFailure::Stop | OnFailure::Alert | OnFailure::Retry { .. } => None,
        };
        let mut ordered = None;
        for (other, mission) in catalog.missions.iter().filter(|(other, mission)| *other != id && mission.may_run()) {
            let shared = locks.iter().find_map(|(path, (_, span))| {
                let theirs = mission.resources.iter().find(|theirs| overlaps(path, &theirs.value))?;
                Some((path, *span, theirs))
            });
            let Some((path, span, theirs)) = shared else { continue };
            let ordered = ordered.get_or_insert_with(|| in_order_with(self.graph(graph), id));
            // One that the other starts when it has failed does not run beside it.
            let starts = |one: Option<&MissionId>, other: &MissionId| one == Some(other);
            if ordered.contains(other) || starts(own_spawn, other) || starts(mission.spawns.as_ref(), id) {
                continue;
            }
            let is_named = self.parsed.front.resources.is_some();
            let place = self.entry(if is_named { "resources" } else { "goals" }, span);
            let message =
                format!("This mission and `{other}` could both want `{path}` at once; one would wait for the other.");
            let help = format!("Let one depend on the other, for example with `depends_on: [{other}]`.");
            let related = Related {
                mission: other.clone(),
                line: theirs.line,
                column: theirs.column,
                message: format!("`{other}` locks `{}` here.", theirs.value),
            };
            let fault = Fault::new(ProblemCode::ResourceConflict, place.span, message, help);
            // Only a warning: the lock makes one of them wait, and a person may want exactly that.
            self.add(fault.into_warning().beside(vec![related]), &place);
        }
    }
}

/// True if one path is the other or a part of it.
fn overlaps(one: &str, other: &str) -> bool {
    let is_within = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    is_within(one, other) || is_within(other, one)
}

/// The start or the end of a mission.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Event<'g> {
    mission: &'g MissionId,
    is_end: bool,
}

const fn start(mission: &MissionId) -> Event<'_> {
    Event { mission, is_end: false }
}

const fn end(mission: &MissionId) -> Event<'_> {
    Event { mission, is_end: true }
}

/// The events of a graph, and what waits for each of them.
struct Events<'g> {
    dependents: BTreeMap<Event<'g>, Vec<Event<'g>>>,
    dependencies: BTreeMap<Event<'g>, Vec<Event<'g>>>,
}

impl<'g> Events<'g> {
    fn of(graph: &'g Graph) -> Self {
        let mut events = Self { dependents: BTreeMap::new(), dependencies: BTreeMap::new() };
        for (id, node) in graph {
            events.add(end(id), start(id));
            for dependency in &node.depends_on {
                events.add(start(id), end(dependency));
            }
            if let Some(parent) = &node.parent {
                events.add(start(id), start(parent));
                events.add(end(parent), end(id));
            }
        }
        events
    }

    /// Notes that `event` waits for `earlier`.
    fn add(&mut self, event: Event<'g>, earlier: Event<'g>) {
        self.dependencies.entry(event).or_default().push(earlier);
        self.dependents.entry(earlier).or_default().push(event);
    }

    /// Every event that waits for `target`, however indirectly, with the next one on the shortest way there.
    fn toward(&self, target: Event<'g>) -> BTreeMap<Event<'g>, Event<'g>> {
        reached(&self.dependents, target)
    }

    /// Every event that `from` waits for, however indirectly, with the one through which it was reached.
    fn from(&self, from: Event<'g>) -> BTreeMap<Event<'g>, Event<'g>> {
        reached(&self.dependencies, from)
    }
}

/// Everything that is reached from `from`, each with the one before it.
fn reached<'g>(next: &BTreeMap<Event<'g>, Vec<Event<'g>>>, from: Event<'g>) -> BTreeMap<Event<'g>, Event<'g>> {
    let mut reached = BTreeMap::new();
    let mut waiting = VecDeque::from([from]);
    while let Some(event) = waiting.pop_front() {
        for next in next.get(&event).into_iter().flatten() {
            reached.entry(*next).or_insert_with(|| {
                waiting.push_back(*next);
                event
            });
        }
    }
    reached
}

/// The missions that have ended before `id` starts, or start after it has ended.
fn in_order_with(graph: &Graph, id: &MissionId) -> BTreeSet<MissionId> {
    let Some((own, _)) = graph.get_key_value(id) else { return BTreeSet::new() };
    let events = Events::of(graph);
    let (before, after) = (events.from(start(own)), events.toward(end(own)));
    let before = before.keys().filter(|event| event.is_end).map(|event| event.mission);
    let after = after.keys().filter(|event| !event.is_end).map(|event| event.mission);
    before.chain(after).cloned().collect()
}

/// The missions on the way from one event to `target` that `toward` shows, as each waits for the next.
fn way<'g>(toward: &BTreeMap<Event<'g>, Event<'g>>, from: Event<'g>, target: Event<'g>) -> Vec<&'g MissionId> {
    let mut event = from;
    let mut way = vec![event.mission];
    while event != target
        // A bound that no table of shortest ways reaches, so that a wrong one cannot loop.
        && way.len() <= toward.len()
        && let Some(next) = toward.get(&event)
    {
        event = *next;
        way.push(event.mission);
    }
    way.dedup();
    way
}
