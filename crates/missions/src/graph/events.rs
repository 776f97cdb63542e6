//! Circles of events: groups of starts and ends that wait for one another.

use robot::MissionId;

use super::Indexed;

/// Two events a mission: its start has twice its number, its end one more.
const EVENTS: usize = 2;

/// No event.
const NOWHERE: usize = usize::MAX;

const fn start(mission: usize) -> usize {
    mission * EVENTS
}

const fn end(mission: usize) -> usize {
    mission * EVENTS + 1
}

const fn mission(event: usize) -> usize {
    event / EVENTS
}

/// The groups of events that wait for one another.
pub(super) struct Circles {
    /// Events that each event waits for.
    waits_for: Vec<Vec<usize>>,
    /// The group of each event; events of one group wait for one another.
    group: Vec<usize>,
    /// True of each group that is a circle.
    is_circle: Vec<bool>,
    /// True of each event that waits, however indirectly, for one on a circle, or lies on one.
    is_held_back: Vec<bool>,
    /// Missions so that what a start waits for comes before it.
    order: Vec<usize>,
}

impl Circles {
    pub fn find(indexed: &Indexed<'_>) -> Self {
        let waits_for = waits_for(indexed);
        let (order, group, groups) = groups(&waits_for);
        let mut sizes = vec![0_usize; groups];
        for group in &group {
            if let Some(size) = sizes.get_mut(*group) {
                *size += 1;
            }
        }
        let mut is_circle: Vec<bool> = sizes.iter().map(|size| *size > 1).collect();
        // A mission that is its own parent.
        for (event, _) in waits_for.iter().enumerate().filter(|(event, targets)| targets.contains(event)) {
            if let Some(slot) = group.get(event).and_then(|group| is_circle.get_mut(*group)) {
                *slot = true;
            }
        }
        let mut is_held_back = vec![false; waits_for.len()];
        for &event in &order {
            let is_on = group.get(event).and_then(|group| is_circle.get(*group)).copied().unwrap_or_default();
            let targets = waits_for.get(event).map(Vec::as_slice).unwrap_or_default();
            let is_behind = targets.iter().any(|target| is_held_back.get(*target).copied().unwrap_or_default());
            if let Some(slot) = is_held_back.get_mut(event) {
                *slot = is_on || is_behind;
            }
        }
        let order = order.into_iter().filter(|event| event % EVENTS == 0).map(mission).collect();
        Self { waits_for, group, is_circle, is_held_back, order }
    }

    /// Every mission, so that what its start waits for comes before it, circles apart.
    pub fn dependencies_first(&self) -> &[usize] {
        &self.order
    }

    fn circle(&self, event: usize) -> Option<usize> {
        self.group.get(event).copied().filter(|group| self.is_circle.get(*group).copied().unwrap_or_default())
    }

    /// True if the mission lies on a circle.
    pub fn holds(&self, number: usize) -> bool {
        self.circle(start(number)).is_some() || self.circle(end(number)).is_some()
    }

    /// True if the two missions lie on one circle.
    pub fn shares(&self, one: usize, other: usize) -> bool {
        let circles = |number| [self.circle(start(number)), self.circle(end(number))];
        circles(one).into_iter().flatten().any(|circle| circles(other).contains(&Some(circle)))
    }

    /// True if the mission can never start because of a circle.
    pub fn holds_back_start(&self, number: usize) -> bool {
        self.is_held_back.get(start(number)).copied().unwrap_or_default()
    }

    /// True if the mission can never end because of a circle.
    pub fn holds_back_end(&self, number: usize) -> bool {
        self.is_held_back.get(end(number)).copied().unwrap_or_default()
    }

    /// The parts of a mission that lie on one circle with it.
    pub fn parts(&self, number: usize) -> impl Iterator<Item = usize> {
        let awaited = self.waits_for.get(end(number)).map(Vec::as_slice).unwrap_or_default();
        let parts = awaited.iter().copied().filter(|event| event % EVENTS == 1).map(mission);
        parts.filter(move |part| self.shares(number, *part))
    }

