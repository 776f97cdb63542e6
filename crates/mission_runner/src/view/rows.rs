//! Rows of missions for people and agents.

use std::collections::BTreeMap;
use std::sync::Arc;

use memory::StoredActivation;
use missions::lifecycle::{Phase, Status};
use missions::run::{GoalState, Run};
use missions::trigger::Fired;
use missions::{Deadline, MissionCode, MissionFile, Problem, ProblemCode, Severity, goals};
use robot::{MissionId, Now, Role, Trust};

use crate::dry_run::records;
use crate::lives::{Life, Version};
use crate::mission_files::compiling::{self, Checked};
use crate::mission_files::counts::Counts;
use crate::mission_files::folder::{Draft, Faults, hash_of, is_read, mission_not_found};
use crate::runner::{AgentMissions, MissionRunner};
use crate::view::graph::Family;
use crate::view::reasons::View;
use crate::view::runs::{self, goal_state};
use runtime::disk;
use runtime::error::OpError;
use runtime::wire::{
    MissionActivation, MissionDetail, MissionEdge, MissionFlag, MissionGoal, MissionGoalState, MissionProblem,
    MissionRow, MissionState as State, MissionStatus, MissionTrigger,
};

/// Runs of a mission that stand with it.
const RUNS_SHOWN: u32 = 20;

/// Every mission of the agent, by id.
pub(crate) async fn rows(runner: &Arc<MissionRunner>, agent: &Arc<AgentMissions>) -> Vec<MissionRow> {
    rows_and_lives(runner, agent).await.0
}

/// Every mission of the agent, by id, and the lives that the rows were read from.
async fn rows_and_lives(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
) -> (Vec<MissionRow>, BTreeMap<MissionId, Arc<Life>>) {
    let (counting, counted) = (Arc::clone(runner), Arc::clone(agent));
    let looked = disk::blocking(move || {
        let files = counted.drafts();
        let counts = compiling::counts(&counting, &counted, &files, compiling::COMPILED_AT_ONCE);
        Ok((files, counts))
    });
    let (files, counts) = looked.await.unwrap_or_default();
    let lives = agent.lives.all();
    let money = runner.money(agent).await;
    let jobs = runner.host.agents.jobs(&agent.id).await;
    let hashes = agent.files.hashes();
    let waits = |life: &Arc<Life>| life.state.status == Status::Active && life.state.phase == Phase::Held;
    let family = lives.values().any(waits).then(|| Family::of(agent));
    let view = View { runner, agent, money: &money, evaluation: family.as_ref().map(|family| family.evaluation()) };
    let faults = agent.files.faults();
    let read = files.iter().filter(|(_, draft)| is_read(draft)).map(|(id, _)| id);
    // A file whose name is no id has a row too, under the id that it could have: people look for it.
    let mut ids: Vec<&MissionId> = read.chain(lives.keys()).chain(faults.keys()).collect();
    ids.sort();
    ids.dedup();
    let row = |id: &MissionId| {
        let life = lives.get(id).map(AsRef::as_ref);
        let mut row = row(
            id,
            life,
            OnFile { draft: files.get(id), counts: counts.of(id), faults: faults.get(id).map_or(&[], Vec::as_slice) },
            &view,
            jobs.get(id.as_str()).copied().unwrap_or(0),
        );
        // A forgotten text is taken out of both and the hash of the activation stays, so the texts are compared.
        let has_draft = |version: &Arc<Version>| match files.get(id) {
            Some(Ok(file)) => file.parsed.source.text() != version.activation.source,
            Some(Err(_)) => hashes.contains_key(id),
            None => false,
        };
        if life.and_then(|life| life.version.as_ref()).is_some_and(has_draft) {
            row.flags.push(MissionFlag::Draft);
        }
        row
    };
    let rows = ids.into_iter().map(row).collect();
    (rows, lives)
}

/// The problems of the file of a mission as a whole: why it is not read, or that it is gone while what was activated
/// goes on.
pub(crate) fn file_problems(faults: &Faults, row: &MissionRow) -> Vec<MissionProblem> {
    let faults = faults.get(&row.id).into_iter().flatten().map(MissionProblem::from);
    faults.chain(is_gone(row.status, &row.flags).then(|| MissionProblem::from(&gone()))).collect()
}

fn is_gone(status: MissionStatus, flags: &[MissionFlag]) -> bool {
    matches!(status, MissionStatus::Active | MissionStatus::Paused) && flags.contains(&MissionFlag::FileMissing)
}

fn gone() -> Problem {
    let message = "The mission has no file that counts. What was activated goes on without it.".to_owned();
    let help = "Save one of the texts of its history under its id, or end the mission.".to_owned();
    Problem::of_file(ProblemCode::FileMissing, Severity::Warning, message, help)
}

