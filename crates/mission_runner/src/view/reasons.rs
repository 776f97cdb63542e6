//! The one word for where a mission stands, and why, in a sentence that a person can act on.

use std::collections::BTreeMap;

use missions::Located;
use missions::format::front::{Goal, Trigger};
use missions::goals::Answer;
use missions::graph::{Evaluation, Wait, WaitReason};
use missions::lifecycle::{Cause, Phase, Status};
use missions::run::{GoalState, Run};
use missions::trigger::Fired;
use robot::MissionId;
use serde_json::Value;
use world::predicate::{Memory, Rule, Truth};

use crate::execution::failures::failure_of;
use crate::execution::money::told_if_spent;
use crate::lives::{Life, Version, rules};
use crate::runner::{AgentMissions, MissionRunner, Money, robot_of};
use crate::surroundings::{LockedPart, NotReady, TurnHindrance};
use runtime::lock::lock;
use runtime::wire::{MissionReason, MissionReasonCode as Code, MissionState as State};

/// Waits that one sentence names.
const WAITS_MAX: usize = 3;
/// Missions of a path that a sentence names.
const PATH_SHOWN: usize = 4;

/// A state with the cause of it.
type StateAndReason = (State, Option<(Code, String)>);

/// The view of one mission among the others.
pub(crate) struct View<'v> {
    pub runner: &'v MissionRunner,
    pub agent: &'v AgentMissions,
    /// The money of each mission that has a budget.
    pub money: &'v BTreeMap<MissionId, Money>,
    /// None as long as no mission waits for another.
    pub evaluation: Option<&'v Evaluation>,
}

