//! The one table of what can be done. A button, a program and the agent call the same row, with the same role check
//! and the same validation.

mod agent_ops;
mod limits;
mod motion;
mod stopping;
mod system;
mod table;
mod world_ops;

pub use table::{Operation, Repeats};

use std::sync::{Arc, LazyLock};

use agent::{Stops, ToolSpec};
use robot::{Audience, SessionKind};
use serde_json::{Value, json};

use crate::error::{ErrorKind, OpError};
use crate::session::Session;
use crate::station::Station;

/// Names suggested for one that does not exist.
const SUGGESTIONS: usize = 3;

/// Every operation, by name.
pub fn table() -> &'static [Operation] {
    static TABLE: LazyLock<Vec<Operation>> = LazyLock::new(|| {
        let mut rows: Vec<Operation> =
            [system::rows(), world_ops::rows(), limits::rows(), motion::rows(), stopping::rows(), agent_ops::rows()]
                .into_iter()
                .flatten()
                .collect();
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
            name: row.name.to_owned(),
            description: row.description.to_owned(),
            input_schema: (row.input_schema)(),
            effect: row.effect,
            stops: match row.name {
                "stop_all" => Stops::All,
                "stop_robot" | "hold_robot" => Stops::Named,
                _ => Stops::No,
            },
        })
        .collect()
}

/// Calls an operation. Everything is checked before anything is changed: that it exists, that this session may call
/// it, that the input is what it takes.
pub async fn dispatch(station: &Arc<Station>, session: &Session, name: &str, input: Value) -> Result<Value, OpError> {
    let Some(row) = table().iter().find(|row| row.name == name) else { return Err(unknown(name)) };
    check_may(row, session)?;
    let (input, request_id) = common_fields(station, input)?;
    if row.effect == robot::Effect::Read {
        return (row.run)(Arc::clone(station), session.clone(), input).await;
    }
    let call = || (row.run)(Arc::clone(station), session.clone(), input);
    let answer = station.repeats.once(request_id.map(|id| format!("{name} {id}")), call).await;
    let refused = answer.as_ref().err().map(|error| error.code.as_str());
    tracing::info!(operation = name, actor = session.actor(), refused, "called");
    answer
}

fn check_may(row: &Operation, session: &Session) -> Result<(), OpError> {
    let audience = match (session.kind(), session.is_agent()) {
        (SessionKind::Person, _) => Audience::Ui,
        (SessionKind::Machine, true) => Audience::Agent,
        (SessionKind::Machine, false) => Audience::Mcp,
    };
    let refused = |message: String| {
        tracing::warn!(operation = row.name, actor = session.actor(), message, "refused");
        Err(OpError::new(ErrorKind::Forbidden, "forbidden", message))
    };
    if !row.audience.contains(&audience) {
        return refused(format!("{} is not offered to this kind of session.", row.name));
    }
    if session.role() < row.role {
        return refused(format!("{} needs {:?}; this session is {:?}.", row.name, row.role, session.role()));
    }
    Ok(())
}

/// Takes out what every operation accepts: `agent`, which must be the one there is, and `request_id`.
fn common_fields(station: &Station, mut input: Value) -> Result<(Value, Option<String>), OpError> {
    if input.is_null() {
        input = json!({});
    }
    let Some(fields) = input.as_object_mut() else {
        return Err(OpError::bad_input("invalid_input", "", "The input must be a JSON object."));
    };
    match fields.remove("agent") {
        None => {}
        Some(Value::String(agent)) if agent == station.agent.as_str() => {}
        Some(other) => return Err(OpError::not_found("agent_not_found", "agent", other)),
    }
    match fields.remove("request_id") {
        None => Ok((input, None)),
        Some(Value::String(id)) if (1..=64).contains(&id.len()) => Ok((input, Some(id))),
        Some(_) => Err(OpError::bad_input("invalid_input", "request_id", "request_id is a text of 1 to 64 bytes.")),
    }
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
