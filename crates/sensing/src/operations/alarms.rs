//! Operations on alarms: reading the list, and what people do with it.

use std::sync::Arc;

use robot::{Effect, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use world::alarm::{AlarmId, AlarmPreset, AlarmRow, PersonAct};

use crate::Sensing;
use runtime::error::OpError;
use runtime::operation::{ALL, Operation, Terms, UI, row};
use runtime::session::Session;
use runtime::wire::{AlarmReport, AlarmsChanged};

/// The span of `alarm_figures` if none is named, seconds: a day.
const FIGURES_SECS: i64 = 86_400;
/// Its longest span, seconds: as long as events are kept.
const FIGURES_SECS_MAX: i64 = 90 * 86_400;

/// Their rows.
pub fn rows() -> Vec<Operation<Arc<Sensing>>> {
    use Effect::{Read, Write};
    use Role::{Admin, Operator, Viewer};
    vec![
        row(
            "list_alarms",
            Terms(Viewer, Read, ALL, Trust::Text),
            "Alarms that need a response, the most urgent first.",
            list_alarms,
        )
        .in_missions()
        .example(json!({"preset": "active"}))
        .in_rooms()
        .core(),
        row(
            "alarm_figures",
            Terms(Viewer, Read, ALL, Trust::Text),
            "Counts of alarms over a span of time, by their source.",
            alarm_figures,
        )
        .in_missions(),
        row(
            "acknowledge_alarms",
            Terms(Operator, Write, UI, Trust::Text),
            "Says that somebody saw alarms. Silences them, clears nothing.",
            acknowledge_alarms,
        )
        .example(json!({"ids": ["alarm-3"], "seq": 17})),
        row("shelve_alarm", Terms(Operator, Write, UI, Trust::Text), "Hides an alarm for a while.", shelve_alarm)
            .example(json!({"id": "alarm-3", "secs": 3600, "reason": "The filter comes tomorrow."})),
        row("unshelve_alarm", Terms(Operator, Write, UI, Trust::Text), "Shows a shelved alarm again.", unshelve_alarm)
            .example(json!({"id": "alarm-3"})),
        row(
            "reset_alarm",
            Terms(Operator, Write, UI, Trust::Text),
            "Ends the latch of an alarm that is over.",
            reset_alarm,
        )
        .example(json!({"id": "alarm-3"})),
        row(
            "set_alarm_service",
            Terms(Admin, Write, UI, Trust::Text),
            "Takes an alarm out of service, or puts it back.",
            set_alarm_service,
        )
        .example(json!({"id": "alarm-3", "in_service": false, "reason": "The sensor is being replaced."})),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListAlarms {
    /// Alarms to list; those that are not over and not hidden if left out.
    #[serde(default)]
    preset: AlarmPreset,
    /// Only what was raised or returned since then, Unix seconds.
    since: Option<i64>,
}

async fn list_alarms(sensing: Arc<Sensing>, by: Session, input: ListAlarms) -> Result<Vec<AlarmRow>, OpError> {
    let since_ms = input.since.map(|since| since.saturating_mul(1_000));
    Ok(sensing.alarms.rows(&sensing, input.preset, since_ms, by.sees()))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Figures {
    /// The beginning, Unix seconds; a day before the end if left out.
    from: Option<i64>,
    /// The end, Unix seconds; now if left out.
    to: Option<i64>,
}

async fn alarm_figures(sensing: Arc<Sensing>, by: Session, input: Figures) -> Result<AlarmReport, OpError> {
    let to = input.to.unwrap_or_else(|| sensing.runtime.clock.now().unix_s());
    let from = input.from.unwrap_or(to.saturating_sub(FIGURES_SECS));
    if !(1..=FIGURES_SECS_MAX).contains(&to.saturating_sub(from)) {
        let message = "The span from `from` to `to` is 1 s to 90 days.";
        let refused = OpError::out_of_range("from", to.saturating_sub(FIGURES_SECS_MAX), to);
        return Err(OpError { message: message.into(), ..refused });
    }
    // The last second counts as a whole.
    let span_ms = from.saturating_mul(1_000)..=to.saturating_mul(1_000).saturating_add(999);
    let figures = sensing.alarms.figures(&sensing, span_ms, by.sees()).await?;
    Ok(AlarmReport { figures, now: sensing.alarms.counts(by.sees()) })
}

async fn act(sensing: &Sensing, act: PersonAct, by: &Session) -> Result<AlarmsChanged, OpError> {
    Ok(AlarmsChanged { alarms: sensing.alarms.act(sensing, act, by).await? })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Acknowledge {
    /// The alarms, at most 100.
    ids: Vec<AlarmId>,
    /// The greatest `seq` of the rows that were on the screen.
    seq: u64,
}

async fn acknowledge_alarms(sensing: Arc<Sensing>, by: Session, input: Acknowledge) -> Result<AlarmsChanged, OpError> {
    let Acknowledge { ids, seq } = input;
    act(&sensing, PersonAct::Acknowledge { ids, seq }, &by).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Shelve {
    /// The alarm.
    id: AlarmId,
    /// For how long, seconds: at most 28,800, and 1,800 for priority 1.
    secs: u32,
    /// The reason, 1 to 500 characters.
    reason: String,
}

async fn shelve_alarm(sensing: Arc<Sensing>, by: Session, input: Shelve) -> Result<AlarmsChanged, OpError> {
    let Shelve { id, secs, reason } = input;
    act(&sensing, PersonAct::Shelve { id, secs, reason }, &by).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OneAlarm {
    /// The alarm.
    id: AlarmId,
}

async fn unshelve_alarm(sensing: Arc<Sensing>, by: Session, input: OneAlarm) -> Result<AlarmsChanged, OpError> {
    act(&sensing, PersonAct::Unshelve { id: input.id }, &by).await
}

async fn reset_alarm(sensing: Arc<Sensing>, by: Session, input: OneAlarm) -> Result<AlarmsChanged, OpError> {
    act(&sensing, PersonAct::Reset { id: input.id }, &by).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SetService {
    /// The alarm.
    id: AlarmId,
    /// True puts the alarm in service, false takes it out.
    in_service: bool,
    /// The reason, 1 to 500 characters.
    reason: String,
}

async fn set_alarm_service(sensing: Arc<Sensing>, by: Session, input: SetService) -> Result<AlarmsChanged, OpError> {
    let SetService { id, in_service, reason } = input;
    act(&sensing, PersonAct::SetService { id, in_service, reason }, &by).await
}
