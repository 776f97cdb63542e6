//! Graphs of the size that an agent has, beside a search that knows no order and no groups.

use super::*;

/// An event: the start of the mission of this number, or its end.
type Event = (usize, bool);

const START: bool = false;
const END: bool = true;

/// The answer by its definition: every event that can happen is struck out until none is left that can, and what is
/// on a circle with what is found by walking from it.
struct Search<'g> {
    graph: &'g Graph,
    ids: Vec<&'g MissionId>,
    circle: BTreeMap<Event, BTreeSet<Event>>,
    never: BTreeSet<Event>,
    troubled: BTreeSet<&'g MissionId>,
}

impl<'g> Search<'g> {
    fn new(graph: &'g Graph) -> Self {
        let ids: Vec<_> = graph.keys().collect();
        let mut search =
            Self { graph, ids, circle: BTreeMap::new(), never: BTreeSet::new(), troubled: BTreeSet::new() };
        search.strike_out();
        search.walk();
        while search.spread() {}
        search
    }

    fn number(&self, id: &MissionId) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    fn awaited(&self, (mission, event): Event, parts: &BTreeMap<usize, Vec<usize>>) -> Vec<Event> {
        let node = &self.graph[self.ids[mission]];
        if event == START {
            let ends = node.depends_on.iter().filter_map(|id| self.number(id)).map(|number| (number, END));
            return ends.chain(node.parent.iter().filter_map(|id| self.number(id)).map(|of| (of, START))).collect();
        }
        let of_parts = parts.get(&mission).into_iter().flatten().map(|part| (*part, END));
        of_parts.chain([(mission, START)]).collect()
    }

    fn parts(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, node) in self.graph.values().enumerate() {
            if let Some(parent) = node.parent.as_ref().and_then(|parent| self.number(parent)) {
                parts.entry(parent).or_default().push(number);
            }
        }
        parts
    }

    fn strike_out(&mut self) {
        let parts = self.parts();
        self.never = (0..self.ids.len()).flat_map(|number| [(number, START), (number, END)]).collect();
        loop {
            let waits = |event: &Event| self.awaited(*event, &parts).iter().any(|on| self.never.contains(on));
            let left: BTreeSet<Event> = self.never.iter().copied().filter(waits).collect();
            if left.len() == self.never.len() {
                return;
            }
            self.never = left;
        }
    }

    /// Everything that is reached from an event and leads back to it.
    fn walk(&mut self) {
        let parts = self.parts();
        let reached = |from: Event| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
            while let Some(event) = open.pop() {
                let next = self.awaited(event, &parts);
                open.extend(next.into_iter().filter(|on| self.never.contains(on) && seen.insert(*on)));
            }
            seen
        };
        let ways: BTreeMap<Event, BTreeSet<Event>> = self.never.iter().map(|event| (*event, reached(*event))).collect();
        let back = |event: &Event, way: &BTreeSet<Event>| -> BTreeSet<Event> {
            way.iter().copied().filter(|on| ways[on].contains(event)).collect()
        };
        self.circle =
            ways.iter().map(|(event, way)| (*event, back(event, way))).filter(|(_, on)| !on.is_empty()).collect();
    }

    fn is_on_circle(&self, mission: usize) -> bool {
        [START, END].iter().any(|event| self.circle.contains_key(&(mission, *event)))
    }

    fn share(&self, one: usize, other: usize) -> bool {
        let on = |event| self.circle.get(&(one, event)).into_iter().flatten();
        on(START).chain(on(END)).any(|(mission, _)| *mission == other)
    }

    /// One more look at who can never start; true if there was news.
    fn spread(&mut self) -> bool {
        let known = self.troubled.len();
        let is_troubled = |(number, id): (usize, &&'g MissionId)| {
            let lasting = |(_, reason): &(&MissionId, WaitReason)| *reason > WaitReason::Parent;
            (self.is_on_circle(number) || self.waits(id).iter().any(lasting)).then_some(*id)
        };
        self.troubled = self.ids.iter().enumerate().filter_map(is_troubled).collect();
        self.troubled.len() > known
    }

    /// Everything that a mission waits for: dependencies by id, its parent, its own parts.
    fn waits(&self, id: &MissionId) -> Vec<(&'g MissionId, WaitReason)> {
        let (id, node) = self.graph.get_key_value(id).unwrap();
        let number = self.number(id).unwrap();
        let dependencies: BTreeSet<&MissionId> = node.depends_on.iter().collect();
        let mut waits: Vec<_> = dependencies
            .into_iter()
            .filter_map(|on| Some((on, self.of_dependency(number, on)?)))
            .chain(node.parent.iter().filter_map(|on| Some((on, self.of_parent(number, on)?))))
            .collect();
        let own = self.graph.iter().filter(|(_, part)| part.parent.as_ref() == Some(id)).map(|(part, _)| part);
        waits.extend(
            own.filter(|part| self.share(number, self.number(part).unwrap()))
                .map(|part| (part, WaitReason::DependencyCycle)),
        );
        waits
    }

    fn of_dependency(&self, number: usize, on: &MissionId) -> Option<WaitReason> {
        let Some(other) = self.number(on) else { return Some(WaitReason::DependencyMissing) };
        let node = &self.graph[on];
        if self.share(number, other) {
            return Some(WaitReason::DependencyCycle);
        }
        if self.never.contains(&(other, END)) {
            return Some(WaitReason::Upstream);
        }
        match node.standing {
            Completed => None,
            Failed => Some(WaitReason::DependencyFailed),
            Cancelled => Some(WaitReason::DependencyCancelled),
            Paused => Some(WaitReason::DependencyPaused),
            Draft => Some(WaitReason::DependencyDraft),
            Held | Begun | Running if node.goes_on => Some(WaitReason::DependencyNeverCompletes),
            Held if self.troubled.contains(on) => Some(WaitReason::Upstream),
            Held | Begun | Running => Some(WaitReason::Dependency),
        }
    }

    fn of_parent(&self, number: usize, on: &MissionId) -> Option<WaitReason> {
        let Some(other) = self.number(on) else { return Some(WaitReason::DependencyMissing) };
        if self.share(number, other) {
            return Some(WaitReason::DependencyCycle);
        }
        let is_upstream = self.never.contains(&(other, START));
        match self.graph[on].standing {
            _ if is_upstream => Some(WaitReason::Upstream),
            Running => None,
            _ if self.troubled.contains(on) => Some(WaitReason::Upstream),
            Draft | Held | Begun | Paused | Completed | Failed | Cancelled => Some(WaitReason::Parent),
        }
    }

    /// From the mission that waits to the first thing on the way that a person can mend.
    fn path(&self, wait: &Wait) -> Vec<MissionId> {
        let mut path = vec![wait.mission.clone(), wait.waits_for.clone()];
        while let Some(last) = path.last().filter(|last| self.troubled.contains(last))
            && !self.is_on_circle(self.number(last).unwrap())
        {
            let (next, _) = self.waits(last).into_iter().find(|(_, reason)| *reason > WaitReason::Parent).unwrap();
            path.push(next.clone());
        }
        path
    }

    /// The smallest mission of each circle, in order.
    fn smallest(&self) -> BTreeSet<(usize, &BTreeSet<Event>)> {
        self.circle.values().map(|on| (on.iter().next().unwrap().0, on)).collect()
    }
}

