//! The goals of a mission that runs: each is worked on in turn, and its outcome decides what follows. Nothing moves
//! from here: what a step asks for becomes a card that waits for a person, unless the activation approves it, and
//! then passes the gate.

use std::sync::Arc;
use std::time::Duration;

use missions::Start;
use missions::format::front::{Front, Goal, Trigger};
use missions::goals::{Completion, FailureResponse, GoalEnd, GoalReason, Outcome};
use missions::lifecycle::{Act, Cause, Phase, PhaseEvent, State, Status};
use missions::run::{GoalState, RunOutcome};
use robot::MissionId;
use serde_json::Value;
use tokio::sync::mpsc;
use world::predicate::Truth;

use crate::acts;
use crate::execution::failures::failure_of;
use crate::execution::triggers::{self, Starter};
use crate::execution::work::{Looked, Watched};
use crate::lives::{Life, rules};
use crate::runner::{AgentMissions, MissionRunner, robot_of};
use crate::surroundings::{CardNote, StepCall, StepOf};
use crate::view::graph::Parts;
use runtime::crash::{self, CrashPoint};
use runtime::error::OpError;
use runtime::session::Session;

/// Notes on a card that may wait to be taken in.
const NOTES_MAX: usize = 4;

/// Works on the present goal of a mission that runs, as far as that takes no time. Without its locks it moves nothing.
pub(crate) async fn work(
    looked: Looked<'_>,
    parts: Parts,
    has_locks: bool,
    watched: &mut Watched,
) -> Result<(), OpError> {
    let Looked { runner, agent, id, life } = looked;
    let (Some(version), Some(run)) = (&life.version, &life.run) else { return Ok(()) };
    let front = &version.file.parsed.front;
    if !run.is_open(runner.runtime.clock.now().wall_ms) {
        return Ok(());
    }
    let Some((number, state)) = run.current().zip(run.goal().map(|goal| goal.state)) else {
        return end_if_done(looked, parts, watched).await;
    };
    match state {
        GoalState::Failed => return fail(looked, front, number).await,
        // Its end comes from whoever carries it out; sending it again could move the robot twice.
        GoalState::Dispatched | GoalState::Pending | GoalState::Done => return Ok(()),
        GoalState::Current => {}
    }
    let Some(goal) = front.goals.get(number) else { return runner.begin_turn(agent, version, run).await };
    // A repetition is watched under another name, so that it does not inherit the time that has run.
    let attempt = run.goal().map_or(0, |goal| goal.attempt) + run.retries;
    let place = || format!("goal {number} of {}, attempt {attempt}", run.id);
    match &goal.value {
        // It is looked at again half a second later, as long as another has a part of the robot.
        Goal::Step { .. } if !has_locks => Ok(()),
        Goal::Step { operation, input, timeout_secs, .. } => {
            let timeout = Duration::from_secs(u64::from(*timeout_secs));
            let input = Value::Object(input.clone());
            let reason = format!("Goal {} of mission {id}: {}.", number + 1, version.file.goal_words(number));
            let of = StepOf {
                mission: id.clone(),
                activation: version.activation.id.clone(),
                hash: version.activation.hash.clone(),
                run: run.id.clone(),
                goal: number,
                attempt: 0,
            };
            let (operation, is_turned_down) = (operation.clone(), run.is_turned_down());
            begin_step(runner, agent, StepCall { of, operation, input, reason, timeout, is_turned_down }).await
        }
        Goal::WaitFor { rule, timeout_secs } => {
            let waited = watched.elapsed(runner, id, place());
            if watched.truth(looked, place(), rule) == Truth::True {
                return end_wait(looked, number, GoalEnd::done()).await;
            }
            if waited < Duration::from_secs(u64::from(*timeout_secs)) {
                return Ok(());
            }
            let values = runner.host.sensing.values(&agent.id, rule);
            let end = GoalEnd::because(Outcome::Failed, GoalReason::WaitedInVain { values });
            end_wait(looked, number, end).await
        }
        Goal::WaitSecs(secs) if watched.elapsed(runner, id, place()) >= Duration::from_secs(u64::from(*secs)) => {
            end_wait(looked, number, GoalEnd::done()).await
        }
        Goal::Text { done_when: Some(rule), .. } if watched.truth(looked, place(), rule) == Truth::True => {
            end_wait(looked, number, GoalEnd::done()).await
        }
        Goal::Text { .. } => runner.begin_turn(agent, version, run).await,
        Goal::WaitSecs(_) => Ok(()),
    }
}

/// Ticks a goal that is a sentence: a person says that it is done.
pub(crate) async fn tick(
    runner: &MissionRunner,
    agent: &AgentMissions,
    by: &Session,
    id: &MissionId,
    number: usize,
) -> Result<bool, OpError> {
    let now_ms = runner.runtime.clock.now().wall_ms;
    let ticked = |life: &Life| {
        let mut run = life.run.clone().filter(|_| life.may_tick(number))?;
        let done = GoalEnd::because(Outcome::Done, GoalReason::SaidDone { by: by.actor().to_owned() });
        run.end_wait(number, done, now_ms).then(|| (life.state.clone(), Some(run)))
    };
    agent.change(runner, id, by.actor(), ticked).await
}

