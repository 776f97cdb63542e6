//! Circles of events: groups of starts and ends that wait for one another.

use robot::MissionId;

use super::{Indexed, Lists, Number};

/// Two events a mission: its start has twice its number, its end one more.
const EVENTS: Number = 2;

/// No event.
const NOWHERE: Number = Number::MAX;

const fn start(mission: Number) -> Number {
    mission.saturating_mul(EVENTS)
}

const fn end(mission: Number) -> Number {
    mission.saturating_mul(EVENTS).saturating_add(1)
}

const fn mission(event: Number) -> Number {
    event / EVENTS
}

/// The groups of events that wait for one another.
pub(super) struct Circles {
    /// Events that each event waits for.
    waits_for: Lists,
    /// The group of each event; events of one group wait for one another.
    group: Vec<Number>,
    /// True of each group that is a circle.
    is_circle: Vec<bool>,
    /// True of each event that waits, however indirectly, for one on a circle, or lies on one.
    is_held_back: Vec<bool>,
    /// Every event, so that what it waits for comes before it, circles apart.
    order: Vec<Number>,
}

impl Circles {
    pub fn find(indexed: &Indexed<'_>) -> Self {
        let waits_for = waits_for(indexed);
        let Groups { order, group, sizes } = Groups::find(&waits_for);
        // One event by itself is a circle only where it waits for itself, which the loop below finds.
        let mut is_circle: Vec<bool> = sizes.iter().map(|size| *size > 1).collect();
        // A mission that is its own parent.
        for (event, group) in group.iter().enumerate() {
            if waits_for.of(event).iter().any(|target| *target as usize == event)
                && let Some(slot) = is_circle.get_mut(*group as usize)
            {
                *slot = true;
            }
        }
        // In this order everything that an event waits for is settled before it, so one pass is enough.
        let mut circles = Self { is_held_back: vec![false; waits_for.len()], waits_for, group, is_circle, order };
        for at in 0..circles.order.len() {
            let Some(event) = circles.order.get(at).map(|event| *event as usize) else { continue };
            let mut targets = circles.waits_for.of(event).iter();
            let is_behind = targets.any(|target| circles.is_held_back.get(*target as usize) == Some(&true));
            let is_on = circles.circle(event).is_some();
            if let Some(slot) = circles.is_held_back.get_mut(event) {
                *slot = is_on || is_behind;
            }
        }
        circles
    }

    /// Every mission, so that what its start waits for comes before it, circles apart.
    pub fn dependencies_first(&self) -> impl Iterator<Item = usize> {
        self.order.iter().filter(|event| *event % EVENTS == 0).map(|event| mission(*event) as usize)
    }

    fn circle(&self, event: usize) -> Option<Number> {
        self.group.get(event).copied().filter(|group| self.is_circle.get(*group as usize) == Some(&true))
    }

    /// The circles on which the start and the end of a mission lie.
    fn circles_of(&self, number: usize) -> [Option<Number>; 2] {
        let start = number * EVENTS as usize;
        [self.circle(start), self.circle(start + 1)]
    }

    /// True if the mission lies on a circle.
    pub fn holds(&self, number: usize) -> bool {
        self.circles_of(number).iter().any(Option::is_some)
    }

    /// True if the two missions lie on one circle.
    pub fn shares(&self, one: usize, other: usize) -> bool {
        self.circles_of(one).iter().flatten().any(|circle| self.circles_of(other).contains(&Some(*circle)))
    }

    /// True if the mission can never start because of a circle.
    pub fn holds_back_start(&self, number: usize) -> bool {
        self.is_held_back.get(number * EVENTS as usize) == Some(&true)
    }

    /// True if the mission can never end because of a circle.
    pub fn holds_back_end(&self, number: usize) -> bool {
        self.is_held_back.get(number * EVENTS as usize + 1) == Some(&true)
    }

    /// The parts of a mission that lie on one circle with it.
    pub fn parts(&self, number: usize) -> impl Iterator<Item = Number> {
        let awaited = self.waits_for.of(number * EVENTS as usize + 1).iter().copied();
        let parts = awaited.filter(|event| event % EVENTS == 1).map(mission);
        parts.filter(move |part| self.shares(number, *part as usize))
    }

    /// The shortest circle through the smallest id of each group, in the order of these ids.
    pub fn shortest(&self, indexed: &Indexed<'_>) -> Vec<Vec<MissionId>> {
        if !self.is_circle.contains(&true) {
            return Vec::new();
        }
        let mut told = vec![false; self.is_circle.len()];
        let mut came_from = vec![NOWHERE; self.waits_for.len()];
        let mut found = Vec::new();
        for (event, number) in (0..self.waits_for.len()).zip(0..) {
            let Some(circle) = self.circle(event) else { continue };
            if told.get_mut(circle as usize).is_some_and(|told| !std::mem::replace(told, true)) {
                let events = [start(mission(number)), end(mission(number))];
                let own = events.into_iter().filter(|event| self.circle(*event as usize) == Some(circle));
                let shortest = own.filter_map(|event| self.back_to(event, &mut came_from)).min_by_key(Vec::len);
                let missions = shortest.unwrap_or_default().into_iter().map(mission);
                let ids = missions.filter_map(|number| indexed.ids.get(number as usize).copied());
                let mut ids: Vec<MissionId> = ids.cloned().collect();
                ids.dedup();
                // A mission that waits for itself is told as a circle from it and back.
                if ids.len() == 1 {
                    ids.extend_from_within(..);
                }
                found.push(ids);
            }
        }
        found
    }