/// Mostly what people draw, edges to what was there before, with a few that close a circle or lead nowhere.
fn large_graph() -> impl Strategy<Value = Graph> {
    let standing = prop::sample::select(vec![Held, Held, Held, Held, Begun, Running, Completed, Completed, Completed]);
    let seldom = prop::sample::select(vec![Draft, Paused, Failed, Cancelled]);
    let standing = prop_oneof![9 => standing, 1 => seldom];
    let edge = (any::<prop::sample::Index>(), prop::bool::weighted(0.02));
    let node = (
        standing,
        prop::collection::vec(edge.clone(), 0..4),
        prop::option::weighted(0.1, edge),
        prop::bool::weighted(0.05),
    );
    let count = prop_oneof![12 => 50..300_usize, 1 => 1_000..1_001_usize];
    count.prop_flat_map(move |count| prop::collection::vec(node.clone(), count)).prop_map(|nodes| {
        let count = nodes.len();
        // Ids are in no relation to the order in which the missions were written.
        let name = |n: usize| id(&format!("m{:04}", n * 7_919 % 10_007));
        let nodes = nodes.into_iter().enumerate().map(|(n, (standing, depends_on, parent, goes_on))| {
            let other = |(index, anywhere): (prop::sample::Index, bool)| match anywhere {
                true => Some(name(index.index(count + 2))),
                false => (n > 0).then(|| name(index.index(n))),
            };
            let depends_on = depends_on.into_iter().filter_map(other).collect();
            (name(n), GraphNode { standing, depends_on, parent: parent.and_then(other), goes_on })
        });
        nodes.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn mg_02_mg_04_a_large_graph_has_the_reasons_and_paths_that_a_search_finds(graph in large_graph()) {
        let (evaluation, search) = (evaluate(&graph), Search::new(&graph));
        let mut expected = Evaluation::default();
        for (id, node) in &graph {
            let waits = search.waits(id);
            match node.standing {
                Held if waits.is_empty() => expected.ready.push(id.clone()),
                Held | Draft => expected.waits.extend(waits.into_iter().map(|(waits_for, reason)| Wait {
                    mission: id.clone(),
                    waits_for: waits_for.clone(),
                    reason,
                })),
                Begun | Running | Paused | Completed | Failed | Cancelled => {}
            }
        }
        prop_assert_eq!(&evaluation.ready, &expected.ready);
        prop_assert_eq!(&evaluation.waits, &expected.waits);
        for wait in &evaluation.waits {
            prop_assert_eq!(evaluation.path(wait), search.path(wait));
        }
        let first: Vec<&MissionId> = evaluation.cycles.iter().map(|cycle| &cycle[0]).collect();
        let smallest: Vec<&MissionId> = search.smallest().into_iter().map(|(number, _)| search.ids[number]).collect();
        prop_assert_eq!(first, smallest);

        let mut otherwise = graph;
        for node in otherwise.values_mut() {
            node.depends_on.reverse();
            let again = node.depends_on.first().cloned();
            node.depends_on.extend(again);
        }
        prop_assert_eq!(evaluate(&otherwise), evaluation, "the order in which dependencies are written counts");
    }
}
