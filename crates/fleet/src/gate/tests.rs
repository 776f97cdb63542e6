use std::sync::Arc;
use std::time::Duration;

use memory::StationDb;
use robot::CommandId;
use runtime::audit::{Audit, AuditEntry};
use runtime::session::Session;
use serde_json::json;

use super::*;
use crate::limit_sets::SetFault;
use crate::test_support::{HALTED, Rig, UNKNOWN, open_audit};

/// The queue is written within this time, or the test fails.
const WRITTEN_WITHIN: Duration = Duration::from_secs(60);

async fn audit(folder: &tempfile::TempDir) -> (Arc<Audit>, StationDb) {
    let db = StationDb::open(&folder.path().join("station.db")).await.unwrap();
    (Arc::new(open_audit(&db, folder.path()).await), db)
}

fn started() -> AuditEntry {
    AuditEntry::by_station("start", "ok")
}

fn allowed() -> Judged {
    let verdict = json!({
        "id": "0199a1b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b", "at_mono_ms": 1, "robot": "arm-1", "mission": null,
        "command": "0199a1b2-3c4d-7e5f-8a9b-0c1d2e3f4a5c", "frame": "map", "overall": "allow", "items": [],
        "violations_total": 0, "set_version": 3, "set_hash": "00".repeat(32), "snapshot_seq": 1,
        "speed_allowed_mps": null, "path_checked": "segment",
    });
    let verdict = serde_json::from_value(verdict).unwrap();
    Judged {
        command: CommandId(uuid::Uuid::nil()),
        verdict,
        explanation: Vec::new(),
        parsed: None,
        took: Duration::ZERO,
        basis: None,
    }
}

fn submission() -> Submission {
    let raw = json!({ "robot": "arm-1", "actuator": "arm", "motion": { "switch": { "on": true } } });
    Submission::new(serde_json::from_value(raw).unwrap(), Session::bootstrap())
}