/// Completes a mission of which everything is done, or ends the run of one that goes on.
pub(crate) async fn end_if_done(looked: Looked<'_>, parts: Parts, watched: &mut Watched) -> Result<(), OpError> {
    let Looked { runner, agent, id, life } = looked;
    let Some(version) = &life.version else { return Ok(()) };
    let front = &version.file.parsed.front;
    let truth = |watched: &mut Watched| {
        let place = format!("completion of {}", version.activation.id);
        let rule = front.completes_when.as_ref()?;
        Some(watched.truth(looked, place, &rule.value))
    };
    let at = Completion {
        goals_done: life.run.as_ref().is_none_or(|run| run.current().is_none()),
        parts: parts.count,
        parts_completed: parts.completed,
        has_open_command: runner.host.fleet.open_commands(id) > 0,
        completes_when: truth(watched),
    };
    if front.is_completed(at) {
        acts::halt(runner, agent, &Session::supervision(), id, &Act::Finish).await?;
    // A run is not over while a command of it may still move the robot.
    } else if front.goes_on(parts.count) && life.state.phase == Phase::Running && !at.has_open_command {
        let now_ms = runner.runtime.clock.now().wall_ms;
        let ended = |life: &Life| {
            let phase = life.state.phase.after(PhaseEvent::RunEnded)?;
            let mut run = life.run.clone()?;
            run.end(RunOutcome::Done, now_ms);
            is_active(life).then(|| (State { phase, ..life.state.clone() }, Some(run)))
        };
        agent.change(runner, id, "station", ended).await?;
    }
    Ok(())
}

/// Does what the file says about a goal that has failed.
async fn fail(looked: Looked<'_>, front: &Front, number: usize) -> Result<(), OpError> {
    let Looked { runner, agent, id, life } = looked;
    let now_ms = runner.runtime.clock.now().wall_ms;
    // On a copy: which response it is has to be known before anything is changed.
    let Some(response) = life.run.clone().and_then(|mut run| run.respond(&front.on_failure, now_ms)) else {
        return Ok(());
    };
    let by = Session::supervision();
    match response {
        FailureResponse::RetryAfter(secs) => {
            let again = |life: &Life| {
                let mut run = life.run.clone().filter(|_| is_running(life))?;
                // Asked again of the life under the lock: a pause or another look may have come first.
                run.respond(&front.on_failure, now_ms)?;
                Some((life.state.clone(), Some(run)))
            };
            if agent.change(runner, id, "station", again).await? {
                let wait = robot::span_in_words(secs.saturating_mul(1_000));
                let sentence = format!("{} It is tried again in {wait}.", failure_of(id, life));
                runner.runtime.bus.event_of(&agent.id, "mission_goal_failed", sentence);
            }
        }
        FailureResponse::Fail => drop(acts::halt(runner, agent, &by, id, &Act::Fail(number)).await?),
        FailureResponse::Pause => {
            drop(acts::halt(runner, agent, &by, id, &Act::Pause(Cause::Failure(number))).await?);
        }
        // The failed one ends first, so that its locks and robots are free for the other.
        FailureResponse::FailAndSpawn(other) => {
            acts::halt(runner, agent, &by, id, &Act::Fail(number)).await?;
            spawn(runner, agent, id, &other).await?;
        }
    }
    Ok(())
}

/// Starts the mission that another one names for its failure. Spawning activates nothing.
async fn spawn(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    id: &MissionId,
    other: &MissionId,
) -> Result<(), OpError> {
    if let Some(life) = agent.lives.life(other)
        && let Some(version) = &life.version
    {
        let front = &version.file.parsed.front;
        let is_named = front.triggers.iter().any(|trigger| trigger.value == Trigger::Spawn);
        let (mut watched, looked) = (Watched::default(), Looked { runner, agent, id: other, life: &life });
        let mut holds = |rule| watched.truth(looked, "spawn".into(), rule) == Truth::True;
        let cause = Some(Start::Failed { mission: id.clone() });
        // Only a mission that declares it may be started so; otherwise any file could start any other.
        if is_named
            && rules(front).all(&mut holds)
            && triggers::begin(runner, agent, other, Starter { version, firings: &[], cause, asks: false }).await?
        {
            return Ok(());
        }
    }
    let sentence = format!("Mission {other} does not start after the failure of {id}: it is not active and live.");
    runner.runtime.bus.event_of(&agent.id, "mission_spawn_missing", sentence);
    Ok(())
}

