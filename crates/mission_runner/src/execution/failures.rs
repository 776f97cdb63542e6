//! Failures of missions, in a sentence and as an alarm.

use missions::lifecycle::{Cause, Status};
use robot::MissionId;
use world::alarm::{BuiltIn, Of};

use crate::lives::Life;
use crate::runner::{AgentMissions, MissionRunner};

/// Raises the alarm of every mission that a failure keeps from going on.
pub(crate) fn tell_failed(runner: &MissionRunner, agent: &AgentMissions) {
    for id in agent.lives.all().keys() {
        tell_failed_one(runner, agent, id);
    }
}

/// Raises the alarm of a mission that a failure keeps from going on, or ends it.
pub(crate) fn tell_failed_one(runner: &MissionRunner, agent: &AgentMissions, id: &MissionId) {
    let Some(life) = agent.lives.life(id) else { return };
    let is_failure = matches!(life.state.cause, Some(Cause::Failure(_)));
    let is_paused = life.state.status == Status::Paused;
    let sentence = (life.state.status == Status::Failed || (is_paused && is_failure)).then(|| failure_of(id, &life));
    let of = Of::agent(&agent.id).item(id.as_str()).mission(Some(id.clone()));
    runner.host.sensing.set_alarm(BuiltIn::MissionFailed, &of, sentence);
}

/// A sentence on the goal of a mission that failed.
pub(crate) fn failure_of(id: &MissionId, life: &Life) -> String {
    let Some((run, version)) = life.run.as_ref().zip(life.version.as_ref()) else {
        return format!("Mission {id} failed.");
    };
    let number = run.current().unwrap_or_default();
    let detail = run.goal().and_then(|goal| goal.detail.as_deref());
    let why = detail.map_or_else(String::new, |detail| format!(", {}", detail.trim_end_matches('.')));
    format!("Goal {} of mission {id} failed ({}){why}.", number + 1, version.file.goal_words(number))
}