#[tokio::test]
async fn r13_a_full_queue_denies_commands_and_keeps_room_for_stops() {
    let folder = tempfile::tempdir().unwrap();
    // Nobody writes, so the queue fills.
    let (audit, db) = audit(&folder).await;
    assert!(recorded(&audit, &submission(), allowed()).allowed());
    while audit.note_refusal(started()).is_ok() {}
    assert!(recorded(&audit, &submission(), allowed()).allowed(), "refusals leave room for commands");
    while audit.note(started()).is_ok() {}
    assert!(audit.note_refusal(started()).is_err());
    let denied = recorded(&audit, &submission(), allowed());
    assert!(!denied.allowed());
    assert_eq!(denied.verdict.items[0].reason.code, robot::Reason::AuditUnavailable);
    assert!(denied.explanation[0].sentence.contains("audit"), "{}", denied.explanation[0].sentence);
    assert_eq!(audit.check_available().unwrap_err().code, "audit_full");

    audit.note_done(AuditEntry::by_station("stop", "ok"));
    audit.start(db.clone());
    let has_room = async {
        while audit.check_available().is_err() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(WRITTEN_WITHIN, has_room).await.unwrap();
    assert!(audit.reserve().unwrap().note(started()).saved().await);
    let words = ["\"operation\":\"stop\"", "violated=audit_unavailable"];
    let lines: Vec<String> = db.audit_after(0, 10_000).await.unwrap().into_iter().map(|line| line.record).collect();
    assert!(words.iter().all(|word| lines.iter().any(|line| line.contains(word))));
}

#[tokio::test]
async fn the_gate_decides_from_memory_while_no_record_can_be_stored() {
    let folder = tempfile::tempdir().unwrap();
    let (audit, db) = audit(&folder).await;
    db.close().await;
    audit.start(db);
    assert_eq!(audit.commit(started()).await.unwrap_err().code, "audit_failed");
    assert!(recorded(&audit, &submission(), allowed()).allowed());
}

fn switched(ttl_ms: Option<u32>) -> Submission {
    let raw =
        json!({ "robot": "gate-1", "actuator": "latch", "motion": { "switch": { "on": true } }, "ttl_ms": ttl_ms });
    Submission::new(serde_json::from_value(raw).unwrap(), Session::bootstrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_goal_has_the_time_to_live_that_it_names_or_that_of_every_goal() {
    let rig = Rig::start_patient(&[]).await;
    let lives_ms = |ttl_ms| check(&rig.fleet, &rig.unit, &switched(ttl_ms)).parsed.map(|command| command.ttl_ms);
    assert_eq!(lives_ms(Some(750)), Some(750));
    assert_eq!(lives_ms(None), Some(rig.unit.settings.goal_ttl_ms));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_command_is_judged_while_the_stored_limits_cannot_be_read() {
    let rig = Rig::start_with_gate().await;
    let overall = || check(&rig.fleet, &rig.unit, &switched(None)).verdict.overall;
    for (kind, expected) in [
        (None, Overall::Deny),
        (Some(SetFaultKind::Unreadable), Overall::Deny),
        (Some(SetFaultKind::StoreUnavailable), Overall::ValidatorError(Cause::StoreUnavailable)),
    ] {
        let fault = kind.map(|kind| SetFault { kind, sentence: "the disk is gone".into(), owner: None });
        rig.unit.control().set_fault = fault;
        assert_eq!(overall(), expected, "{kind:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_the_robot_takes_up_after_it_was_to_hold_is_held_once_more() {
    let rig = Rig::start_with_gate().await;
    let unit = &rig.unit;
    let command = check(&rig.fleet, unit, &switched(None)).parsed.unwrap();
    unit.control().handed_over(&command, rig.fleet.runtime.clock.now().station);
    let holds = |id| {
        let before = unit.link.hold();
        hold_what_came_late(&rig.fleet, unit, id);
        unit.link.hold() - before - 1
    };
    assert!(unit.fence.is_latched());
    assert_eq!(holds(command.id), 1);
    assert_eq!(holds(CommandId(uuid::Uuid::nil())), 0, "nobody here has sent it");
    unit.control().open_stops.insert(1, None);
    assert_eq!(holds(command.id), 0, "the robot refuses what comes after a stop");
    unit.control().open_stops.clear();
    unit.fence.set_epoch(command.lease.epoch);
    assert!(unit.fence.release(unit.fence.generation()).is_some());
    assert_eq!(holds(command.id), 0, "it may move the robot");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_agent_sends_without_an_approved_proposal_is_denied_whatever_else_allows_it() {
    let rig = Rig::start_with_gate().await;
    let of_agent = Submission { by: Session::of_agent(&robot::AgentId::new("main").unwrap()), ..switched(None) };
    let denied = bound(&rig.unit, &of_agent, allowed());
    assert!(!denied.allowed());
    assert_eq!(denied.verdict.items[0].reason.code, Reason::ApprovalMissing);
    assert_eq!(denied.verdict.items[0].reason.args.expected.as_deref(), Some("an approved proposal"));
    assert!(bound(&rig.unit, &switched(None), allowed()).allowed());
}

#[test]
fn f2_a_command_that_was_judged_late_is_denied_and_one_that_is_denied_anyway_says_why_it_was() {
    let reasons =
        |judged: Judged| -> Vec<Reason> { judged.verdict.items.iter().map(|item| item.reason.code).collect() };
    assert_eq!(reasons(allowed().refused_if(Judging::InTime)), []);
    assert_eq!(reasons(allowed().refused_if(Judging::Late)), [Reason::Deadline]);
    assert_eq!(reasons(allowed().refused_if(Judging::TooSlow)), [Reason::Deadline]);
    let denied = allowed().but(|verdict| verdict.refuse(Reason::Replay, ReasonArgs::default()));
    assert_eq!(reasons(denied.refused_if(Judging::Late)), [Reason::Replay]);
}

#[tokio::test(flavor = "multi_thread")]
async fn f2_a_robot_is_held_once_judging_took_too_long_three_times_in_a_row() {
    let rig = Rig::start_armed().await;
    let judged = |took_s| {
        let judged = Judged { took: Duration::from_secs(took_s), ..allowed() };
        let allowed = in_time(&rig.fleet, &rig.unit, judged).allowed();
        (allowed, rig.unit.state())
    };
    use safety::machine::State::{Armed, Hold};
    assert_eq!([0, 9, 9, 0, 9, 9].map(judged).map(|(allowed, _)| allowed), [true, false, false, true, false, false]);
    assert_eq!((rig.unit.state(), judged(9)), (Armed, (false, Hold)));
    let causes = rig.unit.control().safety.causes().iter().map(|active| active.cause).collect::<Vec<_>>();
    assert_eq!(causes, [SafetyCause::ValidatorSlow]);
}

#[tokio::test(flavor = "multi_thread")]
async fn f2_a_robot_is_held_if_a_command_cannot_be_judged() {
    let rig = Rig::start_armed().await;
    assert!(!in_time(&rig.fleet, &rig.unit, allowed().not_judged(Cause::ClockFailed)).allowed());
    assert_eq!(rig.unit.state(), safety::machine::State::Hold);
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_are_numbered_in_order_and_a_dry_run_uses_up_no_number() {
    let rig = Rig::start_with_gate().await;
    let seq = || check(&rig.fleet, &rig.unit, &switched(None)).parsed.map(|command| command.lease.seq);
    for next in 1..4 {
        assert_eq!((seq(), seq()), (Some(next), Some(next)));
        assert_eq!(submit(&rig.fleet, switched(None)).unwrap().state, CommandStep::Denied);
        assert_eq!(rig.unit.control().seq, next);
    }
}

fn named(id: u128, on: bool) -> Submission {
    let mut submission = switched(None);
    submission.raw.id = Some(CommandId(uuid::Uuid::from_u128(id)));
    if !on {
        submission.raw.motion = serde_json::from_value(json!({ "switch": { "on": false } })).unwrap();
    }
    submission
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_whose_id_was_used_before_is_not_judged_again() {
    let rig = Rig::start_with_gate().await;
    let denied = submit(&rig.fleet, named(1, true)).unwrap();
    let again = submit(&rig.fleet, named(1, true)).unwrap_err();
    assert_eq!((denied.state, again.code.as_str()), (CommandStep::Denied, "command_repeated"));
    let asked = Request::new(&named(1, true).raw, Session::bootstrap().actor());
    let kept = rig.fleet.commands.outcome(denied.command_id, &asked).unwrap();
    assert_eq!(kept, Some(serde_json::to_value(&denied).unwrap()), "the same id gets the same answer");
    assert_eq!(submit(&rig.fleet, named(1, false)).unwrap_err().code, "command_repeated");
    assert_eq!(rig.unit.control().seq, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_everything_allows_is_sent_under_the_id_it_was_given() {
    let rig = Rig::start_armed().await;
    let outcome = submit(&rig.fleet, named(1, true)).unwrap();
    assert_eq!((outcome.state, outcome.command_id), (CommandStep::Approved, named(1, true).raw.id.unwrap()));
    // Only what was handed over is told of; by now it may have failed already, as nobody hears it.
    let progress = rig.fleet.commands.first_report(outcome.command_id).await;
    assert!(matches!(progress.step, CommandStep::Sent | CommandStep::Failed), "{:?}", progress.step);
    let fresh = submit(&rig.fleet, switched(None)).unwrap();
    assert!(rig.fleet.commands.outcome(fresh.command_id, &Request::new(&switched(None).raw, "")).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_that_come_too_fast_are_denied_before_any_work_is_done_for_them() {
    // A busy machine judges hardly more than the usual fifty a second.
    let rig = Rig::start_with_slow_gate().await;
    let denials = (0..200).map(|_| submit(&rig.fleet, switched(None)).unwrap().verdict.items[0].reason.code);
    assert!(denials.collect::<Vec<_>>().contains(&Reason::RateLimited));
    assert!(rig.unit.control().seq < 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_verdict_is_kept_as_it_was_made_for_a_recording_alone() {
    let rig = Rig::start_with_gate().await;
    let kept = |whom| judged(&rig.fleet, &rig.unit, &switched(None), 1, whom).basis.unwrap().verdict.is_some();
    assert!(kept(For::Recording) && !kept(For::Answer));
}

fn of_mission(mission: &str) -> Submission {
    let mut submission = switched(None);
    submission.raw.mission_id = Some(robot::MissionId::new(mission).unwrap());
    submission
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_of_an_unknown_mission_is_refused_and_one_of_a_mission_that_stands_still_denied() {
    let rig = Rig::start_armed().await;
    assert!(submit(&rig.fleet, of_mission(UNKNOWN)).is_err());
    assert_eq!(rig.unit.control().seq, 0, "it was not judged");
    let outcome = submit(&rig.fleet, of_mission(HALTED)).unwrap();
    let reason = &outcome.verdict.items[0].reason;
    let why = reason.args.expected.as_deref();
    assert_eq!((outcome.state, reason.code), (CommandStep::Denied, Reason::ApprovalVoid));
    assert_eq!(why, Some("halted stands still"));
    assert_eq!(submit(&rig.fleet, of_mission("another")).unwrap().state, CommandStep::Approved);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_is_answered_with_what_became_of_it_which_is_on_record_with_all_that_it_rests_on() {
    let rig = Rig::start_armed().await;
    let epoch = rig.unit.control().epoch;
    let outcome = send(&rig.fleet, switched(None)).await.unwrap();
    // As nobody hears it, it may have failed.
    assert!(matches!(outcome.state, CommandStep::Sent | CommandStep::Failed), "{:?}", outcome.state);
    let became = outcome.code.clone().unwrap_or_else(|| word(&outcome.state));
    let until_on_record = async {
        loop {
            let sent = rig.records("send").await;
            if !sent.is_empty() {
                return sent;
            }
        }
    };
    let sent = tokio::time::timeout(WRITTEN_WITHIN, until_on_record).await.unwrap();
    assert_eq!((sent[0]["outcome"].as_str(), sent[0]["epoch"].as_u64()), (Some(became.as_str()), Some(epoch)));
    assert_eq!(send(&rig.fleet, of_mission(HALTED)).await.unwrap().state, CommandStep::Denied);
    let verdicts = rig.records("verdict").await;
    let outcomes: Vec<_> = verdicts.iter().map(|record| record["outcome"].as_str()).collect();
    assert_eq!(outcomes, [Some("allow"), Some("deny")]);
    assert!(verdicts.iter().all(|record| record["input_hash"].is_string()), "{verdicts:?}");
    let wall_ms = rig.fleet.runtime.clock.now().wall_ms;
    assert_eq!(rig.fleet.runtime.recordings.of_day(rig.unit.id(), wall_ms).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn people_are_told_of_every_verdict() {
    let rig = Rig::start_armed().await;
    let mut frames = rig.fleet.runtime.bus.subscribe(());
    let sent = [switched(None), of_mission(HALTED)].map(|submission| submit(&rig.fleet, submission).unwrap().verdict);
    let mut told = Vec::new();
    while told.len() < 2 {
        let facts = tokio::time::timeout(WRITTEN_WITHIN, frames.next()).await.unwrap().unwrap().facts;
        let verdict =
            |fact| if let Fact::Verdict { robot, overall, .. } = fact { Some((robot, overall)) } else { None };
        told.extend(facts.into_iter().filter_map(verdict));
    }
    assert_eq!(told, sent.map(|verdict| (rig.unit.id().clone(), verdict.overall)));
}