impl View<'_> {
    /// The state of a mission, and the reason why it is not simply active.
    pub fn state_of(&self, id: &MissionId, life: &Life) -> (State, Option<MissionReason>) {
        let (state, told) = self.told(id, life);
        let since_ms = match life.run.as_ref().and_then(Run::goal) {
            Some(goal) if life.state.phase == Phase::Running => goal.since_ms,
            Some(_) | None => life.since_ms,
        };
        (state, told.map(|(code, sentence)| MissionReason { code, sentence, since_ms }))
    }

    fn told(&self, id: &MissionId, life: &Life) -> StateAndReason {
        let because = |state, code, sentence: &str| (state, Some((code, sentence.to_owned())));
        let unsettled = lock(&self.agent.unsettled).get(id).cloned();
        if let (Status::Active, Some(why)) = (life.state.status, unsettled) {
            return because(State::Blocked, Code::NotInForce, &format!("What it declares is not in force: {why}"));
        }
        let spent = self.money.get(id).and_then(|money| told_if_spent(*money));
        if let Some(why) = spent.filter(|_| life.state.status == Status::Active) {
            return (State::Blocked, Some((Code::Budget, why)));
        }
        match (life.state.status, life.state.phase) {
            (Status::Active, Phase::Live) => self.live(life),
            (Status::Active, Phase::Running) => match (&life.run, &life.version) {
                (Some(run), Some(version)) => self.running(id, run, version),
                (None, _) | (_, None) => (State::Active, None),
            },
            (Status::Active, Phase::Checking) => {
                because(State::Checking, Code::CheckRunning, "Whether it may start is asked; a person can start it.")
            }
            (Status::Active, Phase::Held) => self.held(id, life),
            (Status::Paused, _) => (State::Paused, life.state.cause.as_ref().map(|cause| paused(cause, id, life))),
            (Status::Completed, _) => (State::Completed, None),
            (Status::Failed, _) => (State::Failed, Some((Code::Failure, failure_of(id, life)))),
            (Status::Cancelled, _) => match &life.state.cause {
                Some(Cause::Parent(parent)) => {
                    (State::Cancelled, Some((Code::Parent, format!("It was cancelled with {parent}."))))
                }
                Some(Cause::Expired) => {
                    because(State::Cancelled, Code::Expired, "Its time is over. It may be activated again.")
                }
                Some(_) | None => because(State::Cancelled, Code::Person, "It was cancelled, which is for good."),
            },
        }
    }

    /// A mission that has begun: one with goals waits for what starts its next run.
    fn live(&self, life: &Life) -> StateAndReason {
        let waiting = life.version.as_ref().filter(|_| life.waits_for_trigger());
        let Some(version) = waiting else { return (State::Active, None) };
        let (front, now) = (&version.file.parsed.front, self.runner.runtime.clock.now());
        let fired = life.fired(front.triggers.len());
        let phrase = |(number, (trigger, fired)): (usize, (&Located<Trigger>, &Fired))| {
            let next_ms = trigger.value.next_ms(fired, &version.zone, now);
            let next = next_ms.map_or_else(String::new, |at_ms| format!(" (next {})", version.zone.rfc3339(at_ms)));
            let start = version.file.start(number).filter(|_| trigger.value != Trigger::Immediate)?;
            Some(format!("{start}{next}"))
        };
        let phrases: Vec<String> = front.triggers.iter().zip(&fired).enumerate().filter_map(phrase).collect();
        if phrases.is_empty() {
            return (State::Active, None);
        }
        (State::Waiting, Some((Code::Trigger, format!("It starts {}.", phrases.join(", or ")))))
    }

    /// A mission that waits for others, or for its preconditions.
    fn held(&self, id: &MissionId, life: &Life) -> StateAndReason {
        let waits = self.evaluation.map_or(&[][..], |evaluation| evaluation.waits_of(id));
        if let (Some(worst), Some(evaluation)) = (waits.iter().max_by_key(|wait| weight(wait.reason)), self.evaluation)
        {
            let (state, code) = (state_for(worst.reason), code_for(worst.reason));
            let mut sentences: Vec<String> =
                waits.iter().take(WAITS_MAX).map(|wait| sentence_for(wait, evaluation)).collect();
            if waits.len() > WAITS_MAX {
                sentences.push(format!("It waits for {} more.", waits.len() - WAITS_MAX));
            }
            return (state, Some((code, sentences.join(" "))));
        }
        let front = life.version.as_ref().map(|version| &version.file.parsed.front);
        let sensing = &self.runner.host.sensing;
        let is_open = |rule: &&_| sensing.truth(&self.agent.id, rule, &mut Memory::of(rule)) != Truth::True;
        if let Some(rule) = front.into_iter().flat_map(rules).find(is_open) {
            let values = sensing.values(&self.agent.id, rule);
            return (State::Waiting, Some((Code::Precondition, format!("Waits until {rule}: {values}."))));
        }
        (State::Waiting, Some((Code::CheckNext, "What it needs is done; whether it may start is asked next.".into())))
    }

    /// A mission in a run: what its present goal waits for.
    fn running(&self, id: &MissionId, run: &Run, version: &Version) -> StateAndReason {
        let front = &version.file.parsed.front;
        let Some((number, goal)) = run.current().zip(run.goal()) else {
            let until = front.completes_when.as_ref().map_or_else(
                || "its parts are completed".to_owned(),
                |rule| format!("{}: {}", rule.value, self.runner.host.sensing.values(&self.agent.id, &rule.value)),
            );
            let sentence = format!("Every goal is done. Waits until {until}.");
            return (State::Waiting, Some((Code::GoalsDone, sentence)));
        };
        let named = format!("Goal {} ({})", number + 1, version.file.goal_words(number));
        if !run.ask.is_empty() {
            return (State::Blocked, Some((Code::Ask, question(&named, run))));
        }
        if run.retry_at_ms.is_some() && goal.state == GoalState::Current {
            return (State::Waiting, Some((Code::Retry, format!("{named} failed and is tried again soon."))));
        }
        let has_no_model = goal.state == GoalState::Current
            && self.runner.host.agents.no_turn(&self.agent.id) == Some(TurnHindrance::NoModel);
        if version.file.is_taken_up() && has_no_model {
            let sentence = "The next turn needs a language model, and the agent has none. Select one for it.";
            return (State::Blocked, Some((Code::NoModel, sentence.to_owned())));
        }
        match (front.goals.get(number).map(|goal| &goal.value), goal.state) {
            (Some(Goal::Step { operation, input, .. }), GoalState::Current) => {
                let robot = robot_of(self.runner, operation, &Value::Object(input.clone()));
                match robot.and_then(|robot| self.runner.host.fleet.not_ready(&self.agent.id, &robot)) {
                    Some(NotReady { sentence, .. }) => {
                        (State::Blocked, Some((Code::Robot, format!("{named} is next. {sentence}"))))
                    }
                    None => match self.agent.waits_for_part(id) {
                        Some(locked) => (State::Blocked, Some((Code::Lock, waits_for_part(&named, &locked)))),
                        None => (State::Active, None),
                    },
                }
            }
            (Some(Goal::Step { .. }), GoalState::Dispatched) if goal.proposal.is_some() && !goal.is_approved => {
                (State::Blocked, Some((Code::Approval, format!("{named} waits for a person's approval."))))
            }
            (Some(Goal::Text { done_when, .. }), _) if has_no_model => {
                (State::Blocked, Some((Code::NoModel, needs_model(&named, done_when.as_ref()))))
            }
            (Some(Goal::Text { done_when: None, .. }), _) if goal.turns > 0 && !self.agent.has_turn(id) => {
                (State::Blocked, Some((Code::Ask, format!("{named} is done when a person says so."))))
            }
            (Some(Goal::Step { .. } | Goal::Text { .. } | Goal::WaitFor { .. } | Goal::WaitSecs(_)) | None, _) => {
                (State::Active, None)
            }
        }
    }
}

fn needs_model(named: &str, done_when: Option<&Rule>) -> String {
    let rule = done_when.map_or_else(String::new, |rule| format!("{rule}, or "));
    format!(
        "{named} needs a language model to be worked on, and the agent has none. It is done when {rule}a person says so."
    )
}

fn waits_for_part(named: &str, LockedPart { part, holder }: &LockedPart) -> String {
    match holder {
        Some(holder) => format!("{named} waits for {part}, which {holder} has."),
        None => format!("{named} waits for {part}; who has it cannot be told."),
    }
}

