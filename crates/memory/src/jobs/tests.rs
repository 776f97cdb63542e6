use expect_test::{Expect, expect};
use world::cron::{Cron, Zone};

use super::*;
use crate::{AgentDb, word};

const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 86_400_000;

fn hourly() -> Schedule {
    Schedule::Cron { cron: Cron::parse("0 * * * *", 60).unwrap(), once: false }
}

fn job(schedule: Schedule, missed: Missed, next_ms: i64) -> Job {
    Job {
        id: "job-1".into(),
        name: Some("night summary".into()),
        mission_id: None,
        action: JobAction::Operation { operation: "list_missions".into(), input: serde_json::json!({}) },
        schedule,
        time_zone: "UTC".into(),
        policy: JobPolicy { missed, grace_secs: 3_600, max_retries: 3 },
        state: JobState::Pending,
        next_ms: Some(next_ms),
        retries: 0,
        last_error: None,
        version: 1,
        created_by: "dana".into(),
    }
}

/// Checks the runs and misses of an hourly job, due at 0, in minutes.
fn check(missed: Missed, now_min: i64, expected: Expect) {
    let job = job(hourly(), missed, 0);
    let plan = plan(&job, &Zone::utc(), now_min * MINUTE_MS);
    let run = plan
        .run
        .map_or("nothing".into(), |run| format!("{}{}", run.due_ms / MINUTE_MS, if run.late { " late" } else { "" }));
    let missed: Vec<String> =
        plan.missed.iter().map(|(due_ms, reason)| format!("{} {}", due_ms / MINUTE_MS, word(reason))).collect();
    let next = plan.next_ms.unwrap() / MINUTE_MS;
    expected.assert_eq(&format!("runs {run}, misses [{}], next {next}", missed.join(", ")));
}

#[test]
fn j_09_what_is_punctual_is_run_whatever_the_policy() {
    for missed in [Missed::Once, Missed::Skip, Missed::All] {
        check(missed, 0, expect!["runs 0, misses [], next 60"]);
        check(missed, -1, expect!["runs nothing, misses [], next 0"]);
    }
}

#[test]
fn j_09_once_runs_the_newest_within_its_grace() {
    check(Missed::Once, 30, expect!["runs 0 late, misses [], next 60"]);
    check(
        Missed::Once,
        130,
        expect!["runs 120 late, misses [0 covered_by_later_run, 60 covered_by_later_run], next 180"],
    );
    let mut daily = job(Schedule::At { at_ms: 0 }, Missed::Once, 0);
    for (late_ms, runs) in [(3_600_000, true), (3_600_001, false)] {
        let plan = plan(&daily, &Zone::utc(), late_ms);
        assert_eq!((plan.run.is_some(), plan.missed.is_empty(), plan.next_ms), (runs, runs, None), "{late_ms}");
    }
    daily.policy.grace_secs = 0;
    assert_eq!(plan(&daily, &Zone::utc(), 10_000).missed, [(0, MissReason::TooLate)]);
}

#[test]
fn j_09_skip_runs_none_that_was_missed() {
    check(Missed::Skip, 90, expect!["runs nothing, misses [0 skipped, 60 skipped], next 120"]);
    check(Missed::Skip, 120, expect!["runs 120, misses [0 skipped, 60 skipped], next 180"]);
}

#[test]
fn j_09_all_runs_the_newest_ten_oldest_first_one_after_the_other() {
    check(Missed::All, 130, expect!["runs 0 late, misses [], next 60"]);
    let job = job(hourly(), Missed::All, 0);
    let plan = plan(&job, &Zone::utc(), (60 * 100 + 1) * MINUTE_MS);
    assert_eq!(plan.run, Some(DueRun { due_ms: 5_460 * MINUTE_MS, late: true }));
    let every: Vec<(i64, MissReason)> = (0..91).map(|hour| (hour * 60 * MINUTE_MS, MissReason::BeyondTen)).collect();
    assert_eq!((plan.missed, plan.next_ms), (every, Some(5_520 * MINUTE_MS)));
}

