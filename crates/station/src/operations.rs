//! The one table of what can be done. A button, a program and the agent call the same row, with the same role check
//! and the same validation.

mod access_ops;
mod at_once;
mod audit_ops;
mod event_ops;
mod finding_ops;
mod manifest_ops;

mod motion;
mod network_ops;
mod notice_ops;
mod pairing_ops;
mod pictures;
mod proposal_ops;
mod repeats;
mod robot_removal;
mod site_plan_ops;
mod system;
mod typed_stop;
pub(crate) mod why_idle;

pub(crate) use access_ops::end_expired;
pub use at_once::act_at_once;
pub(crate) use motion::SEND_COMMAND;
pub use pictures::{Answer, answers_picture, dispatch_picture};
pub(crate) use proposal_ops::CREATE_PROPOSAL;
pub use repeats::Repeats;
use repeats::{Ran, Request};
pub(crate) use site_plan_ops::site_plan;
pub use typed_stop::{Heeded, heed};

use std::sync::{Arc, LazyLock};

use robot::{AgentId, Audience, Effect, Role, SessionKind, SharedCode, Stops};
use serde_json::{Value, json};

use crate::code::StationCode;
use crate::station::Station;
use agent_runner::AgentCode;
use fleet::control::ui_watchdog;
use runtime::audit::{Call, canonical_hash};
use runtime::error::{OpError, RuntimeCode};
use runtime::operation::{self, INPUT_BYTES_MAX, KeyUse, Leave, told};
use runtime::session::Session;

/// An operation of a station.
pub type Operation = operation::Operation<Arc<Station>>;

/// Names suggested for an operation that does not exist.
const SUGGESTIONS: usize = 3;
/// Bytes of such a name that are looked at; no operation has a longer one.
const NAME_BYTES_MAX: usize = 64;

/// A part of the reference: its title, and the rows in it.
type Area = (&'static str, Vec<Operation>);

/// Every area, in the order of the reference.
fn gathered() -> Vec<Area> {
    let of_robots: [Area; 6] = [
        ("Stops and safety", motion::stops()),
        ("Commands and arming", motion::commands()),
        ("Limits", motion::limits()),
        ("Control", motion::control()),
        ("Robots", motion::robots()),
        ("Proposals and approvals", proposal_ops::rows()),
    ];
    let of_agents = agent_runner::operations::AREAS.iter().map(|(area, rows)| {
        let rows = rows().into_iter().map(|row| row.within(|station: &Arc<Station>| Arc::clone(&station.runner)));
        (*area, rows.collect())
    });
    let of_station: [Area; 8] = [
        ("Missions", missions()),
        ("Alarms", alarms()),
        ("Cameras and maps", cameras()),
        ("Events", event_ops::rows()),
        ("Audit", audit_ops::rows()),
        ("Access", access_ops::rows()),
        (
            "Network",
            network_ops::rows()
                .into_iter()
                .chain(manifest_ops::rows())
                .chain(pairing_ops::rows())
                .chain(finding_ops::rows())
                .collect(),
        ),
        ("The station", system::rows().into_iter().chain(notice_ops::rows()).chain(site_plan_ops::rows()).collect()),
    ];
    of_robots.into_iter().chain(of_agents).chain(of_station).collect()
}

fn missions() -> Vec<Operation> {
    let rows = mission_runner::operations::rows().into_iter();
    rows.map(|row| row.within(|station: &Arc<Station>| Arc::clone(&station.missions))).collect()
}

fn alarms() -> Vec<Operation> {
    let rows = sensing::operations::alarms().into_iter();
    rows.map(|row| row.within(|station: &Arc<Station>| Arc::clone(&station.sensing))).collect()
}

fn cameras() -> Vec<Operation> {
    let rows = sensing::operations::cameras().into_iter().chain(sensing::operations::maps());
    rows.map(|row| row.within(|station: &Arc<Station>| Arc::clone(&station.sensing))).collect()
}

/// Every operation, by name.
pub fn table() -> &'static [Operation] {
    static TABLE: LazyLock<Vec<Operation>> = LazyLock::new(|| {
        let of_area = |(area, rows): Area| rows.into_iter().map(move |row| row.of_area(area));
        let mut rows: Vec<Operation> = gathered().into_iter().flat_map(of_area).collect();
        // Sorted for the binary search of `row_of`.
        rows.sort_by_key(|row| row.name);
        rows
    });
    &TABLE
}