/// Carries out the step of the present goal, unless its robot could not move: nothing is asked of a person that would
/// be denied. That it is begun is on disk before anything is sent.
async fn begin_step(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    mut call: StepCall,
) -> Result<(), OpError> {
    if robot_of(runner, &call.operation, &call.input)
        .is_some_and(|robot| runner.host.fleet.not_ready(&agent.id, &robot).is_some())
    {
        return Ok(());
    }
    let now_ms = runner.runtime.clock.now().wall_ms;
    let mut attempt = 0;
    let dispatched = |life: &Life| {
        let mut run = life.run.clone().filter(|run| is_running(life) && run.id == call.of.run)?;
        let is_its = run.dispatch(now_ms);
        // Every later note and the end name this attempt, so that a late one cannot end a repetition.
        attempt = run.goal().map_or(0, |goal| goal.attempt);
        is_its.then(|| (life.state.clone(), Some(run)))
    };
    // Not sent unless the disk has it: after a crash an unknown step would be begun a second time.
    if !agent.change(runner, &call.of.mission, "station", dispatched).await? {
        return Ok(());
    }
    crash::point(CrashPoint::MissionDispatch);
    call.of.attempt = attempt;
    let (task_runner, agent) = (Arc::clone(runner), Arc::clone(agent));
    runner.runtime.tasks.spawn(async move { carry_out(&task_runner, &agent, call).await });
    Ok(())
}

/// Carries out a step and takes in how it ends. What the end of the station cuts off is found open at the next start.
async fn carry_out(runner: &Arc<MissionRunner>, agent: &Arc<AgentMissions>, call: StepCall) {
    let of = call.of.clone();
    let (told, mut notes) = mpsc::channel(NOTES_MAX);
    let mut carried = runner.host.agents.carry_out(&agent.id, call, told);
    let end = loop {
        tokio::select! {
            // Left as begun: the next start finds it so and asks a person how it ended.
            () = runner.runtime.ended.cancelled() => return,
            Some(note) = notes.recv() => note_card(runner, agent, &of, &note).await,
            end = &mut carried => break end,
        }
    };
    // What is known of the card is on disk before the end is.
    while let Ok(note) = notes.try_recv() {
        note_card(runner, agent, &of, &note).await;
    }
    crash::point(CrashPoint::MissionEnd);
    let now_ms = runner.runtime.clock.now().wall_ms;
    let ended = |life: &Life| {
        // After a pause the run has been interrupted and asks; the end of the old attempt decides nothing then.
        let mut run = life.run.clone().filter(|run| is_running(life) && run.id == of.run)?;
        run.end_step(of.attempt, end.clone(), now_ms).then(|| (life.state.clone(), Some(run)))
    };
    agent.take_in(runner, &of.mission, ended).await;
    tell_asked(runner, agent, &of.mission);
}

async fn note_card(runner: &MissionRunner, agent: &AgentMissions, of: &StepOf, note: &CardNote) {
    let noted = |life: &Life| {
        // Also while it stands still: a pause must not lose which card or command belongs to the goal.
        let mut run = life.run.clone().filter(|run| run.id == of.run)?;
        let is_its = match note {
            CardNote::Asked(proposal) => run.note_proposal(of.attempt, Some(proposal), false),
            CardNote::Approved => run.note_proposal(of.attempt, None, true),
            CardNote::Judged(command, verdict) => run.note_command(of.attempt, *command, *verdict),
        };
        is_its.then(|| (life.state.clone(), Some(run)))
    };
    if let Err(error) = agent.change(runner, &of.mission, "station", noted).await {
        tracing::warn!(mission = %of.mission, %error, "it is not on disk what a step waits for");
    }
}

/// Tells people that a run asks them something.
fn tell_asked(runner: &MissionRunner, agent: &AgentMissions, id: &MissionId) {
    let Some(life) = agent.lives.life(id).filter(is_running) else { return };
    let (Some(run), Some(version)) = (&life.run, &life.version) else { return };
    if run.ask.is_empty() {
        return;
    }
    let number = run.current().unwrap_or_default();
    let detail = run.goal().and_then(|goal| goal.detail.as_deref());
    let why = detail.map_or_else(String::new, |detail| format!(" {}.", detail.trim_end_matches('.')));
    let words = version.file.goal_words(number);
    let sentence = format!("Mission {id} asks a person about goal {} ({words}).{why}", number + 1);
    runner.runtime.bus.event_of(&agent.id, "mission_asks", sentence);
}

async fn end_wait(looked: Looked<'_>, number: usize, end: GoalEnd) -> Result<(), OpError> {
    let Looked { runner, agent, id, life } = looked;
    let now_ms = runner.runtime.clock.now().wall_ms;
    let of = life.run.as_ref().map(|run| &run.id);
    let ended = |life: &Life| {
        let mut run = life.run.clone().filter(|run| is_running(life) && Some(&run.id) == of)?;
        // A question that came meanwhile is a person's to answer, even where the rule is true by now.
        (run.ask.is_empty() && run.end_wait(number, end, now_ms)).then(|| (life.state.clone(), Some(run)))
    };
    agent.change(runner, id, "station", ended).await.map(drop)
}

fn is_active(life: &Life) -> bool {
    life.state.status == Status::Active
}

fn is_running(life: &Life) -> bool {
    life.is_running()
}