#[test]
fn j_09_every_missed_time_is_recorded_with_its_reason() {
    let every_minute = Schedule::Every { every_secs: 60, from_ms: 0, once: false };
    for (missed, recorded, reason, is_run) in [
        (Missed::Once, 35, MissReason::CoveredByLaterRun, true),
        (Missed::Skip, 36, MissReason::Skipped, false),
        (Missed::All, 26, MissReason::BeyondTen, true),
    ] {
        let plan = plan(&job(every_minute.clone(), missed, MINUTE_MS), &Zone::utc(), 36 * MINUTE_MS + 30_000);
        let first: Vec<i64> = (1..=recorded).map(|minute| minute * MINUTE_MS).collect();
        assert_eq!(plan.missed, first.iter().map(|due_ms| (*due_ms, reason)).collect::<Vec<_>>(), "{missed:?}");
        assert_eq!((plan.run.is_some(), plan.stands_for_more), (is_run, false), "{missed:?}");
    }
}

#[test]
fn j_09_a_year_of_missed_minutes_is_planned_at_once() {
    let every_minute = Schedule::Every { every_secs: 60, from_ms: 0, once: false };
    let plan = plan(&job(every_minute, Missed::All, MINUTE_MS), &Zone::utc(), 365 * DAY_MS + 1);
    assert_eq!(plan.run, Some(DueRun { due_ms: 365 * DAY_MS - 9 * MINUTE_MS, late: true }));
    // The newest times have a row each; the first row stands for all that came before them.
    assert_eq!((plan.missed.len(), plan.stands_for_more), (991, true));
    assert_eq!(plan.missed[0], (MINUTE_MS, MissReason::BeyondTen));
    assert_eq!(plan.missed[1], (365 * DAY_MS - 999 * MINUTE_MS, MissReason::BeyondTen));
}

#[test]
fn j_07_j_08_j_10_what_follows_a_run() {
    use JobState::{Cancelled, Completed, DeadLetter, Failed, Pending};
    let failure = || Ended::Failed("model".into());
    let cases = [
        // ended, recurs, failures before; state, failures, retried
        (Ended::Completed, true, 2, Pending, 0, false),
        (Ended::Completed, false, 0, Completed, 0, false),
        (failure(), false, 0, Pending, 1, true),
        (failure(), true, 2, Pending, 3, true),
        (failure(), true, 3, DeadLetter, 4, false),
        (Ended::Refused("invalid_input".into()), false, 0, Failed, 0, false),
        (Ended::Refused("invalid_input".into()), true, 0, Pending, 0, false),
        (Ended::Cancelled, false, 0, Cancelled, 0, false),
        (Ended::Cancelled, true, 0, Pending, 0, false),
        (Ended::Interrupted { actuated: false }, false, 0, Pending, 1, true),
        (Ended::Interrupted { actuated: true }, true, 0, DeadLetter, 0, false),
    ];
    for (ended, recurs, before, state, retries, is_retried) in cases {
        let mut job = job(hourly(), Missed::Once, 0);
        (job.retries, job.next_ms) = (before, recurs.then_some(1));
        let after = after(&job, "run-1", &ended);
        let found = (after.state, after.retries, after.retry_ms.is_some());
        assert_eq!(found, (state, retries, is_retried), "{ended:?} recurs {recurs}");
    }
}

#[test]
fn j_08_retries_come_after_one_two_and_four_minutes_give_or_take_a_tenth() {
    let mut seen = std::collections::BTreeSet::new();
    for run in 0..200 {
        for (retry, expected_ms) in [(1, 60_000), (2, 120_000), (3, 240_000), (10, 30_720_000)] {
            let delay_ms = retry_delay_ms(&format!("run-{run}"), retry);
            assert!((delay_ms - expected_ms).abs() * 10 <= expected_ms, "{delay_ms}");
            seen.insert(delay_ms);
        }
    }
    assert!(seen.len() > 400, "runs are spread: {}", seen.len());
    assert_eq!(retry_delay_ms("run-7", 2), retry_delay_ms("run-7", 2));
}