/// Every area with its operations.
pub fn areas() -> impl Iterator<Item = (&'static str, impl Iterator<Item = &'static Operation>)> {
    gathered().into_iter().map(|(area, _)| (area, table().iter().filter(move |row| row.area == area)))
}

/// The row called `name`.
pub(crate) fn row_of(name: &str) -> Option<&'static Operation> {
    table().binary_search_by_key(&name, |row| row.name).ok().and_then(|at| table().get(at))
}

/// The operation called `name`.
pub(crate) fn find(name: &str) -> Result<&'static Operation, OpError> {
    row_of(name).ok_or_else(|| unknown(name))
}

/// True if the operation called `name` only ends motion.
#[must_use]
pub fn is_urgent(name: &str) -> bool {
    row_of(name).is_some_and(|row| row.urgent)
}

/// True if the operation called `name` brings what a person says to an agent.
#[must_use]
pub fn is_spoken(name: &str) -> bool {
    row_of(name).is_some_and(|row| row.spoken)
}

/// The most bytes of JSON that the input of the operation called `name` may have; of one that does not exist it
/// may have as many as of most, so that the refusal names the operation.
#[must_use]
pub fn input_bytes_max(name: &str) -> usize {
    row_of(name).map_or(INPUT_BYTES_MAX, |row| row.input_bytes_max)
}

/// Calls an operation. Everything is checked before anything is changed: that it exists, that this session may call
/// it, that the input is what it takes. Every refusal and every call with an effect goes on record here.
pub async fn dispatch(station: &Arc<Station>, session: &Session, name: &str, input: Value) -> Result<Value, OpError> {
    // Words that ask for a stop are carried out before their call is looked at (decision 0098).
    let heeded = if is_spoken(name) { heed_elsewhere(station, session, name, input).await? } else { input.into() };
    dispatch_heeded(station, session, name, heeded).await
}

/// Searches a person's words for a stop off the async threads: long words may wait, and delay only their sender.
async fn heed_elsewhere(station: &Arc<Station>, by: &Session, name: &str, input: Value) -> Result<Heeded, OpError> {
    let (heeding, by, name) = (Arc::clone(station), by.clone(), name.to_owned());
    let heard = station.runtime.tasks.spawn_blocking(move || typed_stop::heed_here(&heeding, &by, &name, input)).await;
    heard.map_err(|error| {
        tracing::error!(%error, "words were not searched for a stop");
        // A search that failed must not pass for one that found nothing.
        OpError::new(RuntimeCode::NotStopped, "The words were not searched for a stop; press STOP ALL.")
    })
}

/// The same for words in which a stop has been looked for already.
pub async fn dispatch_heeded(
    station: &Arc<Station>,
    session: &Session,
    name: &str,
    Heeded { input, stopped }: Heeded,
) -> Result<Value, OpError> {
    let answer = carry_out(station, session, name, input).await;
    answer.map_err(|error| OpError { message: typed_stop::told(stopped.as_ref(), error.message), ..error })
}

/// Takes keys that were pasted by mistake out of an input, before anything is done with it: it goes on record, into
/// memory, to other windows, to models and to other stations. A stop is carried out whatever it says: of it only the
/// reason is looked at.
fn redact(station: &Station, row: Option<&Operation>, input: &mut Value) {
    if row.is_some_and(|row| row.urgent) {
        if let Some(reason) = input.get_mut("reason") {
            station.runtime.redaction.redact(reason);
        }
    } else if row.is_none_or(|row| row.key != KeyUse::Brings) {
        station.runtime.redaction.redact(input);
    }
}

