//! Acts of people on alarms. An act is planned first, so that it is on disk before it holds.

use std::time::Duration;

use robot::refusal::Code;
use robot::{Now, SharedCode};

use super::list::{end_if_gone, unshelve};
use super::{
    Alarm, AlarmEvent, AlarmEventKind, AlarmId, AlarmList, AlarmStep, OutOfService, Priority, Report, Shelved,
};
use crate::WorldCode;

/// Alarms acknowledged at once: a visible page.
const IDS_MAX: usize = 100;
/// The longest shelf: a shift, seconds.
const SHELVE_SECS_MAX: u32 = 28_800;
/// The longest shelf of a priority 1 alarm, seconds.
const SHELVE_FIRST_SECS_MAX: u32 = 1_800;
/// Characters of a reason.
const REASON_CHARS: std::ops::RangeInclusive<usize> = 1..=500;

/// One act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PersonAct {
    /// Seen; silences, does not clear.
    Acknowledge {
        /// Ids of the alarms, at most 100.
        ids: Vec<AlarmId>,
        /// The newest change that was on the screen.
        seq: u64,
    },
    /// Hidden for a while.
    Shelve {
        /// Id of the alarm.
        id: AlarmId,
        /// For how long, seconds.
        secs: u32,
        /// The person's reason.
        reason: String,
    },
    /// Shown again.
    Unshelve {
        /// Id of the alarm.
        id: AlarmId,
    },
    /// The end of a latch.
    Reset {
        /// Id of the alarm.
        id: AlarmId,
    },
    /// Taken out of service, or put back.
    SetService {
        /// Id of the alarm.
        id: AlarmId,
        /// True to put it back, false to take it out.
        in_service: bool,
        /// The person's reason.
        reason: String,
    },
}

/// A refusal of an act; then nothing of it is done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ActRefused {
    /// There is no such alarm.
    #[error("there is no alarm {}", id.0)]
    NotFound {
        /// The unknown id.
        id: AlarmId,
    },
    /// These changed after what was on the screen.
    #[error("{} of these alarms changed after they were shown", ids.len())]
    Changed {
        /// Ids of the alarms.
        ids: Vec<AlarmId>,
    },
    /// This one is never hidden.
    #[error("this alarm is never hidden")]
    NotShelvable {
        /// Id of the alarm.
        id: AlarmId,
    },
    /// Its condition is there, or nobody has seen that it went.
    #[error("the alarm is not over: acknowledge it first, and wait until its condition is gone")]
    StillActive {
        /// Id of the alarm.
        id: AlarmId,
    },
    /// A number or text is outside its range.
    #[error("{field} is {min} to {max}")]
    OutOfRange {
        /// The field.
        field: &'static str,
        /// The least.
        min: u32,
        /// The most.
        max: u32,
    },
}

impl ActRefused {
    /// The stable code of the wire.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::NotFound { .. } => WorldCode::AlarmNotFound.into(),
            Self::Changed { .. } => WorldCode::AlarmChanged.into(),
            Self::NotShelvable { .. } => WorldCode::NotShelvable.into(),
            Self::StillActive { .. } => WorldCode::StillActive.into(),
            Self::OutOfRange { .. } => SharedCode::OutOfRange.into(),
        }
    }
}

/// The planned result of an act.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    /// The alarms, in the order they were named.
    pub alarms: Vec<Alarm>,
    /// Events for the record.
    pub events: Vec<AlarmEvent>,
    seq: u64,
}

impl AlarmList {
    /// Works out what `act` of `by` does, without doing it.
    pub fn plan(&self, act: &PersonAct, by: &str, now: Now) -> Result<Planned, ActRefused> {
        let mut planned = Planned { alarms: Vec::new(), events: Vec::new(), seq: self.seq };
        match act {
            PersonAct::Acknowledge { ids, seq } => self.acknowledge(ids, *seq, &mut planned, by, now)?,
            PersonAct::Shelve { id, secs, reason } => {
                check_reason(reason)?;
                let mut alarm = self.found(id)?.clone();
                check_shelf(&alarm, *secs)?;
                let length = Duration::from_secs(u64::from(*secs));
                let until_ms = now.wall_ms.saturating_add(i64::from(*secs) * 1_000);
                alarm.shelved = Some(Shelved { until_ms, by: by.to_owned(), reason: reason.clone() });
                // This clock ends the shelf, since it cannot be set; the wall time is for display and restarts.
                alarm.shelved_until = Some(now.station.plus(length));
                planned.push(alarm, AlarmEventKind::Shelved, by, Some(reason), now);
            }
            PersonAct::Unshelve { id } => {
                let mut alarm = self.found(id)?.clone();
                if alarm.shelved.is_some() {
                    let mut report = Report::default();
                    unshelve(&mut alarm, &mut planned.seq, now, Some(by), &mut report);
                    planned.events.extend(report.events);
                }
                // Unshelving twice does no harm, so the alarm is returned unchanged instead of an error.
                planned.alarms.push(alarm);
            }
            PersonAct::Reset { id } => {
                let mut alarm = self.found(id)?.clone();
                let stepped = alarm.state.step(AlarmStep::Reset, alarm.definition.terms.latching);
                let stepped = stepped.map_err(|_| ActRefused::StillActive { id: id.clone() })?;
                alarm.state = stepped.state;
                planned.push(alarm, AlarmEventKind::Reset, by, None, now);
            }
            PersonAct::SetService { id, in_service, reason } => {
                check_reason(reason)?;
                let mut alarm = self.found(id)?.clone();
                if !in_service && alarm.definition.never_hidden {
                    return Err(ActRefused::NotShelvable { id: id.clone() });
                }
                let out = OutOfService { since_ms: now.wall_ms, by: by.to_owned(), reason: reason.clone() };
                alarm.out_of_service = (!in_service).then_some(out);
                // The person who takes it out of service knows now; the first reminder is due a day later.
                alarm.nagged = (!in_service).then_some(now.station);
                let kind = if *in_service { AlarmEventKind::InService } else { AlarmEventKind::OutOfService };
                planned.push(alarm, kind, by, Some(reason), now);
            }
        }
        Ok(planned)
    }

