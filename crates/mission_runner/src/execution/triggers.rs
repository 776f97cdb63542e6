//! The triggers of a live mission: what fires begins a run, and what fires during one is counted.

use missions::Start;
use missions::format::front::Trigger;
use missions::lifecycle::{Phase, PhaseEvent, State, Status};
use missions::run::{Run, RunStart};
use missions::trigger::Firing;
use robot::MissionId;
use world::predicate::Truth;

use crate::execution::goals;
use crate::execution::work::{Looked, Watched};
use crate::lives::{Life, Version, rules};
use crate::runner::{AgentMissions, MissionRunner};
use crate::view::graph::Parts;
use runtime::error::OpError;

/// Starts a run of a mission that is live and whose trigger has fired, or goes on with the one that a pause
/// interrupted.
pub(crate) async fn start(looked: Looked<'_>, parts: Parts, watched: &mut Watched) -> Result<(), OpError> {
    let Looked { runner, agent, id, life } = looked;
    let Some(version) = &life.version else { return Ok(()) };
    let front = &version.file.parsed.front;
    // A pause has interrupted it; what fires now belongs to no other run as long as that one is open.
    if life.run.as_ref().is_some_and(|run| !run.has_ended()) {
        return begin(runner, agent, id, Starter { version, firings: &[], cause: None, asks: false }).await.map(drop);
    }
    if version.file.goal_count() == 0 && parts.count == 0 {
        return if front.completes_when.is_some() { goals::end_if_done(looked, parts, watched).await } else { Ok(()) };
    }
    let firings = look(looked, version, watched);
    let starts = firings.iter().any(|firing| matches!(firing, Firing::Fires | Firing::Missed));
    // Each is looked at, whatever the others say: one may have to hold for a while.
    let mut holds = true;
    for (number, rule) in rules(front).enumerate() {
        holds &= watched.truth(looked, version.precondition_place(number), rule) == Truth::True;
    }
    if !starts || !holds {
        return count(looked, &firings).await;
    }
    // A time that was missed while the station was down may be hours ago; a person says if it still makes sense.
    let asks = !firings.contains(&Firing::Fires);
    begin(runner, agent, id, Starter { version, firings: &firings, cause: None, asks }).await.map(drop)
}

/// Counts what fires during a run and starts nothing.
pub(crate) async fn during_run(looked: Looked<'_>, watched: &mut Watched) -> Result<(), OpError> {
    let Some(version) = &looked.life.version else { return Ok(()) };
    let firings = look(looked, version, watched);
    count(looked, &firings).await
}

/// The beginning of a run.
pub(crate) struct Starter<'s> {
    pub version: &'s Version,
    /// The look at each trigger of the text; empty if none of them is the reason.
    pub firings: &'s [Firing],
    /// The reason besides them.
    pub cause: Option<Start>,
    /// True if a person says first whether it begins.
    pub asks: bool,
}

/// Brings a live mission into a run; false if it is not live any more.
pub(crate) async fn begin(
    runner: &MissionRunner,
    agent: &AgentMissions,
    id: &MissionId,
    Starter { version, firings, cause, asks }: Starter<'_>,
) -> Result<bool, OpError> {
    let now_ms = runner.runtime.clock.now().wall_ms;
    let count = version.file.goal_count();
    let begun = |life: &Life| {
        let phase = life.state.phase.after(PhaseEvent::Triggered)?;
        // Asked of the life under the lock: two firings at once must not begin two runs.
        let open = life.run.clone().filter(|run| !run.has_ended());
        let run = open.unwrap_or_else(|| {
            let start = cause.or_else(|| start_of(version, firings));
            let start = RunStart { id: format!("run-{}", uuid::Uuid::now_v7()), number: life.runs + 1, start };
            let mut run = Run::new(start, count, now_ms);
            if asks {
                run.interrupt(true);
            }
            run
        });
        let mut triggers = life.fired(firings.len());
        let mut is_taken = false;
        for (one, firing) in triggers.iter_mut().zip(firings) {
            match firing {
                Firing::Fires | Firing::Missed => {
                    one.last_ms = Some(now_ms);
                    // One run begins, whatever else fires at the same moment.
                    one.dropped += u32::from(is_taken);
                    is_taken = true;
                }
                Firing::TooSoon => one.dropped += 1,
                Firing::Rests => {}
            }
        }
        let state = State { phase, ..life.state.clone() };
        let runs = life.runs.max(run.number);
        (life.state.status == Status::Active).then(|| Life { state, run: Some(run), runs, triggers, ..life.clone() })
    };
    agent.change_life(runner, id, "station", begun).await
}

/// The trigger that begins a run.
fn start_of(version: &Version, firings: &[Firing]) -> Option<Start> {
    let at = |wanted| firings.iter().position(|firing| *firing == wanted);
    match (at(Firing::Fires), at(Firing::Missed)) {
        (Some(number), _) => version.file.start(number),
        (None, Some(number)) => version.file.start(number).map(|start| Start::Late { start: Box::new(start) }),
        (None, None) => None,
    }
}

/// Looks at every trigger of a text.
fn look(looked: Looked<'_>, version: &Version, watched: &mut Watched) -> Vec<Firing> {
    let Looked { runner, life, .. } = looked;
    let (front, now) = (&version.file.parsed.front, runner.runtime.clock.now());
    let before = life.fired(front.triggers.len());
    let mut firings = Vec::with_capacity(before.len());
    for (number, (trigger, fired)) in front.triggers.iter().zip(&before).enumerate() {
        let place = format!("trigger {number} of {}", version.activation.id);
        let truth = match &trigger.value {
            Trigger::When { rule, .. } => Some(watched.truth(looked, place.clone(), rule)),
            Trigger::Immediate | Trigger::Spawn | Trigger::Cron(_) | Trigger::At(_) => None,
        };
        // `immediate` starts the first run of an activation and no further one.
        let is_over = trigger.value == Trigger::Immediate && life.run.is_some();
        let watch = watched.trigger(runner, looked.id, place);
        let firing = trigger.value.look(fired, watch, &version.zone, now, truth);
        firings.push(if is_over { Firing::Rests } else { firing });
    }
    firings
}

/// Notes what fired and started nothing.
async fn count(Looked { runner, agent, id, .. }: Looked<'_>, firings: &[Firing]) -> Result<(), OpError> {
    if firings.iter().all(|firing| *firing == Firing::Rests) {
        return Ok(());
    }
    let now_ms = runner.runtime.clock.now().wall_ms;
    let counted = |life: &Life| {
        let version = life.version.as_ref()?;
        let mut triggers = life.fired(firings.len());
        let declared = version.file.parsed.front.triggers.iter();
        for ((one, firing), trigger) in triggers.iter_mut().zip(firings).zip(declared) {
            // A start that still stands is not dropped, so counting it would tell people of a loss that is none.
            if *firing == Firing::Rests || waits_for_preconditions(&trigger.value, life) {
                continue;
            }
            one.dropped = one.dropped.saturating_add(1);
            if matches!(trigger.value, Trigger::At(_)) {
                // Its only time is over.
                one.last_ms = Some(now_ms);
            }
        }
        // Nothing is written where nothing has changed: this comes by every half second.
        let is_other = triggers != life.triggers && life.state.status == Status::Active;
        is_other.then(|| Life { triggers, ..life.clone() })
    };
    agent.change_life(runner, id, "station", counted).await.map(drop)
}

/// True of the start of a live mission that only has to wait until its preconditions hold again.
fn waits_for_preconditions(trigger: &Trigger, life: &Life) -> bool {
    matches!(trigger, Trigger::Immediate) && life.state.phase == Phase::Live
}