async fn db(folder: &tempfile::TempDir) -> AgentDb {
    AgentDb::open(&folder.path().join("memory.db")).await.unwrap()
}

fn run(id: &str, due_ms: i64, attempt: u32) -> JobRun {
    JobRun {
        id: id.into(),
        job_id: "job-1".into(),
        due_ms,
        attempt,
        started_ms: Some(due_ms),
        ended_ms: None,
        outcome: RunOutcome::Running,
        turn: None,
        actuated: false,
        error: None,
        proposal: None,
        cost_microusd: None,
    }
}

#[tokio::test]
async fn j_06_a_job_is_claimed_once_for_one_due_time() {
    let folder = tempfile::tempdir().unwrap();
    let db = db(&folder).await;
    let job = job(hourly(), Missed::Once, 0);
    assert_eq!(db.add_job(&job).await.unwrap(), AddedJob::Added);
    let running = JobChange { state: JobState::Running, next_ms: Some(1), ..JobChange::of(&job) };
    let (mine, theirs) = (run("run-1", 0, 1), run("run-2", 0, 1));
    let (first, second) = tokio::join!(db.claim_job(1, &running, &mine), db.claim_job(1, &running, &theirs));
    assert_eq!((first.unwrap(), second.unwrap()), (true, false), "the version was used");
    assert!(!db.claim_job(2, &running, &theirs).await.unwrap(), "the due time was used");
    assert_eq!(db.open_job_runs().await.unwrap(), std::slice::from_ref(&mine));
    db.note_job_actuates("run-1").await.unwrap();
    let ended = JobRun { ended_ms: Some(5), outcome: RunOutcome::Completed, turn: Some("turn-1".into()), ..mine };
    let pending = JobChange { state: JobState::Pending, ..running };
    assert!(db.end_job_run(&ended, 2, &pending).await.unwrap());
    assert_eq!(db.open_job_runs().await.unwrap(), []);
    assert_eq!(db.job_runs(&"job-1".into(), 20).await.unwrap(), [JobRun { actuated: true, ..ended }]);
    let stored = db.jobs().await.unwrap().remove(0).unwrap();
    assert_eq!(stored, Job { next_ms: Some(1), version: 3, ..job });
}

#[tokio::test]
async fn j_12_a_name_is_taken_until_its_job_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let db = db(&folder).await;
    let first = job(hourly(), Missed::Once, 0);
    let second = Job { id: "job-2".into(), ..first.clone() };
    assert_eq!(db.add_job(&first).await.unwrap(), AddedJob::Added);
    assert_eq!(db.add_job(&second).await.unwrap(), AddedJob::Exists("job-1".into()));
    let cancelled = JobChange { state: JobState::Cancelled, ..JobChange::of(&first) };
    let missed = JobRun { outcome: RunOutcome::Missed, started_ms: None, ..run("run-1", 0, 0) };
    assert!(db.change_job(&"job-1".into(), 1, &cancelled, &[missed]).await.unwrap());
    assert!(!db.change_job(&"job-1".into(), 1, &cancelled, &[]).await.unwrap(), "the version was used");
    assert_eq!(db.add_job(&second).await.unwrap(), AddedJob::Added);
    let names: Vec<Option<String>> = db.jobs().await.unwrap().into_iter().map(|job| job.unwrap().name).collect();
    assert_eq!(names, [None, Some("night summary".into())]);
}