/// One mission.
pub(crate) async fn row_of(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    id: &MissionId,
) -> Result<MissionRow, OpError> {
    row_and_life(runner, agent, id).await.map(|(row, _)| row)
}

/// One mission, and its life at that moment; none if it has only a file.
async fn row_and_life(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    id: &MissionId,
) -> Result<(MissionRow, Option<Arc<Life>>), OpError> {
    let (rows, mut lives) = rows_and_lives(runner, agent).await;
    let found = rows.into_iter().find(|row| row.id == *id).map(|row| (row, lives.remove(id)));
    // A file that has not stood still yet is no mission so far.
    found.ok_or_else(|| agent.source(id).err().unwrap_or_else(mission_not_found))
}

/// One of the texts of a mission.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TextOf<'t> {
    /// That of its file.
    Draft,
    /// The one that was activated last.
    Activated,
    /// The one with this SHA-256, which its file has or once had.
    Hash(&'t str),
}

/// One of the texts of a mission; none if that is the text of a file that is missing or cannot be read.
async fn source_of(
    agent: &AgentMissions,
    id: &MissionId,
    life: Option<&Life>,
    text: TextOf<'_>,
) -> Result<Option<String>, OpError> {
    let draft = || agent.source(id).ok();
    let activated = life.and_then(|life| life.version.as_ref()).map(|version| &version.activation);
    match text {
        TextOf::Draft => Ok(draft()),
        TextOf::Activated => match activated {
            Some(activation) => Ok(Some(activation.source.clone())),
            None => Err(OpError::new(MissionCode::NotActivated, format!("Nobody has activated {id}."))),
        },
        TextOf::Hash(hash) => {
            if let Some(activation) = activated.filter(|activation| activation.hash == hash) {
                return Ok(Some(activation.source.clone()));
            }
            if let Some(draft) = draft().filter(|draft| hash_of(draft) == hash) {
                return Ok(Some(draft));
            }
            let kept = agent.db.mission_source(id.as_str(), hash).await?;
            kept.map(Some).ok_or_else(|| OpError::not_found(MissionCode::VersionNotFound, "text", hash))
        }
    }
}

/// One mission with one of its texts.
pub(crate) async fn detail(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    id: &MissionId,
    text_of: TextOf<'_>,
) -> Result<MissionDetail, OpError> {
    let (row, life) = row_and_life(runner, agent, id).await?;
    // Its state, its goals and its newest run are those of one moment.
    let life = life.as_deref();
    let source = source_of(agent, id, life, text_of).await?;
    let version = life.and_then(|life| life.version.as_ref());
    let form = source.as_ref().and_then(|text| missions::parse(text.as_bytes()).form());
    let (draft, checked) = match &source {
        Some(text) => {
            // The times of what was activated were still to come then.
            let activated_ms = version.filter(|_| matches!(text_of, TextOf::Activated)).map(|it| it.activation.at_ms);
            let wall_ms = activated_ms.unwrap_or_else(|| runner.runtime.clock.now().wall_ms);
            let (file, checked) = compiling::check_as_of(runner, agent, id, text.clone(), wall_ms).await?;
            (file.ok(), Some(checked))
        }
        None => (None, None),
    };
    let hidden = draft.as_ref().map(|draft| draft.hidden.clone()).unwrap_or_default();
    let requests = draft.as_ref().map(MissionFile::envelope_phrases).unwrap_or_default();
    // Goals and locks are those of the text in force, whichever text is shown beside them.
    let file: Option<MissionFile> = version.map(|version| version.file.clone()).or(draft);
    let goals = file.as_ref().map(|file| goal_rows(file, life)).unwrap_or_default();
    let triggers = version.zip(life).map(|(version, life)| trigger_rows(version, life, runner.runtime.clock.now()));
    let locks = file.as_ref().map(|file| runner.lock_rows(agent, file)).unwrap_or_default();
    let (robots, depends_on) = file.map(|file| (file.robots, file.depends_on)).unwrap_or_default();
    let edge = |id: MissionId| {
        let status = agent.lives.status(&id).map(MissionStatus::from);
        let draft = agent.has_file(&id).then_some(MissionStatus::Draft);
        MissionEdge { status: status.or(draft), id }
    };
    let activation = version.map(|version| version.activation.clone());
    let faults = file_problems(&agent.files.faults(), &row);
    let hash = source.as_deref().map(hash_of);
    let budget = match agent.lives.budget_microusd(id) {
        Some(_) => runner.money_of(agent, id).await,
        None => None,
    };
    Ok(MissionDetail {
        dry_run: records::newest(runner, agent, id, hash.as_deref()).await?,
        hash,
        activated_source: activation
            .as_ref()
            .map(|activation| activation.source.clone())
            .filter(|activated| source.as_ref() != Some(activated)),
        activated_hash: activation.as_ref().map(|activation| activation.hash.clone()),
        activated_by: activation.as_ref().map(|activation| activation.by.clone()),
        activation: activation_row(runner, agent, id, activation.as_ref()).await?,
        source,
        robots,
        depends_on: depends_on.into_iter().map(edge).collect(),
        triggers: triggers.unwrap_or_default(),
        goals,
        runs: runs::newest(agent, id, life, RUNS_SHOWN).await?,
        answers: life.map(answers).unwrap_or_default(),
        locks,
        live: runner.live_parts(agent, id).await,
        hidden,
        problems: faults.into_iter().chain(checked.as_ref().map(Checked::listed).unwrap_or_default()).collect(),
        problems_unlisted: checked.as_ref().map_or(0, |checked| checked.problems.unlisted),
        form,
        role_needed: checked.as_ref().map_or(Role::Operator, |checked| checked.role_needed),
        reason_needed: checked.as_ref().is_some_and(Checked::needs_reason),
        meaning: checked.as_ref().map(Checked::meaning).unwrap_or_default(),
        statements: checked.as_ref().map(Checked::statements).unwrap_or_default(),
        changes: checked.map(|checked| checked.changes).unwrap_or_default(),
        trust: Trust::Text,
        budget,
        envelope: requests.iter().map(ToString::to_string).collect(),
        requests,
        row,
    })
}