    /// The shortest circle through the smallest id of each group, in the order of these ids.
    pub fn shortest(&self, indexed: &Indexed<'_>) -> Vec<Vec<MissionId>> {
        let mut told = vec![false; self.is_circle.len()];
        let mut came_from = vec![NOWHERE; self.waits_for.len()];
        let mut found = Vec::new();
        for event in 0..self.waits_for.len() {
            let Some(circle) = self.circle(event) else { continue };
            if told.get_mut(circle).is_some_and(|told| !std::mem::replace(told, true)) {
                let events = [start(mission(event)), end(mission(event))];
                let own = events.into_iter().filter(|event| self.circle(*event) == Some(circle));
                let shortest = own.filter_map(|event| self.back_to(event, &mut came_from)).min_by_key(Vec::len);
                let missions = shortest.unwrap_or_default().into_iter().map(mission);
                let mut ids: Vec<MissionId> =
                    missions.filter_map(|number| indexed.ids.get(number).map(|id| (*id).clone())).collect();
                ids.dedup();
                if ids.len() == 1 {
                    ids.extend_from_within(..);
                }
                found.push(ids);
            }
        }
        found
    }

    /// The shortest way from an event along what it waits for, back to itself. `came_from` is empty before and after.
    fn back_to(&self, from: usize, came_from: &mut [usize]) -> Option<Vec<usize>> {
        let mut seen = vec![from];
        let mut way = None;
        let mut at = 0;
        while let (Some(&event), None) = (seen.get(at), &way) {
            at += 1;
            for &next in self.waits_for.get(event)? {
                if next == from {
                    way = Some(way_back(from, event, came_from));
                    break;
                }
                let slot = came_from.get_mut(next)?;
                if *slot == NOWHERE && self.group.get(next) == self.group.get(from) {
                    *slot = event;
                    seen.push(next);
                }
            }
        }
        for event in seen {
            *came_from.get_mut(event)? = NOWHERE;
        }
        way
    }
}

/// The way that a search took from `from` to `last`, closed by `from`.
fn way_back(from: usize, last: usize, came_from: &[usize]) -> Vec<usize> {
    let mut way = vec![from];
    let mut event = last;
    while event != from && event != NOWHERE {
        way.push(event);
        event = came_from.get(event).copied().unwrap_or(NOWHERE);
    }
    way.push(from);
    way.reverse();
    way
}

/// The events that each event waits for, by number.
fn waits_for(indexed: &Indexed<'_>) -> Vec<Vec<usize>> {
    let mut waits_for = vec![Vec::new(); indexed.nodes.len() * EVENTS];
    for number in 0..indexed.nodes.len() {
        let mut add =
            |event: usize, awaited: usize| waits_for.get_mut(event).map(|list: &mut Vec<usize>| list.push(awaited));
        add(end(number), start(number));
        for dependency in indexed.dependencies(number).iter().filter_map(|named| named.number) {
            add(start(number), end(dependency));
        }
        if let Some(parent) = indexed.parent(number).and_then(|named| named.number) {
            add(start(number), start(parent));
            add(end(parent), end(number));
        }
    }
    waits_for.iter_mut().for_each(|list| list.sort_unstable());
    waits_for
}

/// Tarjan's strongly connected components without recursion: all events so that what an event waits for comes first,
/// the group of each event, and the number of groups.
fn groups(waits_for: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>, usize) {
    let count = waits_for.len();
    let (mut seen_at, mut low, mut group) = (vec![NOWHERE; count], vec![0; count], vec![NOWHERE; count]);
    let (mut order, mut stack, mut open) = (Vec::with_capacity(count), Vec::new(), Vec::new());
    let (mut clock, mut groups) = (0, 0);
    for root in 0..count {
        if seen_at[root] == NOWHERE {
            open.push((root, 0));
        }
        while let Some((event, next)) = open.last_mut() {
            let event = *event;
            if *next == 0 {
                (seen_at[event], low[event]) = (clock, clock);
                clock += 1;
                stack.push(event);
            }
            if let Some(&target) = waits_for[event].get(*next) {
                *next += 1;
                if seen_at[target] == NOWHERE {
                    open.push((target, 0));
                } else if group[target] == NOWHERE {
                    low[event] = low[event].min(seen_at[target]);
                }
                continue;
            }
            open.pop();
            if let Some((before, _)) = open.last() {
                low[*before] = low[*before].min(low[event]);
            }
            if low[event] == seen_at[event] {
                while let Some(member) = stack.pop() {
                    group[member] = groups;
                    order.push(member);
                    if member == event {
                        break;
                    }
                }
                groups += 1;
            }
        }
    }
    (order, group, groups)
}