/// The call as it will be on record. Of an operation on a key it holds no more than the key's name.
fn call_of(by: &Session, name: &str, row: Option<&Operation>, input: &Value) -> Call {
    match row {
        Some(row) if row.key != KeyUse::No => Call::of_key(by, row.name, input),
        Some(row) => Call::of(by, row.name, input),
        None => Call::of_word(by, name, input),
    }
}

async fn carry_out(station: &Arc<Station>, session: &Session, name: &str, mut input: Value) -> Result<Value, OpError> {
    let row = row_of(name);
    // Nothing below may hold up a stop: it has a thread of its own.
    if row.is_some_and(|row| row.urgent) {
        return at_once::dispatch(station, session, name, input).await;
    }
    redact(station, row, &mut input);
    let now = station.runtime.clock.now().station;
    let role = session.role(now);
    if session.kind() == SessionKind::Person {
        station.fleet.presence.note_call(session.id(), now);
    }
    let call = call_of(session, name, row, &input);
    // Only a repeat is compared, and an input may be large.
    let input_hash = input.get("request_id").map(|_| canonical_hash(&input));
    let (row, session, input, request_id) = match admitted(station, session, role, name, input) {
        Ok(admitted) => admitted,
        Err(error) => return Err(station.runtime.audit.refused(&call, error)),
    };
    // A read is no sign of a person who could decide: windows read by themselves (decision 0018).
    if row.effect == Effect::Read {
        return read(station, row, &session, input, &call).await;
    }
    // Anybody may act at a locked screen as far as it lets them, so it shows nobody who could decide.
    if session.kind() == SessionKind::Person && !session.is_locked() {
        station.proposals.attendance.note(session.id(), station.runtime.clock.now().station);
    }
    let request = request_id.zip(input_hash).map(|(id, hash)| Request::new(&session, row.name, id, hash));
    let answer = match request {
        Some(request) => {
            // Boxed, so that a repeat that only waits does not hold a future of the size of the whole act.
            let act = || Box::pin(act(station, row, &session, input, &call));
            station.repeats.once(request, act).await
        }
        None => match act(station, row, &session, input, &call).await {
            Ran::Acted(answer) => answer,
            Ran::NotYet(error) => Err(error),
        },
    };
    match answer {
        Err(error) if error.code == StationCode::RequestIdReused => Err(station.runtime.audit.refused(&call, error)),
        answer => answer,
    }
}

async fn read(
    station: &Arc<Station>,
    row: &Operation,
    session: &Session,
    input: Value,
    call: &Call,
) -> Result<Value, OpError> {
    let answer = match Leave::take(&station.runtime.audit, row) {
        Ok(leave) => row.run(&leave, Arc::clone(station), session.clone(), input).await,
        Err(error) => Err(error),
    };
    answer.map_err(|error| station.runtime.audit.refused(call, station.runner.noted(error)))
}

/// Carries out a call with an effect. Room for its record is taken before, so that nothing is done that cannot be on
/// record; afterwards the answer says what happened, and whether the record is on disk yet.
async fn act(station: &Arc<Station>, row: &Operation, session: &Session, input: Value, call: &Call) -> Ran {
    let leave = match Leave::take(&station.runtime.audit, row) {
        Ok(leave) => leave,
        Err(error) => return Ran::NotYet(station.runtime.audit.refused(call, error)),
    };
    let answer = row.run(&leave, Arc::clone(station), session.clone(), input).await;
    let answer = answer.map_err(|error| station.runner.noted(error));
    let code = answer.as_ref().err().map(|error| error.code.as_str());
    tracing::info!(operation = row.name, actor = session.actor(), refused = code, "called");
    let record = leave.record(&station.runtime.audit, call.ended(&answer)).await;
    Ran::of(told(answer, record))
}