/// The act of a person, as it is on disk.
async fn activation_row(
    runner: &MissionRunner,
    agent: &AgentMissions,
    id: &MissionId,
    activation: Option<&StoredActivation>,
) -> Result<Option<MissionActivation>, OpError> {
    let Some(activation) = activation else { return Ok(None) };
    let dry_run = match &activation.dry_run {
        Some(run) => records::of(runner, agent, id, run).await?,
        None => None,
    };
    let role = activation.role.as_ref().map(|role| serde_json::Value::String(role.clone()));
    let accepted = activation.accepted.as_deref();
    Ok(Some(MissionActivation {
        id: activation.id.clone(),
        at_ms: activation.at_ms,
        role: role.and_then(|role| serde_json::from_value(role).ok()),
        accepted: accepted.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default(),
        granted: activation.granted.as_deref().and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default(),
        reason: activation.reason.clone(),
        dry_run,
    }))
}

/// The file of a mission, if it has one, and the numbers of its problems, once it is compiled.
struct OnFile<'f> {
    draft: Option<&'f Draft>,
    counts: Option<&'f Counts>,
    /// The problems of the file as a whole.
    faults: &'f [Problem],
}

impl OnFile<'_> {
    fn counts(&self) -> Counts {
        let is_error = |fault: &&Problem| fault.severity == Severity::Error;
        let errors = self.faults.iter().filter(is_error).count();
        let unread = self.draft.filter(|file| is_read(file)).and_then(|file| file.as_ref().err());
        // Until a file is compiled, there is what was read of it.
        let known = self.counts.cloned().unwrap_or_else(|| Counts {
            errors: usize::from(unread.is_some() && errors == 0),
            warnings: self.draft.and_then(|file| file.as_ref().ok()).map_or(0, |file| file.hidden.len()),
            first: unread.filter(|_| errors == 0).map(ToString::to_string),
            ..Counts::default()
        });
        let first = self.faults.iter().find(is_error).map(Problem::sentence);
        Counts {
            errors: known.errors + errors,
            warnings: known.warnings + self.faults.len() - errors,
            first: known.first.or(first),
            ..known
        }
    }
}

