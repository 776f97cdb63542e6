//! Decides about a job whose time has come, or has passed while nothing could run.

use world::cron::{Schedule, Zone};

use super::run::MissReason;
use super::{Job, Missed, PUNCTUAL_MS};

/// Missed times that are run at most.
const CAUGHT_UP_MAX: usize = 10;
/// Missed times that are recorded one by one: with more, the first row stands for all before the second. More rows than
/// that would push the runs of other jobs out of what is kept.
const RECORDED_MAX: usize = 1_000;
/// The first look back for missed times, milliseconds; each further one goes back twice as far.
const LOOK_BACK_MS: i64 = 600_000;

/// A run to start now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueRun {
    /// The time it is for, UTC milliseconds.
    pub due_ms: i64,
    /// It was missed before.
    pub late: bool,
}

/// The decision about a job now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// The run to start.
    pub run: Option<DueRun>,
    /// Times that are not run, oldest first.
    pub missed: Vec<(i64, MissReason)>,
    /// There were more than are recorded one by one: the first of `missed` stands for every time before the second.
    pub stands_for_more: bool,
    /// The next time to look at it; may have passed, if more than one missed time is run.
    pub next_ms: Option<i64>,
}

/// Decides about `job` at `now_ms`.
#[must_use]
pub fn plan(job: &Job, zone: &Zone, now_ms: i64) -> Plan {
    let Some(next_ms) = job.next_ms.filter(|next_ms| *next_ms <= now_ms) else {
        return Plan { next_ms: job.next_ms, ..Plan::default() };
    };
    let (dues, is_cut) = dues(&job.schedule, zone, next_ms, now_ms);
    // From now on: the first time after a missed one may have passed as well.
    let regular_ms = if job.schedule.recurs() { job.schedule.next_after(zone, now_ms) } else { None };
    let mut plan = match job.policy.missed {
        Missed::Once => one_for_all(&dues, i64::from(job.policy.grace_secs) * 1_000, now_ms),
        Missed::Skip => punctual_only(&dues, now_ms),
        Missed::All => oldest_first(&dues, now_ms),
    };
    // A missed time that is still to be run comes before the next regular one.
    plan.next_ms = plan.next_ms.or(regular_ms);
    if is_cut {
        // The row for the older ones has the reason of the next one; without a next there were too many.
        let reason = plan.missed.first().map_or(MissReason::BeyondTen, |(_, reason)| *reason);
        plan.missed.insert(0, (next_ms, reason));
        plan.stands_for_more = true;
    }
    plan
}

/// The newest times of a schedule from `from_ms`, itself one, to `now_ms`, oldest first; true if there are older ones.
fn dues(schedule: &Schedule, zone: &Zone, from_ms: i64, now_ms: i64) -> (Vec<i64>, bool) {
    if !schedule.recurs() {
        return (vec![from_ms], false);
    }
    // Growing steps find the newest times without walking through a year of a dense schedule.
    let mut back_ms = LOOK_BACK_MS;
    loop {
        // `next_after` is strict, and `from_ms` itself is due.
        let start_ms = now_ms.saturating_sub(back_ms).max(from_ms - 1);
        let following = |at_ms: &i64| schedule.next_after(zone, *at_ms);
        let first = following(&start_ms);
        let mut dues: Vec<i64> =
            std::iter::successors(first, following).take_while(|due_ms| *due_ms <= now_ms).collect();
        let is_all = start_ms < from_ms;
        if is_all || dues.len() >= RECORDED_MAX {
            let older = dues.len().saturating_sub(RECORDED_MAX);
            dues.drain(..older);
            return (dues, !is_all || older > 0);
        }
        back_ms = back_ms.saturating_mul(2);
    }
}

fn is_punctual(due_ms: i64, now_ms: i64) -> bool {
    now_ms - due_ms <= PUNCTUAL_MS
}

fn one_for_all(dues: &[i64], grace_ms: i64, now_ms: i64) -> Plan {
    let Some((newest, older)) = dues.split_last() else { return Plan::default() };
    let late = !is_punctual(*newest, now_ms);
    if late && now_ms - newest > grace_ms {
        return Plan { missed: all(dues, MissReason::TooLate), ..Plan::default() };
    }
    let run = Some(DueRun { due_ms: *newest, late });
    Plan { run, missed: all(older, MissReason::CoveredByLaterRun), ..Plan::default() }
}

fn punctual_only(dues: &[i64], now_ms: i64) -> Plan {
    match dues.split_last() {
        Some((newest, older)) if is_punctual(*newest, now_ms) => {
            let run = Some(DueRun { due_ms: *newest, late: false });
            Plan { run, missed: all(older, MissReason::Skipped), ..Plan::default() }
        }
        Some(_) | None => Plan { missed: all(dues, MissReason::Skipped), ..Plan::default() },
    }
}

/// Of the newest ten the first; the rest is looked at again once it has ended.
fn oldest_first(dues: &[i64], now_ms: i64) -> Plan {
    let (beyond, newest) = dues.split_at(dues.len().saturating_sub(CAUGHT_UP_MAX));
    let Some((oldest, newer)) = newest.split_first() else { return Plan::default() };
    let run = Some(DueRun { due_ms: *oldest, late: !is_punctual(*oldest, now_ms) });
    Plan { run, missed: all(beyond, MissReason::BeyondTen), next_ms: newer.first().copied(), ..Plan::default() }
}

fn all(dues: &[i64], reason: MissReason) -> Vec<(i64, MissReason)> {
    dues.iter().map(|due_ms| (*due_ms, reason)).collect()
}
