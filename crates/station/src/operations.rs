//! The one table of what can be done. A button, a program and the agent call the same row, with the same role check
//! and the same validation.

mod agent_ops;
mod alarm_ops;
mod alert_ops;
mod at_once;
mod audit_ops;
mod belief_ops;
mod context_ops;
mod control_ops;
mod event_ops;
mod job_ops;
mod leave;
mod limits;
mod mcp_ops;
mod memory_ops;
mod mission_ops;
mod model_ops;
mod motion;
mod note_ops;
mod output_ops;
mod proposal_ops;
mod provider_ops;
mod repeats;
mod room_ops;
mod sandbox_ops;
mod secret_ops;
mod session_ops;
mod stopping;
mod system;
mod table;
mod turn_ops;
mod world_ops;

pub use at_once::{URGENT, act_at_once, is_urgent};
use leave::{Leave, told};
pub use repeats::Repeats;
use repeats::{Ran, Request};
pub use table::Operation;

pub use crate::typed_stop::{Heeded, heed, is_spoken};

use std::sync::{Arc, LazyLock};

use agent::{Stops, ToolSpec};
use robot::{AgentId, Audience, Effect, Role, SessionKind};
use serde_json::{Value, json};

use crate::station::Station;
use crate::ui_watchdog;
use crate::{storage_maintenance, typed_stop};
use runtime::audit::{Call, canonical_hash};
use runtime::error::{ErrorKind, OpError};
use runtime::session::Session;

/// Names suggested for one that does not exist.
const SUGGESTIONS: usize = 3;

/// The rows of each area.
const ROWS: [fn() -> Vec<Operation>; 27] = [
    system::rows,
    world_ops::rows,
    context_ops::rows,
    alert_ops::rows,
    alarm_ops::rows,
    event_ops::rows,
    belief_ops::rows,
    limits::rows,
    motion::rows,
    control_ops::rows,
    proposal_ops::rows,
    stopping::rows,
    agent_ops::rows,
    session_ops::rows,
    room_ops::rows,
    audit_ops::rows,
    memory_ops::rows,
    mission_ops::rows,
    job_ops::rows,
    note_ops::rows,
    output_ops::rows,
    sandbox_ops::rows,
    mcp_ops::rows,
    provider_ops::rows,
    secret_ops::rows,
    model_ops::rows,
    turn_ops::rows,
];

/// What ends motion: nobody is asked before it.
const NEVER_ASK: &[&str] = &["stop_all", "stop_robot", "hold_robot", "pause_mission", "pause_all_missions"];

/// Brings a key on purpose.
const SETS_SECRET: &str = "set_secret";

/// The most bytes of a command.
const COMMAND_BYTES_MAX: usize = 512 * 1024;

/// The most bytes of any other input.
const INPUT_BYTES_MAX: usize = 1024 * 1024;

/// What every operation accepts.
const COMMON_FIELDS: &[&str] = &["agent", "request_id"];

/// Every operation, by name.
pub fn table() -> &'static [Operation] {
    static TABLE: LazyLock<Vec<Operation>> = LazyLock::new(|| {
        let mut rows: Vec<Operation> = ROWS.iter().flat_map(|rows| rows()).collect();
        rows.sort_by_key(|row| row.name);
        rows
    });
    &TABLE
}

/// The rows the agent may call.
pub(crate) fn tools() -> Vec<ToolSpec> {
    let for_agent = table().iter().filter(|row| row.audience.contains(&Audience::Agent));
    for_agent
        .map(|row| ToolSpec {
            stops: stops_of(row.name),
            ..ToolSpec::new(row.name, row.description, (row.input_schema)(), row.effect)
        })
        .collect()
}

/// What an operation stops.
pub(crate) fn stops_of(name: &str) -> Stops {
    match name {
        "stop_all" => Stops::All,
        "stop_robot" | "hold_robot" => Stops::Named,
        "pause_mission" | "pause_all_missions" => Stops::Missions,
        _ => Stops::No,
    }
}

/// Calls an operation. Everything is checked before anything is changed: that it exists, that this session may call
/// it, that the input is what it takes. Every refusal and every call with an effect goes on record here.
pub async fn dispatch(station: &Arc<Station>, session: &Session, name: &str, input: Value) -> Result<Value, OpError> {
    let heeded = if is_spoken(name) { heed_elsewhere(station, session, name, input).await? } else { input.into() };
    dispatch_heeded(station, session, name, heeded).await
}