fn row(id: &MissionId, life: Option<&Life>, on_file: OnFile<'_>, view: &View<'_>, jobs: usize) -> MissionRow {
    let Counts { errors, warnings, first, compiled_ms, .. } = on_file.counts();
    let OnFile { draft: file, faults, .. } = on_file;
    let version = life.and_then(|life| life.version.as_ref());
    let activated_ms = version.map(|version| version.activation.at_ms);
    let draft = file.and_then(|file| file.as_ref().ok()).map(AsRef::as_ref);
    let title = draft.or(version.map(|version| &version.file));
    let status = life.map_or(MissionStatus::Draft, |life| life.state.status.into());
    let (state, reason) = life.map_or((State::Draft, None), |life| view.state_of(id, life));
    let mut flags = Vec::new();
    // A row of no file and no life is there for a file with another name.
    if file.is_none() && (life.is_some() || faults.is_empty()) {
        flags.push(MissionFlag::FileMissing);
    }
    if state == State::Checking || life.is_some_and(|life| !answers(life).is_empty()) {
        flags.push(MissionFlag::Asks);
    }
    let deadline = version
        .and_then(|version| version.deadline)
        .filter(|_| matches!(status, MissionStatus::Active | MissionStatus::Paused));
    let now = view.runner.runtime.clock.now();
    let flag = deadline.zip(version).and_then(|(deadline, version)| time_flag(deadline, version, now));
    flags.extend(flag);
    let warnings = warnings + usize::from(is_gone(status, &flags));
    let starts_ms = version
        .zip(life)
        .and_then(|(version, life)| next_times(version, life, now).filter_map(|(_, next_ms)| next_ms).min());
    MissionRow {
        id: id.clone(),
        title: title.map_or_else(|| id.to_string(), |file| file.title.clone()),
        status,
        state,
        flags,
        reason,
        compiled_at: activated_ms.or(compiled_ms).map(|at_ms| at_ms.div_euclid(1_000)),
        activated_at: activated_ms.map(|at_ms| at_ms.div_euclid(1_000)),
        expires_at: deadline.map(|deadline| deadline.wall_ms(now).div_euclid(1_000)),
        starts_at: starts_ms.map(|start_ms| start_ms.div_euclid(1_000)),
        jobs,
        errors,
        warnings,
        error: first,
    }
}

/// The flag that tells a person how little is left of a life, if it is little.
fn time_flag(deadline: Deadline, version: &Version, now: Now) -> Option<MissionFlag> {
    if deadline.is_over(now) {
        return Some(MissionFlag::Expired);
    }
    let end_ms = deadline.wall_ms(now);
    let life_ms = u64::try_from(end_ms.saturating_sub(version.activation.at_ms)).unwrap_or(0);
    goals::is_expiring(life_ms, deadline.left_ms(now)).then_some(MissionFlag::Expiring)
}

/// The answers that a person may give to a mission now.
fn answers(life: &Life) -> Vec<String> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    match (life.state.status, life.state.phase, &life.run) {
        (Status::Active, Phase::Checking, _) => words(&["start", "check_again"]),
        (Status::Active, Phase::Running, Some(run)) => {
            run.ask.iter().map(|answer| <&str>::from(answer).to_owned()).collect()
        }
        (
            Status::Active | Status::Paused | Status::Completed | Status::Failed | Status::Cancelled,
            Phase::Held | Phase::Checking | Phase::Live | Phase::Running,
            _,
        ) => Vec::new(),
    }
}

/// The triggers of the activated text, each with its next time, Unix milliseconds. Those of a mission that is not
/// active have none.
fn next_times(version: &Version, life: &Life, now: Now) -> impl Iterator<Item = (Fired, Option<i64>)> {
    let triggers = &version.file.parsed.front.triggers;
    let is_active = life.state.status == Status::Active;
    triggers.iter().zip(life.fired(triggers.len())).map(move |(trigger, fired)| {
        let next_ms = trigger.value.next_ms(&fired, &version.zone, now).filter(|_| is_active);
        (fired, next_ms)
    })
}

fn trigger_rows(version: &Version, life: &Life, now: Now) -> Vec<MissionTrigger> {
    let row = |(number, (fired, next_ms)): (usize, (Fired, Option<i64>))| {
        let start = version.file.start(number)?;
        let (last_ms, dropped) = (fired.last_ms, fired.dropped);
        Some(MissionTrigger { text: start.to_string(), last_ms, next_ms, dropped })
    };
    next_times(version, life, now).enumerate().filter_map(row).collect()
}

/// The goals of a text, each as its newest run has left it.
fn goal_rows(file: &MissionFile, life: Option<&Life>) -> Vec<MissionGoal> {
    let run = life.and_then(|life| life.run.as_ref());
    let goal = |number: usize| {
        let goal = run.and_then(|run| run.goals.get(number));
        let is_current = run.and_then(Run::current) == Some(number);
        let is_asked = is_current && run.is_some_and(|run| !run.ask.is_empty());
        MissionGoal {
            text: file.goal_words(number),
            phrase: file.goal_phrase(number),
            state: goal.map_or(MissionGoalState::Pending, |goal| goal_state(goal, is_asked)),
            since_ms: goal.filter(|goal| goal.state != GoalState::Pending).map(|goal| goal.since_ms),
            proposal: goal.and_then(|goal| goal.proposal.clone()),
            detail: goal.and_then(|goal| goal.detail.clone()),
            reason: goal.and_then(|goal| goal.reason.clone()),
            may_tick: life.is_some_and(|life| life.may_tick(number)),
        }
    };
    (0..file.goal_count()).map(goal).collect()
}
