//! The history of a mission for people: who brought it where, as sentences, and the texts that its file had.

use std::sync::Arc;

use memory::{KeptVersion, MissionStep, of_word, word};
use missions::lifecycle::{Cause, Phase, Status};
use robot::MissionId;

use crate::mission_files::folder::hash_of;
use crate::runner::AgentMissions;
use runtime::error::OpError;
use runtime::wire::{
    MissionHistory, MissionStatus, MissionStepAct, MissionStepCause, MissionStepCode, MissionStepRow, MissionVersionRow,
};

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
    let reason = step.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty()).map(str::to_owned);
    let (act, cause) = (act(step, status), cause(step, status));
    let words = format!("{}{}", verb(act), cause.as_ref().map(after).unwrap_or_default());
    let sentence = match &reason {
        Some(reason) => format!("{words}: {reason}"),
        None => format!("{words}."),
    };
    let hash = step.hash.clone();
    Some(MissionStepRow {
        seq: step.seq,
        at_ms: step.at_ms,
        status: MissionStatus::from(status),
        act,
        cause,
        reason,
        sentence,
        hash,
    })
}

fn act(step: &MissionStep, status: Status) -> MissionStepAct {
    let status_before = step.from_status.as_deref().and_then(|word| of_word(word).ok());
    match status {
        // Only an activation writes the hash of a text.
        Status::Active if step.hash.is_some() => MissionStepAct::Activated,
        Status::Active if status_before != Some(Status::Active) => MissionStepAct::Resumed,
        Status::Active if step.phase == word(&Phase::Held) => MissionStepAct::CheckedAgain,
        Status::Active => MissionStepAct::Started,
        Status::Paused => MissionStepAct::Paused,
        Status::Completed => MissionStepAct::Completed,
        Status::Failed => MissionStepAct::Failed,
        Status::Cancelled => MissionStepAct::Cancelled,
    }
}

fn cause(step: &MissionStep, status: Status) -> Option<MissionStepCause> {
    let kept = step.cause.as_deref().and_then(|cause| serde_json::from_str::<Cause>(cause).ok());
    let asker = || Some(MissionStepCause::named(MissionStepCode::By, &step.actor));
    match (status, kept) {
        (Status::Paused | Status::Failed | Status::Cancelled, Some(cause)) => Some(told(&cause)),
        (Status::Completed, _) if is_station(step) => Some(MissionStepCause::plain(MissionStepCode::EverythingDone)),
        (Status::Failed, None) => None,
        (Status::Active | Status::Paused | Status::Completed | Status::Cancelled, _) => asker(),
    }
}

fn told(cause: &Cause) -> MissionStepCause {
    use MissionStepCause as Told;
    match cause {
        Cause::Stop => Told::plain(MissionStepCode::Stop),
        Cause::Fallback(_) => Told::plain(MissionStepCode::Fallback),
        Cause::CompileFailed => Told::plain(MissionStepCode::TextUnusable),
        Cause::Failure(number) => Told { goal: Some(number + 1), ..Told::plain(MissionStepCode::Goal) },
        Cause::Person(name) => Told::named(MissionStepCode::By, name),
        Cause::Machine(name) => Told::named(MissionStepCode::Program, name),
        Cause::Agent(name) => Told::named(MissionStepCode::Agent, name),
        Cause::Parent(parent) => Told::named(MissionStepCode::Parent, parent.as_str()),
        Cause::Expired => Told::plain(MissionStepCode::Expired),
    }
}

const fn verb(act: MissionStepAct) -> &'static str {
    match act {
        MissionStepAct::Activated => "Activated",
        MissionStepAct::Resumed => "Resumed",
        MissionStepAct::CheckedAgain => "Checked again",
        MissionStepAct::Started => "Started",
        MissionStepAct::Paused => "Paused",
        MissionStepAct::Completed => "Completed",
        MissionStepAct::Failed => "Failed",
        MissionStepAct::Cancelled => "Cancelled",
    }
}

/// The end of a sentence that names a cause.
fn after(MissionStepCause { code, name, goal }: &MissionStepCause) -> String {
    let name = name.as_deref().unwrap_or_default();
    match code {
        MissionStepCode::By => format!(" by {name}"),
        MissionStepCode::Program => format!(" by the program {name}"),
        MissionStepCode::Agent => format!(" by the agent {name}"),
        MissionStepCode::Parent => format!(" with {name}, which it is a part of"),
        MissionStepCode::Stop => " by a stop".to_owned(),
        MissionStepCode::Fallback => " by the response to a failure".to_owned(),
        MissionStepCode::TextUnusable => " because its text could not be used any more".to_owned(),
        MissionStepCode::Goal => format!(" at goal {}", goal.unwrap_or_default()),
        MissionStepCode::Expired => ": its time was over".to_owned(),
        MissionStepCode::EverythingDone => ": everything was done".to_owned(),
    }
}

/// True if no person, program or agent took the step.
fn is_station(step: &MissionStep) -> bool {
    let station = runtime::session::Session::supervision();
    step.actor == "station" || step.actor == station.actor()
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