/// The operation called `name`, if a person can be asked to let it happen.
pub(crate) fn proposable(name: &str) -> Result<&'static Operation, OpError> {
    let row = find(name).map_err(OpError::as_bad_input)?;
    let refused =
        |why: &str| Err(OpError::new(StationCode::NotProposable, format!("{name} cannot be proposed: {why}.")));
    if !row.audience.iter().any(|audience| *audience != Audience::Ui) {
        return refused("only a person may start it");
    }
    if row.stops != Stops::No {
        return refused("it waits for nobody; call it");
    }
    if row.effect == Effect::Read || name == CREATE_PROPOSAL {
        return refused("it changes nothing; call it");
    }
    Ok(row)
}

type Admitted = (&'static Operation, Session, Value, Option<String>);

fn admitted(station: &Station, session: &Session, role: Role, name: &str, input: Value) -> Result<Admitted, OpError> {
    let row = find(name)?;
    check_may(row, session, role)?;
    // While every screen is frozen the agent only reads and stops (decision 0027).
    if session.is_agent() && row.effect != Effect::Read && row.stops == Stops::No {
        ui_watchdog::check_seen(&station.fleet)?;
    }
    row.check_size(&input)?;
    common_fields(station, session, input).map(|(session, input, request_id)| (row, session, input, request_id))
}

fn check_may(row: &Operation, session: &Session, role: Role) -> Result<(), OpError> {
    let refused = |message: String| {
        tracing::warn!(operation = row.name, actor = session.actor(), message, "refused");
        Err(OpError::new(RuntimeCode::Forbidden, message))
    };
    if !row.is_for(session.audience()) {
        return refused(format!("{} is not offered to this kind of session.", row.name));
    }
    if session.only_stops() && row.effect != Effect::Read && !matches!(row.stops, Stops::All | Stops::Named) {
        return refused(format!("{} is not for a session that may only stop.", row.name));
    }
    if role < row.role {
        return refused(format!("{} needs {:?}; this session is {role:?}.", row.name, row.role));
    }
    Ok(())
}

/// Takes out what every operation accepts: `agent`, whom the call is about, and `request_id`.
fn common_fields(
    station: &Station,
    session: &Session,
    mut input: Value,
) -> Result<(Session, Value, Option<String>), OpError> {
    if input.is_null() {
        input = json!({});
    }
    let Some(fields) = input.as_object_mut() else {
        return Err(OpError::bad_input(SharedCode::InvalidInput, "", "The input must be a JSON object."));
    };
    // Taken out first, since each operation refuses fields that it does not know.
    let session = match fields.remove("agent") {
        None => session.clone(),
        Some(named) => session.about(named_agent(station, session, &named)?),
    };
    match fields.remove("request_id") {
        None => Ok((session, input, None)),
        Some(Value::String(id)) if (1..=64).contains(&id.len()) => Ok((session, input, Some(id))),
        Some(_) => {
            Err(OpError::bad_input(SharedCode::InvalidInput, "request_id", "request_id is a text of 1 to 64 bytes."))
        }
    }
}

/// The agent that a call names. To an agent there is none but itself.
fn named_agent(station: &Station, session: &Session, named: &Value) -> Result<AgentId, OpError> {
    let known = named.as_str().and_then(|name| AgentId::new(name).ok()).filter(|id| match session.agent() {
        Some(own) if session.is_agent() => own == id,
        Some(_) | None => station.runner.agents.get(id).is_ok(),
    });
    known.ok_or_else(|| OpError::not_found(AgentCode::AgentNotFound, "agent", named))
}

fn unknown(name: &str) -> OpError {
    let name = &name[..name.floor_char_boundary(NAME_BYTES_MAX)];
    let mut near: Vec<_> = table().iter().map(|row| (strsim::damerau_levenshtein(name, row.name), row.name)).collect();
    near.sort_unstable();
    let nearest: Vec<&str> = near.iter().take(SUGGESTIONS).map(|(_, name)| *name).collect();
    // The name comes from outside and may be of any length.
    let message = format!("There is no operation {name}. The nearest are {}.", nearest.join(", "));
    OpError::new(StationCode::UnknownOperation, message).with(json!({ "nearest": nearest }))
}

#[cfg(test)]
mod tests;
