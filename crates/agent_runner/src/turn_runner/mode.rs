//! The mode of an agent: how far it may act by itself. A stop of all robots goes before whatever a person was setting when it came.

use std::sync::{Arc, Mutex};

use agent::Mode;
use memory::{AgentDb, MemoryError, StateKey};

use super::TurnRunner;
use crate::agents::AgentUnit;
use crate::runner::AgentRunner;
use runtime::error::{OpError, RuntimeCode};
use runtime::lock::lock;
use runtime::wire::Tag;

/// The mode of one agent.
#[derive(Debug, Default)]
pub(super) struct AgentMode {
    held: Mutex<Held>,
    /// Held while it is saved, so that the disk ends with what is held here.
    saving: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Held {
    mode: Mode,
    /// Stops of all robots in this run.
    stops: u64,
}

/// True if the agent does nothing in `mode` without being let, which no stop takes back.
const fn is_bound(mode: &Mode) -> bool {
    match mode {
        Mode::Watch | Mode::Ask => true,
        Mode::Assist | Mode::Run(_) => false,
    }
}

impl AgentMode {
    /// The mode that an earlier run has left.
    pub fn of(mode: Mode) -> Self {
        Self { held: Mutex::new(Held { mode, stops: 0 }), saving: tokio::sync::Mutex::default() }
    }

    /// The mode now.
    pub fn get(&self) -> Mode {
        lock(&self.held).mode.clone()
    }

    /// Stops so far.
    fn stops(&self) -> u64 {
        lock(&self.held).stops
    }

    /// Sets what was asked for after so many `stops`; false if there was another one, which takes the freedom back.
    fn set(&self, mode: &Mode, stops: u64) -> bool {
        let mut held = lock(&self.held);
        let may = held.stops == stops || is_bound(mode);
        if may {
            held.mode = mode.clone();
        }
        may
    }

    /// All robots were stopped: the agent asks for everything, unless it may do even less. True if that is new.
    fn stop(&self) -> bool {
        let mut held = lock(&self.held);
        held.stops += 1;
        let was_free = !is_bound(&held.mode);
        if was_free {
            held.mode = Mode::Ask;
        }
        was_free
    }

    /// Saves the mode.
    pub async fn save(&self, db: &AgentDb) -> Result<(), MemoryError> {
        let _saving = self.saving.lock().await;
        db.set_state(StateKey::Mode, Some(&self.get())).await
    }
}

impl TurnRunner {
    /// Sets how far the agent may act by itself: a person's act.
    ///
    /// # Errors
    /// `wrong_state` if all robots were stopped meanwhile; then the agent asks for everything.
    pub(crate) async fn set_mode(&self, runner: &AgentRunner, db: &AgentDb, mode: Mode) -> Result<Mode, OpError> {
        let stops = self.mode.stops();
        let saving = self.mode.saving.lock().await;
        // On disk first: the mode that is answered for holds in the next run too.
        db.set_state(StateKey::Mode, Some(&mode)).await?;
        let is_set = self.mode.set(&mode, stops);
        drop(saving);
        if !is_set {
            self.save_mode(db).await;
            let message = "All robots were stopped meanwhile, so the agent asks for everything. Set the mode again if it is still wanted.";
            return Err(OpError::new(RuntimeCode::WrongState, message));
        }
        runner.runtime.bus.changed(Tag::Agents);
        Ok(mode)
    }

    /// The agent asks for everything from here on, unless it may do even less: all robots were stopped.
    pub(super) fn bind(&self, runner: &AgentRunner, agent: &Arc<AgentUnit>) {
        if self.mode.stop() {
            runner.runtime.bus.changed(Tag::Agents);
            let agent = Arc::clone(agent);
            runner.runtime.spawn(async move { agent.turns.save_mode(&agent.db).await });
        }
    }

    /// Saves the mode, which holds here in any case; the disk only matters to the next run.
    async fn save_mode(&self, db: &AgentDb) {
        if let Err(error) = self.mode.save(db).await {
            tracing::error!(error = &error as &dyn std::error::Error, "the mode is not saved");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::Rig;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_mode_that_is_being_set_when_all_robots_are_stopped_is_not_set() {
        let rig = Rig::start().await;
        let turns = &rig.agent.turns;
        let run = Mode::Run(robot::MissionId::new("patrol").unwrap());
        for free in [Mode::Assist, run] {
            let disk_is_slow = turns.mode.saving.lock().await;
            let set = turns.set_mode(&rig.runner, &rig.agent.db, free);
            let stop = async {
                turns.stopped(&rig.runner, &rig.agent);
                drop(disk_is_slow);
            };
            let (set, ()) = tokio::join!(set, stop);
            assert_eq!(set.unwrap_err().code, "wrong_state");
            assert_eq!(turns.mode(), Mode::Ask);
            assert_eq!(rig.agent.db.state(StateKey::Mode).await.unwrap(), Some(Mode::Ask));
        }
    }

    #[test]
    fn a_stop_takes_back_only_what_lets_the_agent_act() {
        let mode = AgentMode::of(Mode::Assist);
        let asked = mode.stops();
        assert!(mode.stop() && mode.get() == Mode::Ask);
        assert!(mode.set(&Mode::Watch, asked), "less than a stop leaves is never refused");
        assert!(!mode.stop() && mode.get() == Mode::Watch);
        assert!(!mode.set(&Mode::Assist, asked));
        assert!(mode.set(&Mode::Assist, mode.stops()) && mode.get() == Mode::Assist);
    }
}
