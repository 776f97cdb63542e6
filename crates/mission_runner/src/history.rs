//! The history of a mission for people: who brought it where, as sentences, and the texts that its file had.

use std::sync::Arc;

use memory::{KeptVersion, MissionStep, of_word, word};
use missions::lifecycle::{Cause, Phase, Status};
use robot::MissionId;

use crate::folder::hash_of;
use crate::runner::AgentMissions;
use runtime::error::OpError;
use runtime::wire::{MissionHistory, MissionStatus, MissionStepRow, MissionVersionRow};

/// Texts of a mission that are listed.
const VERSIONS_LISTED: u32 = 200;

/// The steps of a mission before the one numbered `before`, with the texts of its file.
pub(crate) async fn history(
    agent: &Arc<AgentMissions>,
    id: &MissionId,
    before: i64,
    limit: u32,
) -> Result<MissionHistory, OpError> {
    let mut steps = agent.db.mission_transitions(id.as_str(), before, limit + 1).await?;
    let has_more = steps.len() > limit as usize;
    steps.truncate(limit as usize);
    let next = steps.last().filter(|_| has_more).map(|step| step.seq);
    let draft = agent.source(id).ok().map(|source| hash_of(&source));
    let life = agent.lives.life(id);
    let activated = life.and_then(|life| life.version).map(|version| version.activation.hash.clone());
    let versions = agent.db.mission_versions(id.as_str(), VERSIONS_LISTED).await?;
    let version = |version: KeptVersion| MissionVersionRow {
        is_draft: draft.as_ref() == Some(&version.hash),
        is_activated: activated.as_ref() == Some(&version.hash),
        was_activated: version.activated_ms.is_some(),
        seen_ms: version.activated_ms.max(Some(version.seen_ms)).filter(|at_ms| *at_ms > 0),
        author: version.author,
        activated_by: version.activated_by,
        hash: version.hash,
    };
    let versions = versions.into_iter().map(version).collect();
    Ok(MissionHistory { steps: steps.iter().filter_map(row).collect(), versions, next })
}

/// One step; none if this program did not write it.
fn row(step: &MissionStep) -> Option<MissionStepRow> {
    let status = of_word(&step.to_status).ok()?;
    let reason = step.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
    let words = words(step, status);
    let sentence = match reason {
        Some(reason) => format!("{words}: {reason}"),
        None => format!("{words}."),
    };
    Some(MissionStepRow {
        seq: step.seq,
        at_ms: step.at_ms,
        status: MissionStatus::from(status),
        sentence,
        hash: step.hash.clone(),
    })
}

fn words(step: &MissionStep, status: Status) -> String {
    let by = |verb: &str| format!("{verb} by {}", step.actor);
    let cause = step.cause.as_deref().and_then(|cause| serde_json::from_str::<Cause>(cause).ok());
    let status_before = step.from_status.as_deref().and_then(|word| of_word(word).ok());
    match (status, cause) {
        (Status::Active, _) if step.hash.is_some() => by("Activated"),
        (Status::Active, _) if status_before != Some(Status::Active) => by("Resumed"),
        (Status::Active, _) if step.phase == word(&Phase::Held) => by("Checked again"),
        (Status::Active, _) => by("Started"),
        (Status::Paused, Some(cause)) => format!("Paused{}", after(&cause)),
        (Status::Completed, _) if is_station(step) => "Completed: everything was done".to_owned(),
        (Status::Completed, _) => by("Completed"),
        (Status::Failed, Some(cause)) => format!("Failed{}", after(&cause)),
        (Status::Cancelled, Some(cause)) => format!("Cancelled{}", after(&cause)),
        (Status::Paused, None) => by("Paused"),
        (Status::Failed, None) => "Failed".to_owned(),
        (Status::Cancelled, None) => by("Cancelled"),
    }
}

/// True if no person, program or agent took the step.
fn is_station(step: &MissionStep) -> bool {
    let station = runtime::session::Session::supervision();
    step.actor == "station" || step.actor == station.actor()
}

/// The end of a sentence that names a cause.
fn after(cause: &Cause) -> String {
    match cause {
        Cause::Stop => " by a stop".to_owned(),
        Cause::Fallback(_) => " by the response to a failure".to_owned(),
        Cause::CompileFailed => " because its text could not be used any more".to_owned(),
        Cause::Failure(number) => format!(" at goal {}", number + 1),
        Cause::Person(name) => format!(" by {name}"),
        Cause::Machine(name) => format!(" by the program {name}"),
        Cause::Agent(name) => format!(" by the agent {name}"),
        Cause::Parent(parent) => format!(" with {parent}, which it is a part of"),
        Cause::Expired => ": its time was over".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(from: Option<&str>, to: &str, cause: Option<&Cause>, hash: Option<&str>) -> String {
        let step = MissionStep {
            seq: 1,
            from_status: from.map(str::to_owned),
            to_status: to.to_owned(),
            phase: "held".to_owned(),
            cause: cause.map(|cause| serde_json::to_string(cause).unwrap()),
            actor: "anna".to_owned(),
            at_ms: 0,
            hash: hash.map(str::to_owned),
            reason: cause.is_some_and(|cause| matches!(cause, Cause::Person(_))).then(|| "belt changed".to_owned()),
        };
        row(&step).unwrap().sentence
    }

    #[test]
    fn me_14_each_step_is_a_sentence_with_its_author_and_its_reason() {
        let (active, paused) = (Some("active"), Some("paused"));
        assert_eq!(sentence(None, "active", None, Some("00")), "Activated by anna.");
        assert_eq!(sentence(active, "active", None, Some("01")), "Activated by anna.");
        assert_eq!(
            sentence(active, "paused", Some(&Cause::Person("anna".into())), None),
            "Paused by anna: belt changed"
        );
        assert_eq!(sentence(active, "paused", Some(&Cause::Stop), None), "Paused by a stop.");
        assert_eq!(sentence(paused, "active", None, None), "Resumed by anna.");
        assert_eq!(sentence(active, "failed", Some(&Cause::Failure(1)), None), "Failed at goal 2.");
        assert_eq!(sentence(active, "cancelled", Some(&Cause::Expired), None), "Cancelled: its time was over.");
        assert_eq!(sentence(paused, "cancelled", None, None), "Cancelled by anna.");
    }
}
