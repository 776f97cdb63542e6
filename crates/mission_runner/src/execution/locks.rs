//! Locks on the parts of robots: taken before a run moves one, kept while it needs them, and given back with its end,
//! with a pause, and with a question to a person. A run that waits for one part has no other, so that no order ends
//! in a deadlock.

use std::collections::BTreeSet;

use missions::format::front::{Goal, Hold};
use missions::locks::{Needed, needed};
use missions::run::{GoalState, Run};
use missions::{Catalog, CatalogMissions};
use missions::{MissionFile, Parsed};
use robot::MissionId;
use serde_json::Value;

use crate::execution::held_locks::{HeldLocks, Taken};
use crate::execution::work::Looked;
use crate::lives::Version;
use crate::runner::{AgentMissions, MissionRunner, robot_of};
use crate::surroundings::LockedPart;
use runtime::lock::lock;
use runtime::wire::MissionLock;

impl MissionRunner {
    /// Keeps what the run of a mission needs now, gives back the rest, and takes what is missing once a step can begin:
    /// what was lost with control of a robot is not taken back before. True if it has all of it.
    pub(crate) fn take_locks(&self, Looked { agent, id, life, .. }: Looked<'_>) -> bool {
        let Some((version, run)) = life.version.as_ref().zip(life.run.as_ref()) else { return true };
        let mut all = lock(&agent.locks);
        if all.get(id).is_none_or(|held| held.activation != version.activation.id) {
            // Another text may lock other parts, and its goals have other numbers.
            all.remove(id);
            all.insert(id.clone(), self.locks_of(version));
        }
        let Some(held) = all.get_mut(id) else { return false };
        let needs = needed(&held.parts, &held.moves, run, self.runtime.clock.now().wall_ms);
        // Nothing new is taken while no step can begin; a robot that is not ready would be kept from others.
        if !self.begins_step(agent, version, run) {
            held.waits_for = None;
            // No short circuit: both leases have to be renewed, also where the first is lost.
            return held.run.keep(&needs.run) & held.command.keep(&needs.command);
        }
        held.waits_for = self.take(agent, id, held, &needs).err();
        held.waits_for.is_none()
    }

    /// True if the present goal is a step whose robot could move now.
    fn begins_step(&self, agent: &AgentMissions, version: &Version, run: &Run) -> bool {
        let is_next = run.goal().is_some_and(|goal| goal.state == GoalState::Current);
        let goal = run.current().and_then(|number| version.file.parsed.front.goals.get(number));
        let Some(Goal::Step { operation, input, .. }) = goal.map(|goal| &goal.value).filter(|_| is_next) else {
            return false;
        };
        let robot = robot_of(self, operation, &Value::Object(input.clone()));
        robot.is_some_and(|robot| self.host.fleet.not_ready(&agent.id, &robot).is_none())
    }

    fn take(
        &self,
        agent: &AgentMissions,
        id: &MissionId,
        held: &mut HeldLocks,
        needs: &Needed,
    ) -> Result<(), LockedPart> {
        let HeldLocks { run, command, .. } = held;
        let done = self.hold(agent, id, run, &needs.run).and_then(|()| self.hold(agent, id, command, &needs.command));
        if done.is_err() {
            // All or nothing: a run that keeps one part while it waits for another could deadlock (decision 0167).
            (*run, *command) = (Taken::default(), Taken::default());
        }
        done
    }

    fn hold(
        &self,
        agent: &AgentMissions,
        id: &MissionId,
        taken: &mut Taken,
        parts: &BTreeSet<String>,
    ) -> Result<(), LockedPart> {
        // What is held already would keep its owner from asking for more.
        if !taken.keep(parts) && !parts.is_empty() {
            let guard = Some(self.host.fleet.lock(&agent.id, id, parts)?);
            *taken = Taken { parts: parts.clone(), guard };
        }
        Ok(())
    }

    fn locks_of(&self, version: &Version) -> HeldLocks {
        let catalog = self.robots_and_operations();
        let Parsed { front, .. } = &version.file.parsed;
        HeldLocks {
            activation: version.activation.id.clone(),
            parts: catalog.locked_parts(&version.file.parsed),
            moves: catalog.moving_goals(front),
            run: Taken::default(),
            command: Taken::default(),
            waits_for: None,
        }
    }

    /// As much of the site as decides on locks.
    pub(crate) fn robots_and_operations(&self) -> Catalog {
        Catalog {
            robots: self.host.fleet.robots(),
            operations: self.host.agents.operations(),
            missions: CatalogMissions::default(),
            providers: Vec::new(),
            time_zone: self.runtime.zone.clone(),
        }
    }

    /// The locks of a text, with those that its mission has now.
    pub(crate) fn lock_rows(&self, agent: &AgentMissions, file: &MissionFile) -> Vec<MissionLock> {
        let parts = self.robots_and_operations().locked_parts(&file.parsed);
        let all = lock(&agent.locks);
        let held = all.get(&file.id);
        let row = |(part, hold): (String, Hold)| MissionLock {
            whole_run: hold == Hold::Run,
            is_held: held.is_some_and(|held| held.run.parts().chain(held.command.parts()).any(|other| *other == part)),
            holder: held
                .and_then(|held| held.waits_for.as_ref())
                .filter(|locked| locked.part == part)
                .map(|locked| locked.holder.clone().unwrap_or_else(|| "somebody".to_owned())),
            part,
        };
        parts.into_iter().map(row).collect()
    }
}

impl AgentMissions {
    /// Gives back what a mission has locked.
    pub(crate) fn drop_locks(&self, id: &MissionId) {
        let dropped = lock(&self.locks).remove(id);
        // Outside the lock, because giving back takes the lock of the leases and wakes those who wait.
        drop(dropped);
    }

    /// Gives back what missions have locked that are in no run.
    pub(crate) fn drop_locks_but(&self, running: &BTreeSet<&MissionId>) {
        lock(&self.locks).retain(|id, _| running.contains(id));
    }

    /// The number of parts that a mission has locked.
    pub(crate) fn locked(&self, id: &MissionId) -> usize {
        lock(&self.locks).get(id).map_or(0, |held| held.run.parts().chain(held.command.parts()).count())
    }

    /// The part that a mission waits for.
    pub(crate) fn waits_for_part(&self, id: &MissionId) -> Option<LockedPart> {
        lock(&self.locks).get(id)?.waits_for.clone()
    }
}