/// What people say may have to wait; a stop in it does not. A long text keeps nobody waiting but its sender.
async fn heed_elsewhere(station: &Arc<Station>, by: &Session, name: &str, input: Value) -> Result<Heeded, OpError> {
    let (heeding, by, name) = (Arc::clone(station), by.clone(), name.to_owned());
    let heard = station.tasks.spawn_blocking(move || typed_stop::heed_here(&heeding, &by, &name, input)).await;
    heard.map_err(|error| {
        tracing::error!(%error, "words were not searched for a stop");
        OpError::new(ErrorKind::Unavailable, "not_stopped", "The words were not searched for a stop; press STOP ALL.")
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
fn redact(station: &Station, name: &str, input: &mut Value) {
    if is_urgent(name) {
        if let Some(reason) = input.get_mut("reason") {
            station.redaction.redact(reason);
        }
    } else if name != SETS_SECRET {
        station.redaction.redact(input);
    }
}

async fn carry_out(station: &Arc<Station>, session: &Session, name: &str, mut input: Value) -> Result<Value, OpError> {
    if is_urgent(name) {
        return at_once::dispatch(station, session, name, input).await;
    }
    redact(station, name, &mut input);
    let now = station.clock.now().station;
    let role = session.role(now);
    if session.kind() == SessionKind::Person {
        station.presence.note_call(session.id(), now);
    }
    let call = Call::of(session, name, &input);
    let input_hash = input.get("request_id").map(|_| canonical_hash(&input));
    let (row, session, input, request_id) = match admitted(station, (session, role), name, input) {
        Ok(admitted) => admitted,
        Err(error) => return Err(refused(station, &call, error)),
    };
    if row.effect == Effect::Read {
        return read(station, row, &session, input, &call).await;
    }
    // Whoever stops the robots at a locked screen need not be somebody who could decide.
    if session.kind() == SessionKind::Person && !session.is_locked() {
        station.proposals.attendance.note(station.clock.now().station);
    }
    let request = request_id.zip(input_hash).map(|(id, hash)| Request::new(&session, row.name, id, hash));
    let answer = match request {
        Some(request) => {
            // Boxed: the answer of a long act is waited for by whoever repeats it, too.
            let act = || Box::pin(act(station, row, &session, input, &call));
            station.repeats.once(request, act).await
        }
        None => match act(station, row, &session, input, &call).await {
            Ran::Acted(answer) => answer,
            Ran::NotYet(error) => Err(error),
        },
    };
    match answer {
        Err(error) if error.code == repeats::REUSED => Err(refused(station, &call, error)),
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
    let answer = match Leave::take(station, row) {
        Ok(leave) => row.run(&leave, Arc::clone(station), session.clone(), input).await,
        Err(error) => Err(error),
    };
    answer.map_err(|error| refused(station, call, storage_maintenance::noted(station, error)))
}

/// Carries out a call with an effect. Room for its record is taken before, so that nothing is done that cannot be on
/// record; afterwards the answer says what happened, and whether the record is on disk yet.
async fn act(station: &Arc<Station>, row: &Operation, session: &Session, input: Value, call: &Call) -> Ran {
    let leave = match Leave::take(station, row) {
        Ok(leave) => leave,
        Err(error) => return Ran::NotYet(refused(station, call, error)),
    };
    let answer = row.run(&leave, Arc::clone(station), session.clone(), input).await;
    let answer = answer.map_err(|error| storage_maintenance::noted(station, error));
    let code = answer.as_ref().err().map(|error| error.code.as_str());
    tracing::info!(operation = row.name, actor = session.actor(), refused = code, "called");
    let record = leave.record(&station.audit, call.ended(&answer)).await;
    Ran::of(told(answer, record))
}

/// The operation called `name`, if a person can be asked to let it happen.
pub(crate) fn proposable(name: &str) -> Result<&'static Operation, OpError> {
    let row = find(name).map_err(as_bad_input)?;
    let refused = |why: &str| {
        Err(OpError::new(ErrorKind::Forbidden, "not_proposable", format!("{name} cannot be proposed: {why}.")))
    };
    if !row.audience.iter().any(|audience| *audience != Audience::Ui) {
        return refused("only a person may start it");
    }
    if NEVER_ASK.contains(&name) {
        return refused("it waits for nobody; call it");
    }
    if row.effect == Effect::Read || name == "create_proposal" {
        return refused("it changes nothing; call it");
    }
    Ok(row)
}

/// Whether `input` is what `row` takes, apart from what every operation accepts.
pub(crate) fn check_input(row: &Operation, input: &Value) -> Result<(), OpError> {
    check_size(row.name, input)?;
    let mut input = input.clone();
    if let Some(fields) = input.as_object_mut() {
        COMMON_FIELDS.iter().for_each(|field| {
            fields.remove(*field);
        });
    }
    (row.check)(input)
}

/// A refusal as one of the input that named the operation.
pub(crate) fn as_bad_input(error: OpError) -> OpError {
    OpError { kind: ErrorKind::BadInput, ..error }
}

/// The operation called `name`.
pub(crate) fn find(name: &str) -> Result<&'static Operation, OpError> {
    table().iter().find(|row| row.name == name).ok_or_else(|| unknown(name))
}

/// How the agent's loop sees the operation called `name`; none if the agent may not call it.
pub(crate) fn tool(name: &str) -> Option<ToolSpec> {
    tools().into_iter().find(|tool| tool.name == name)
}

/// Records a refusal. One that finds no room is lost: nothing happened.
pub(crate) fn refused(station: &Station, call: &Call, error: OpError) -> OpError {
    if station.audit.note_refusal(call.refused(&error)).is_err() {
        tracing::warn!(code = error.code, "a refusal is not on record");
    }
    error
}

/// Refuses what an agent wants carried out without a person's word.
fn only_let_by_a_person(by: &Session) -> Result<(), OpError> {
    if by.is_agent() {
        return Err(OpError::new(ErrorKind::Forbidden, "forbidden", "A person lets each such call happen."));
    }
    Ok(())
}

/// The most bytes of JSON that the input of operation `name` may have: commands have a bound of their own, which a path
/// of 10,000 points keeps.
#[must_use]
pub fn input_bytes_max(name: &str) -> usize {
    match name {
        "send_command" | "check_command" => COMMAND_BYTES_MAX,
        _ => INPUT_BYTES_MAX,
    }
}

/// That an input has no more bytes than its operation takes, whatever host it came through.
fn check_size(name: &str, input: &Value) -> Result<(), OpError> {
    let bytes_max = input_bytes_max(name);
    let mut left = Left(bytes_max);
    serde_json::to_writer(&mut left, input).map_err(|_| {
        let message = format!("The input of {name} has at most {} KiB; nothing was done.", bytes_max / 1024);
        OpError::bad_input("too_large", "", message).with(json!({ "path": "", "bytes_max": bytes_max }))
    })
}

/// Room for so many bytes, which are counted and not kept.
struct Left(usize);

impl std::io::Write for Left {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::FileTooLarge)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

type Admitted = (&'static Operation, Session, Value, Option<String>);

fn admitted(
    station: &Station,
    (session, role): (&Session, Role),
    name: &str,
    input: Value,
) -> Result<Admitted, OpError> {
    let row = find(name)?;
    check_may(row, session, role)?;
    if session.is_agent() && row.effect != Effect::Read && stops_of(row.name) == Stops::No {
        ui_watchdog::check_seen(station)?;
    }
    check_size(name, &input)?;
    common_fields(station, session, input).map(|(session, input, request_id)| (row, session, input, request_id))
}

fn check_may(row: &Operation, session: &Session, role: Role) -> Result<(), OpError> {
    let refused = |message: String| {
        tracing::warn!(operation = row.name, actor = session.actor(), message, "refused");
        Err(OpError::new(ErrorKind::Forbidden, "forbidden", message))
    };
    if !row.audience.contains(&session.audience()) {
        return refused(format!("{} is not offered to this kind of session.", row.name));
    }
    if session.only_stops() && row.effect != Effect::Read && !matches!(stops_of(row.name), Stops::All | Stops::Named) {
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
        return Err(OpError::bad_input("invalid_input", "", "The input must be a JSON object."));
    };
    let session = match fields.remove("agent") {
        None => session.clone(),
        Some(named) => session.about(named_agent(station, session, &named)?),
    };
    match fields.remove("request_id") {
        None => Ok((session, input, None)),
        Some(Value::String(id)) if (1..=64).contains(&id.len()) => Ok((session, input, Some(id))),
        Some(_) => Err(OpError::bad_input("invalid_input", "request_id", "request_id is a text of 1 to 64 bytes.")),
    }
}

/// The agent that a call names. To an agent there is none but itself.
fn named_agent(station: &Station, session: &Session, named: &Value) -> Result<AgentId, OpError> {
    let known = named.as_str().and_then(|name| AgentId::new(name).ok()).filter(|id| match session.agent() {
        Some(own) if session.is_agent() => own == id,
        Some(_) | None => station.agents.get(id).is_ok(),
    });
    known.ok_or_else(|| OpError::not_found("agent_not_found", "agent", named))
}

fn unknown(name: &str) -> OpError {
    let mut near: Vec<_> = table().iter().map(|row| (strsim::damerau_levenshtein(name, row.name), row.name)).collect();
    near.sort_unstable();
    let nearest: Vec<&str> = near.iter().take(SUGGESTIONS).map(|(_, name)| *name).collect();
    let message = format!("There is no operation {name:.80}. The nearest are {}.", nearest.join(", "));
    OpError::new(ErrorKind::NotFound, "unknown_operation", message).with(json!({ "nearest": nearest }))
}

#[cfg(test)]
mod tests;
