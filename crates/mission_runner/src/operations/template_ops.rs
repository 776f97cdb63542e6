//! Drafts that are made from words: of a shipped mission or of a text. An agent may make one; only a person activates
//! it.

use std::sync::Arc;

use missions::templates::{DraftNote, TEMPLATES, Visit, Wishes, fill, id_for, is_cron, until, visit, with_wishes};
use missions::{EditError, MissionCode, parse};
use robot::{Effect, MissionId, Role, SharedCode, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::mission_ops::{MissionCall, Operation, mission_row};
use crate::mission_files::compiling;
use crate::mission_files::drafting;
use crate::mission_files::folder::{Change, hash_of};
use crate::mission_files::versions;
use crate::runner::{AgentMissions, MissionRunner};
use runtime::disk;
use runtime::error::OpError;
use runtime::operation::{ALL, Terms};
use runtime::wire::MissionDrafted;

/// Mission files beside which an agent makes no further draft.
const FILES_MAX: usize = 200;

pub(super) fn rows() -> Vec<Operation> {
    vec![
        mission_row(
            "draft_mission",
            Terms(Role::Operator, Effect::Write, ALL, Trust::Text),
            "Makes a new draft of a mission from a template or a text. Nothing runs before a person activates it.",
            draft_mission,
        )
        .example(
            json!({"template": "security-patrol", "place": "loading dock", "cron": "0 22 * * *", "until": "friday"}),
        )
        .own_words(),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DraftMission {
    /// A shipped mission: security-patrol, dog-monitor, run-welding-task, maintenance-check or childproof-home.
    template: Option<String>,
    /// The whole text in the place of a template: markdown, with front matter if it moves or watches anything.
    source: Option<String>,
    /// Its id; without it one is made from its title.
    mission_id: Option<MissionId>,
    /// Its title.
    title: Option<String>,
    /// The place that a patrol watches, for example loading dock.
    place: Option<String>,
    /// Five cron fields: when it runs.
    cron: Option<String>,
    /// The end of its life: a weekday, tomorrow, a date, a time, or a span such as 3 days.
    until: Option<String>,
}

async fn draft_mission(
    runner: Arc<MissionRunner>,
    MissionCall { by, agent }: MissionCall,
    input: DraftMission,
) -> Result<MissionDrafted, OpError> {
    let wishes = Wishes { visit: visited(&runner, &input).await?, ..wishes(&runner, &input)? };
    let source = match (&input.template, &input.source) {
        (Some(template), None) => fill(template, &wishes).ok_or_else(|| no_template(template))?,
        (None, Some(source)) => with_wishes(source, &wishes),
        (_, _) => return Err(bad("template", "Give a template or a source, and not both.")),
    };
    let source = source.map_err(|error: EditError| bad("source", format!("{error}.")))?;
    // A model in a loop would fill the folder and the list that people choose from.
    if by.is_agent() && file_count(&agent).await? >= FILES_MAX {
        let message =
            format!("There are {FILES_MAX} mission files; an agent adds no more. A person puts some away first.");
        return Err(OpError::limit_reached(FILES_MAX, message));
    }
    let id = id_of(&agent, &input, &source)?;
    let source = drafting::save(&runner, &agent, &id, None, Change::Source(source)).await?;
    versions::keep_saved(&runner, &agent, &id, &source, by.actor()).await;
    let (_, checked) = compiling::check(&runner, &agent, &id, source.clone()).await?;
    let note_kinds: Vec<DraftNote> =
        input.place.iter().zip(&wishes.visit).filter_map(|(place, visit)| visit.note(place)).collect();
    Ok(MissionDrafted {
        message: format!("Draft {id} is saved. Nobody has activated it."),
        title: parse(source.as_bytes()).title(&id),
        hash: hash_of(&source),
        ok: checked.check_no_error().is_ok(),
        meaning: checked.meaning(),
        notes: note_kinds.iter().map(ToString::to_string).collect(),
        note_kinds,
        problems: checked.listed(),
        problems_unlisted: checked.problems.unlisted,
        mission_id: id,
    })
}

async fn file_count(agent: &Arc<AgentMissions>) -> Result<usize, OpError> {
    let agent = Arc::clone(agent);
    // Not on this thread: a folder may have ten thousand files.
    let looked = disk::blocking(move || Ok(agent.drafts().len())).await;
    looked.map_err(|error| OpError::new(MissionCode::MissionUnreadable, error.to_string()))
}

fn wishes(runner: &MissionRunner, input: &DraftMission) -> Result<Wishes, OpError> {
    if let Some(cron) = input.cron.as_ref().filter(|cron| !is_cron(cron)) {
        return Err(bad("cron", format!("`{cron}` is no schedule. Write five fields such as `0 22 * * *`.")));
    }
    let now_ms = runner.runtime.clock.now().wall_ms;
    let end = |words: &String| {
        let no_end = || bad("until", format!("`{words}` is no end. Say a weekday, a date, a time or a span of days."));
        until(words, &runner.runtime.zone, now_ms).ok_or_else(no_end)
    };
    let expires = input.until.as_ref().map(end).transpose()?;
    let DraftMission { title, place, cron, .. } = input;
    Ok(Wishes { title: title.clone(), place: place.clone(), visit: None, cron: cron.clone(), expires })
}

/// The points of the place that was named, where the template goes to one.
async fn visited(runner: &MissionRunner, input: &DraftMission) -> Result<Option<Visit>, OpError> {
    let (Some(template), Some(place)) = (&input.template, &input.place) else { return Ok(None) };
    let plan = runner.host.fleet.site_plan().await?;
    Ok(visit(template, place, &plan))
}

/// The id that was asked for, or a free one that the title gives.
fn id_of(agent: &AgentMissions, input: &DraftMission, source: &str) -> Result<MissionId, OpError> {
    if let Some(id) = &input.mission_id {
        return Ok(id.clone());
    }
    let fallback = input.template.as_deref().unwrap_or("mission");
    let named = MissionId::new(fallback).map_err(|error| OpError::new(MissionCode::BadId, error.to_string()))?;
    let title = parse(source.as_bytes()).title(&named);
    // One without a file may have a life and a history, which a new draft must not inherit.
    let taken = |id: &MissionId| agent.has_file(id) || agent.lives.life(id).is_some();
    let found = id_for(&title, taken).or_else(|| id_for(fallback, taken));
    found.ok_or_else(|| OpError::new(MissionCode::BadId, "The title gives no id. Name one with `mission_id`."))
}

fn no_template(name: &str) -> OpError {
    let names: Vec<&str> = TEMPLATES.iter().map(|(name, _)| *name).collect();
    let message = format!("There is no template `{name}`. There are: {}.", names.join(", "));
    OpError::new(MissionCode::TemplateNotFound, message)
}

fn bad(field: &str, message: impl Into<String>) -> OpError {
    OpError::bad_input(SharedCode::InvalidInput, field, message.into())
}
