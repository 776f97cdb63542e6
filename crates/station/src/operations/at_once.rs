//! Operations that end motion: they run on a thread of their own and wait for nothing that others may wait for.

use std::sync::Arc;

use robot::{Effect, SessionKind};
use serde_json::Value;

use super::{admitted, call_of, redact, row_of};
use crate::station::Station;
use runtime::error::OpError;
use runtime::operation::Leave;
use runtime::session::Session;

/// Carries out an urgent operation on the thread of stops, from whatever thread, and gives the answer to `answered`
/// there. Returns at once.
pub fn act_at_once(
    station: &Arc<Station>,
    session: &Session,
    name: &str,
    input: Value,
    answered: impl FnOnce(Result<Value, OpError>) + Send + 'static,
) {
    let (acting, by, name) = (Arc::clone(station), session.clone(), name.to_owned());
    station
        .fleet
        .stop_lane
        .spawn(&station.runtime.tasks, async move { answered(act(&acting, &by, &name, input).await) });
}

/// The same for a caller that waits for the answer.
pub(super) async fn dispatch(
    station: &Arc<Station>,
    session: &Session,
    name: &str,
    input: Value,
) -> Result<Value, OpError> {
    let (acting, by, name) = (Arc::clone(station), session.clone(), name.to_owned());
    station.fleet.stop_lane.run(&station.runtime.tasks, async move { act(&acting, &by, &name, input).await }).await?
}

/// A `request_id` is read and not used: what stops twice does no harm, and what is taken for a repeat by mistake would.
async fn act(station: &Arc<Station>, session: &Session, name: &str, mut input: Value) -> Result<Value, OpError> {
    let row = row_of(name);
    redact(station, row, &mut input);
    let now = station.runtime.clock.now().station;
    let role = session.role(now);
    if session.kind() == SessionKind::Person {
        station.fleet.presence.note_call(session.id(), now);
    }
    let call = call_of(session, name, row, &input);
    let admitted = admitted(station, session, role, name, input);
    let leave = admitted.and_then(|admitted| Ok((Leave::take(&station.runtime.audit, admitted.0)?, admitted)));
    let (leave, (row, by, input, _)) = match leave {
        Ok(admitted) => admitted,
        Err(error) => return Err(station.runtime.audit.refused(&call, error)),
    };
    debug_assert_ne!(row.effect, Effect::Read);
    // Anybody may stop the robots at a locked screen, so a stop there shows nobody who could decide.
    if by.kind() == SessionKind::Person && !by.is_locked() {
        station.proposals.attendance.note(by.id(), now);
    }
    let answer = row.run(&leave, Arc::clone(station), by.clone(), input).await;
    let answer = answer.map_err(|error| station.runner.noted(error));
    let code = answer.as_ref().err().map(|error| error.code.as_str());
    tracing::info!(operation = row.name, actor = by.actor(), refused = code, "called");
    // This does not wait for the disk: the record of what ends motion is only queued.
    leave.record(&station.runtime.audit, call.ended(&answer)).await;
    answer
}