    /// Does `act`, on the alarms as they are now.
    pub fn act(&mut self, act: &PersonAct, by: &str, now: Now) -> Result<Planned, ActRefused> {
        // Planned anew: an alarm may have moved while the first plan was on its way to the disk.
        let planned = self.plan(act, by, now)?;
        self.seq = planned.seq;
        for alarm in &planned.alarms {
            self.alarms.insert(alarm.source.clone(), alarm.clone());
            self.touched(&alarm.source);
        }
        Ok(planned)
    }

    /// Has the alarms of an act that does not come to hold stored again as they are, as later than what was written of
    /// it: of two rows the disk keeps the later one.
    pub fn take_back(&mut self, planned: &Planned) {
        self.seq = self.seq.max(planned.seq);
        for alarm in &planned.alarms {
            let Some(source) = self.by_id.get(&alarm.id).cloned() else { continue };
            if let Some(held) = self.alarms.get_mut(&source) {
                self.seq += 1;
                held.seq = self.seq;
                self.touched(&source);
            }
        }
    }

    fn acknowledge(
        &self,
        ids: &[AlarmId],
        seq: u64,
        planned: &mut Planned,
        by: &str,
        now: Now,
    ) -> Result<(), ActRefused> {
        if !(1..=IDS_MAX).contains(&ids.len()) {
            return Err(ActRefused::OutOfRange { field: "ids", min: 1, max: 100 });
        }
        let alarms = ids.iter().map(|id| self.found(id)).collect::<Result<Vec<_>, _>>()?;
        let changed: Vec<_> = alarms.iter().filter(|alarm| alarm.seq > seq).map(|alarm| alarm.id.clone()).collect();
        if !changed.is_empty() {
            return Err(ActRefused::Changed { ids: changed });
        }
        for alarm in alarms {
            // An id may be named twice, and a second step would start from the alarm as it was before the first.
            if planned.alarms.iter().any(|other| other.id == alarm.id) {
                continue;
            }
            let mut alarm = alarm.clone();
            let stepped = alarm.state.step(AlarmStep::Acknowledge, alarm.definition.terms.latching);
            let Some(stepped) = stepped.ok().filter(|stepped| stepped.state != alarm.state) else {
                planned.alarms.push(alarm);
                continue;
            };
            alarm.state = stepped.state;
            alarm.acknowledged = Some((by.to_owned(), now.wall_ms));
            end_if_gone(&mut alarm, &mut planned.seq, now);
            planned.push(alarm, AlarmEventKind::Acknowledged, by, None, now);
        }
        Ok(())
    }

    fn found(&self, id: &AlarmId) -> Result<&Alarm, ActRefused> {
        self.alarm(id).ok_or_else(|| ActRefused::NotFound { id: id.clone() })
    }
}

impl PersonAct {
    /// The alarms it is about.
    #[must_use]
    pub fn ids(&self) -> &[AlarmId] {
        match self {
            Self::Acknowledge { ids, .. } => ids,
            Self::Shelve { id, .. } | Self::Unshelve { id } | Self::Reset { id } | Self::SetService { id, .. } => {
                std::slice::from_ref(id)
            }
        }
    }
}

impl Planned {
    fn push(&mut self, mut alarm: Alarm, kind: AlarmEventKind, by: &str, detail: Option<&str>, now: Now) {
        self.seq += 1;
        alarm.seq = self.seq;
        let event = alarm.event(kind, now);
        self.events.push(AlarmEvent { by: Some(by.to_owned()), detail: detail.map(str::to_owned), ..event });
        self.alarms.push(alarm);
    }
}

fn check_reason(reason: &str) -> Result<(), ActRefused> {
    if REASON_CHARS.contains(&reason.trim().chars().count()) {
        return Ok(());
    }
    Err(ActRefused::OutOfRange { field: "reason", min: 1, max: 500 })
}

/// The longest shelf of an alarm, seconds.
pub(super) fn shelf_secs_max(priority: Priority) -> u32 {
    if priority == Priority::FIRST { SHELVE_FIRST_SECS_MAX } else { SHELVE_SECS_MAX }
}

fn check_shelf(alarm: &Alarm, secs: u32) -> Result<(), ActRefused> {
    if alarm.definition.never_hidden {
        return Err(ActRefused::NotShelvable { id: alarm.id.clone() });
    }
    let max = shelf_secs_max(alarm.priority());
    if (1..=max).contains(&secs) { Ok(()) } else { Err(ActRefused::OutOfRange { field: "secs", min: 1, max }) }
}