    /// The shortest way from an event along what it waits for, back to itself. `came_from` is empty before and after.
    fn back_to(&self, from: Number, came_from: &mut [Number]) -> Option<Vec<Number>> {
        let mut seen = vec![from];
        let mut way = None;
        let mut at = 0;
        while let (Some(&event), None) = (seen.get(at), &way) {
            at += 1;
            for &next in self.waits_for.of(event as usize) {
                if next == from {
                    way = Some(way_back(from, event, came_from));
                    break;
                }
                let slot = came_from.get_mut(next as usize)?;
                if *slot == NOWHERE && self.group.get(next as usize) == self.group.get(from as usize) {
                    *slot = event;
                    seen.push(next);
                }
            }
        }
        // Only what was touched is cleared: clearing the table for each circle would be quadratic.
        for event in seen {
            *came_from.get_mut(event as usize)? = NOWHERE;
        }
        way
    }
}

/// The way that a search took from `from` to `last`, closed by `from`.
fn way_back(from: Number, last: Number, came_from: &[Number]) -> Vec<Number> {
    let mut way = vec![from];
    let mut event = last;
    while event != from && event != NOWHERE {
        way.push(event);
        event = came_from.get(event as usize).copied().unwrap_or(NOWHERE);
    }
    way.push(from);
    way.reverse();
    way
}

/// The events that each event waits for, by number.
fn waits_for(indexed: &Indexed<'_>) -> Lists {
    let missions = indexed.nodes.len();
    // The parts of a mission, as a chain: the newest part of each mission, and of each part the one before it.
    let (mut newest, mut before) = (vec![NOWHERE; missions], vec![NOWHERE; missions]);
    for (part, number) in (0..missions).zip(0..) {
        if let Some(newest) = indexed.parent(part).and_then(|parent| newest.get_mut(parent as usize))
            && let Some(before) = before.get_mut(part)
        {
            *before = std::mem::replace(newest, number);
        }
    }
    let is_there = |number: &Number| (*number as usize) < missions;
    let mut waits = Lists::with_capacity(2 * missions, indexed.dependencies.numbers.len() + 3 * missions);
    for (mission, number) in (0..missions).zip(0..) {
        let dependencies = indexed.dependencies.of(mission).iter().copied().filter(is_there);
        waits.push(indexed.parent(mission).filter(is_there).map(start).into_iter().chain(dependencies.map(end)));
        let newest = newest.get(mission).copied().filter(is_there);
        let parts = std::iter::successors(newest, |part| before.get(*part as usize).copied().filter(is_there));
        waits.push(std::iter::once(start(number)).chain(parts.map(end)));
    }
    waits
}

/// Tarjan's strongly connected components without recursion.
struct Groups {
    /// All events, so that what an event waits for comes first, but for those of one group.
    order: Vec<Number>,
    /// The group of each event.
    group: Vec<Number>,
    /// The number of events of each group.
    sizes: Vec<usize>,
}

impl Groups {
    fn find(waits_for: &Lists) -> Self {
        let count = waits_for.len();
        let (mut seen_at, mut low, mut group) = (vec![NOWHERE; count], vec![0; count], vec![NOWHERE; count]);
        let (mut order, mut stack, mut open) = (Vec::with_capacity(count), Vec::new(), Vec::new());
        let (mut clock, mut groups, mut sizes) = (0, 0, Vec::with_capacity(count));
        for (root, number) in (0..count).zip(0..) {
            if seen_at[root] == NOWHERE {
                open.push((number, 0));
            }
            while let Some((number, next)) = open.last_mut() {
                let (number, event) = (*number, *number as usize);
                if *next == 0 {
                    (seen_at[event], low[event]) = (clock, clock);
                    clock += 1;
                    stack.push(number);
                }
                if let Some(&target) = waits_for.of(event).get(*next as usize) {
                    *next += 1;
                    if seen_at[target as usize] == NOWHERE {
                        open.push((target, 0));
                    } else if group[target as usize] == NOWHERE {
                        // A finished group is off the stack, and nothing in it leads back here.
                        low[event] = low[event].min(seen_at[target as usize]);
                    }
                    continue;
                }
                open.pop();
                if let Some((before, _)) = open.last() {
                    low[*before as usize] = low[*before as usize].min(low[event]);
                }
                if low[event] == seen_at[event] {
                    let members = order.len();
                    while let Some(member) = stack.pop() {
                        group[member as usize] = groups;
                        order.push(member);
                        if member == number {
                            break;
                        }
                    }
                    sizes.push(order.len() - members);
                    groups += 1;
                }
            }
        }
        Self { order, group, sizes }
    }
}