#[tokio::test]
async fn j_12_a_thousand_jobs_are_enough_and_the_oldest_that_has_ended_makes_room() {
    let folder = tempfile::tempdir().unwrap();
    let db = db(&folder).await;
    let first = Job { name: None, ..job(hourly(), Missed::Once, 0) };
    db.add_job(&first).await.unwrap();
    let mut transaction = db.lazy("fill the table").await.unwrap();
    sqlx::query(
        "WITH RECURSIVE counted(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM counted WHERE n < ?1)
         INSERT INTO job SELECT 'job-' || n, NULL, mission_id, action, schedule, time_zone, policy, state, next_ms,
             retries, last_error, version, created_by FROM counted, job",
    )
    .bind(i64::try_from(JOBS_MAX).unwrap())
    .execute(&mut *transaction)
    .await
    .unwrap();
    transaction.commit().await.unwrap();
    let next = Job { id: "job-next".into(), ..first.clone() };
    assert_eq!(db.add_job(&next).await.unwrap(), AddedJob::Full);
    let ended = JobChange { state: JobState::Completed, ..JobChange::of(&first) };
    db.change_job(&"job-7".into(), 1, &ended, &[]).await.unwrap();
    assert_eq!(db.add_job(&next).await.unwrap(), AddedJob::Added);
    let ids: Vec<JobId> = db.jobs().await.unwrap().into_iter().map(|job| job.unwrap().id).collect();
    assert!(ids.len() == JOBS_MAX && !ids.contains(&"job-7".into()));
}

#[tokio::test]
async fn st_08_old_runs_are_forgotten_and_running_ones_stay() {
    let folder = tempfile::tempdir().unwrap();
    let db = db(&folder).await;
    let job = job(hourly(), Missed::Once, 0);
    db.add_job(&job).await.unwrap();
    let of = |id: &str, due_ms, outcome| JobRun { outcome, ..run(id, due_ms, 1) };
    let runs = [
        of("run-1", 0, RunOutcome::Completed),
        of("run-2", 1, RunOutcome::Running),
        of("run-3", 91 * DAY_MS, RunOutcome::Completed),
    ];
    db.change_job(&"job-1".into(), 1, &JobChange::of(&job), &runs).await.unwrap();
    assert_eq!(db.forget_old_job_runs(91 * DAY_MS).await.unwrap(), 1);
    let kept: Vec<String> = db.job_runs(&"job-1".into(), 20).await.unwrap().into_iter().map(|run| run.id).collect();
    assert_eq!(kept, ["run-3", "run-2"]);
}

#[tokio::test]
async fn j_07_a_run_that_waits_for_a_decision_is_open_and_is_not_cleared_away() {
    let folder = tempfile::tempdir().unwrap();
    let db = db(&folder).await;
    let job = job(hourly(), Missed::Once, 0);
    db.add_job(&job).await.unwrap();
    let running = JobChange { state: JobState::Running, ..JobChange::of(&job) };
    assert!(db.claim_job(1, &running, &run("run-1", 0, 1)).await.unwrap());
    db.note_job_proposed("run-1", &"pr-1".into(), false).await.unwrap();
    assert_eq!(db.forget_old_job_runs(365 * DAY_MS).await.unwrap(), 0);
    let found = |runs: Vec<JobRun>| runs.into_iter().map(|run| (run.outcome, run.proposal)).collect::<Vec<_>>();
    let proposal = Some("pr-1".into());
    assert_eq!(found(db.open_job_runs().await.unwrap()), [(RunOutcome::Proposed, proposal.clone())]);
    db.note_job_proposed("run-1", &"pr-1".into(), true).await.unwrap();
    assert_eq!(found(db.open_job_runs().await.unwrap()), [(RunOutcome::Running, proposal.clone())]);

    // Cancelled while the card waited: the card is withdrawn after that.
    let cancelled = JobRun { ended_ms: Some(1), outcome: RunOutcome::Cancelled, ..run("run-1", 0, 1) };
    db.end_job_run(&cancelled, 2, &running).await.unwrap();
    db.note_job_proposed("run-1", &"pr-1".into(), true).await.unwrap();
    assert_eq!(found(db.job_runs(&"job-1".into(), 20).await.unwrap()), [(RunOutcome::Cancelled, proposal)]);
}
