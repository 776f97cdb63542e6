//! Mission files: validated, saved, brought in and put away. None of it lets a mission run.

use std::sync::Arc;

use missions::{Edit, MissionCode};
use robot::{Effect, MissionId, Role, SharedCode, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::mission_ops::{MissionCall, Operation, mission_row};
use crate::dry_run::{self, DryRunOf};
use crate::mission_files::compiling::{self, Checked};
use crate::mission_files::drafting;
use crate::mission_files::folder::hash_of;
use crate::mission_files::folder::{Change, MissionImport, OnConflict};
use crate::mission_files::versions;
use crate::runner::MissionRunner;
use runtime::audit::AuditEntry;
use runtime::error::{OpError, RuntimeCode};
use runtime::operation::{ALL, Terms, UI, UI_MCP};
use runtime::wire::{MissionDryRun, MissionRemoved, MissionSaved, MissionValidated, MissionsImported};

const DRY_RUN_MISSION: &str = "dry_run_mission";
/// Files of one call.
const FILES_MAX: usize = 20;
/// Their bytes in Base64.
const IMPORT_BYTES_MAX: usize = 700 * 1024 * 4 / 3;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Operator, Viewer};
    vec![
        mission_row(
            "validate_mission",
            Terms(Viewer, Read, ALL, Trust::Text),
            "Holds a text against this site as if it were a mission; stores nothing.",
            validate_mission,
        )
        .example(json!({"source": "---\nrobots: [rover-1]\n---\nLook at the dock.\n", "as_id": "dock"})),
        mission_row(
            DRY_RUN_MISSION,
            Terms(Viewer, Read, ALL, Trust::Text),
            "Judges every step of a mission in the order of a run; sends nothing.",
            dry_run_mission,
        )
        .example(json!({"mission_id": "dock"})),
        mission_row(
            "save_mission",
            Terms(Operator, Write, UI_MCP, Trust::Text),
            "Writes the file of a mission. It stays a draft until somebody activates it.",
            save_mission,
        )
        .example(json!({"mission_id": "dock", "source": "Look at the dock.\n"})),
        mission_row(
            "import_missions",
            Terms(Operator, Write, UI_MCP, Trust::Text),
            "Brings in mission files as drafts.",
            import_missions,
        )
        .example(json!({"files": [{"name": "dock.md", "bytes_base64": "TG9vayBhdCB0aGUgZG9jay4K"}]})),
        mission_row(
            "remove_mission",
            Terms(Operator, Write, UI, Trust::Text),
            "Puts the file of a draft or of a mission that has ended away.",
            remove_mission,
        )
        .example(json!({"mission_id": "dock", "base_hash": "0f1e2d"})),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ValidateMission {
    /// The text; without it that of the file of `mission_id`.
    source: Option<String>,
    /// The id that the text would have.
    as_id: Option<MissionId>,
    /// The mission whose file is validated.
    mission_id: Option<MissionId>,
}

async fn validate_mission(
    runner: Arc<MissionRunner>,
    MissionCall { agent, .. }: MissionCall,
    input: ValidateMission,
) -> Result<MissionValidated, OpError> {
    let (id, source) = match (input.source, input.as_id, input.mission_id) {
        (Some(source), as_id, None) => (as_id.map_or_else(unnamed, Ok)?, source),
        (None, None, Some(id)) => {
            agent.settled(&id).await;
            (id.clone(), agent.source(&id)?)
        }
        (_, _, _) => {
            let message = "Give a source, with the id that it would have, or the mission_id of a file.";
            return Err(OpError::bad_input(SharedCode::InvalidInput, "source", message));
        }
    };
    let (_, checked) = compiling::check(&runner, &agent, &id, source).await?;
    Ok(validated(checked))
}

fn validated(checked: Checked) -> MissionValidated {
    MissionValidated {
        ok: checked.check_no_error().is_ok(),
        problems: checked.listed(),
        problems_unlisted: checked.problems.unlisted,
        meaning: checked.meaning(),
        role_needed: checked.role_needed,
        changes: checked.changes,
    }
}

/// The id of a text that has none yet.
fn unnamed() -> Result<MissionId, OpError> {
    MissionId::new("new-mission").map_err(|error| OpError::new(MissionCode::BadId, error.to_string()))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DryRunMission {
    /// Its id: the stem of its file.
    mission_id: MissionId,
    /// SHA-256 of the text that is run, as `get_mission` gives it; without it the file as it is.
    hash: Option<String>,
    /// True to try its limits on the recorded commands of the last 24 h too.
    #[serde(default)]
    recorded: bool,
}

async fn dry_run_mission(
    runner: Arc<MissionRunner>,
    MissionCall { by, agent }: MissionCall,
    input: DryRunMission,
) -> Result<MissionDryRun, OpError> {
    agent.settled(&input.mission_id).await;
    let of = DryRunOf { hash: input.hash.as_deref(), recorded: input.recorded };
    let run = dry_run::dry_run(&runner, &agent, &input.mission_id, of).await?;
    let about = format!("mission={} hash={} denied={}", run.mission_id, run.hash, run.denied);
    runner.runtime.audit.note_done(AuditEntry::by(&by, DRY_RUN_MISSION, "ok").about(about));
    Ok(run)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SaveMission {
    /// Its id: the stem of its file.
    mission_id: MissionId,
    /// SHA-256 of the text that you have changed, as `get_mission` gives it; null makes a new file.
    base_hash: Option<String>,
    /// The new text.
    source: Option<String>,
    /// Edits of the present text, one after the other; every other byte stays.
    edits: Option<Vec<Edit>>,
}

async fn save_mission(
    runner: Arc<MissionRunner>,
    MissionCall { by, agent }: MissionCall,
    input: SaveMission,
) -> Result<MissionSaved, OpError> {
    let change = match (input.source, input.edits) {
        (Some(source), None) => Change::Source(source),
        (None, Some(edits)) => Change::Edits(edits),
        (_, _) => {
            return Err(OpError::bad_input(SharedCode::InvalidInput, "source", "Give a source or edits, not both."));
        }
    };
    let source = drafting::save(&runner, &agent, &input.mission_id, input.base_hash, change).await?;
    versions::keep_saved(&runner, &agent, &input.mission_id, &source, by.actor()).await;
    let (_, checked) = compiling::check(&runner, &agent, &input.mission_id, source.clone()).await?;
    Ok(MissionSaved { hash: hash_of(&source), source, problems: checked.listed() })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ImportMissions {
    /// The files, 20 at most.
    files: Vec<MissionImport>,
    /// The policy for a file whose name another mission has.
    #[serde(default)]
    on_conflict: OnConflict,
}

async fn import_missions(
    runner: Arc<MissionRunner>,
    MissionCall { agent, .. }: MissionCall,
    input: ImportMissions,
) -> Result<MissionsImported, OpError> {
    if !(1..=FILES_MAX).contains(&input.files.len()) {
        return Err(OpError::out_of_range("files", 1, FILES_MAX));
    }
    // Counted before decoding, so that a large call costs no more memory than it came with.
    if input.files.iter().map(|file| file.bytes_base64.len()).sum::<usize>() > IMPORT_BYTES_MAX {
        return Err(OpError::new(RuntimeCode::TooLarge, "Bring in 700 KiB of files at most in one call."));
    }
    let files = drafting::import(&runner, &agent, input.files, input.on_conflict).await?;
    Ok(MissionsImported { files })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RemoveMission {
    /// Its id: the stem of its file.
    mission_id: MissionId,
    /// SHA-256 of the text that you saw, as `get_mission` gives it.
    base_hash: String,
}

async fn remove_mission(
    runner: Arc<MissionRunner>,
    MissionCall { agent, .. }: MissionCall,
    input: RemoveMission,
) -> Result<MissionRemoved, OpError> {
    let id = input.mission_id;
    let source = drafting::remove(&runner, &agent, &id, input.base_hash).await?;
    Ok(MissionRemoved { message: format!("The file of mission {id} was put away."), source })
}