/// The question of a run, for people.
fn question(named: &str, run: &Run) -> String {
    let detail = run.goal().and_then(|goal| goal.detail.as_deref());
    let why = detail.map_or_else(String::new, |detail| format!(": {}", detail.trim_end_matches('.')));
    if run.ask == [Answer::Continue] {
        return format!("{named} is next. A person says whether it goes on.");
    }
    if run.ask.contains(&Answer::StepDone) {
        return format!("{named} was interrupted or has no clear end{why}. A person says how it ended.");
    }
    format!("{named}: nothing was sent{why}. A person says whether it is tried again.")
}

fn paused(cause: &Cause, id: &MissionId, life: &Life) -> (Code, String) {
    match cause {
        Cause::Stop => (Code::Stop, "Paused by a stop; release it, then resume.".to_owned()),
        Cause::Fallback(_) => (Code::Fallback, "Paused by the response to a failure.".to_owned()),
        Cause::CompileFailed => (Code::CompileFailed, "Paused because its text cannot be used any more.".to_owned()),
        Cause::Failure(_) => (Code::Failure, format!("Paused. {}", failure_of(id, life))),
        Cause::Parent(parent) => (Code::Parent, format!("Paused with {parent}, which it is a part of.")),
        Cause::Expired => (Code::Expired, "Its time is over.".to_owned()),
        Cause::Person(name) => (Code::Person, format!("Paused by {name}.")),
        Cause::Machine(name) => (Code::Machine, format!("Paused by the program {name}.")),
        Cause::Agent(name) => (Code::Agent, format!("Paused by the agent {name}.")),
    }
}

/// The state of a mission that waits for that reason: waiting resolves by itself, blocked needs a person.
pub(crate) const fn state_for(reason: WaitReason) -> State {
    match reason {
        WaitReason::Dependency
        | WaitReason::DependencyPaused
        | WaitReason::DependencyDraft
        | WaitReason::DependencyNeverCompletes
        | WaitReason::Parent => State::Waiting,
        WaitReason::DependencyMissing
        | WaitReason::DependencyCycle
        | WaitReason::DependencyFailed
        | WaitReason::DependencyCancelled
        | WaitReason::Upstream => State::Blocked,
    }
}

const fn code_for(reason: WaitReason) -> Code {
    match reason {
        WaitReason::Dependency | WaitReason::DependencyNeverCompletes => Code::Dependency,
        WaitReason::Parent => Code::Parent,
        WaitReason::DependencyMissing => Code::DependencyMissing,
        WaitReason::DependencyCycle => Code::DependencyCycle,
        WaitReason::DependencyFailed => Code::DependencyFailed,
        WaitReason::DependencyCancelled => Code::DependencyCancelled,
        WaitReason::DependencyPaused => Code::DependencyPaused,
        WaitReason::DependencyDraft => Code::DependencyDraft,
        WaitReason::Upstream => Code::Upstream,
    }
}

/// The weight of a reason: of several, the heaviest names the state.
fn weight(reason: WaitReason) -> (bool, WaitReason) {
    (state_for(reason) == State::Blocked, reason)
}

/// The first missions of a path and its end: a path through hundreds of missions is no sentence.
fn shown_path(path: &[MissionId]) -> String {
    let names = |part: &[MissionId]| part.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ← ");
    match path {
        [first @ .., root] if path.len() > PATH_SHOWN => format!("{} ← … ← {root}", names(&first[..PATH_SHOWN - 1])),
        _ => names(path),
    }
}

/// The sentence that tells of a wait.
pub(crate) fn sentence_for(wait: &Wait, evaluation: &Evaluation) -> String {
    let other = &wait.waits_for;
    match wait.reason {
        WaitReason::Dependency => format!("Waits for {other} to be completed."),
        WaitReason::DependencyNeverCompletes => {
            format!("Waits for a person to complete {other}, which never completes by itself.")
        }
        WaitReason::Parent => format!("Waits for {other}, which it is a part of, to run."),
        WaitReason::DependencyMissing => format!("Waits for {other}, and there is no such mission."),
        WaitReason::DependencyCycle => format!("Waits for {other}, which waits for it in turn."),
        WaitReason::DependencyFailed => format!("Waits for {other}, which failed."),
        WaitReason::DependencyCancelled => format!("Waits for {other}, which was cancelled."),
        WaitReason::DependencyPaused => format!("Waits for {other}, which is paused."),
        WaitReason::DependencyDraft => format!("Waits for {other}, which nobody has activated."),
        WaitReason::Upstream => {
            let path = shown_path(&evaluation.path(wait));
            format!("Waits for {other}, which waits for something that cannot end: {path}.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mg_04_a_long_path_is_named_by_its_beginning_and_its_root() {
        let path = |count: usize| (0..count).map(|n| format!("m-{n}").parse().unwrap()).collect::<Vec<MissionId>>();
        assert_eq!(shown_path(&path(2)), "m-0 ← m-1");
        assert_eq!(shown_path(&path(4)), "m-0 ← m-1 ← m-2 ← m-3");
        assert_eq!(shown_path(&path(900)), "m-0 ← m-1 ← m-2 ← … ← m-899");
    }
}
