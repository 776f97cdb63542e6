//! Access to the station: tokens, acting as Admin and its PIN, the lock of a screen.

use std::sync::Arc;

use robot::{Effect, Role, SessionKind, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::Operation;
use crate::Station;
use crate::access::NewToken;
use crate::code::StationCode;
use fleet::control::control_handover;
use runtime::error::OpError;
use runtime::operation::{Message, Nothing, Terms, UI, message, row};
use runtime::secrets::SecretValue;
use runtime::session::Session;
use runtime::wire::{AdminGranted, Tag, TokenCreated, TokenRow};

pub(super) fn rows() -> Vec<Operation> {
    let mut rows = of_session();
    rows.extend(of_tokens());
    rows
}

fn of_session() -> Vec<Operation> {
    use Effect::Write;
    use Role::{Admin, Operator, Viewer};
    vec![
        row(
            "act_as_admin",
            Terms(Operator, Write, UI, Trust::Text),
            "Raises this window to Admin for 15 minutes, with the Admin PIN if one is set.",
            act_as_admin,
        ),
        row("end_admin", Terms(Operator, Write, UI, Trust::Text), "Ends acting as Admin.", end_admin),
        row(
            "set_admin_pin",
            Terms(Admin, Write, UI, Trust::Text),
            "Sets the PIN that is asked of whoever acts as Admin.",
            set_admin_pin,
        )
        .example(json!({"pin": "correct-horse"})),
        row(
            "remove_admin_pin",
            Terms(Admin, Write, UI, Trust::Text),
            "Removes the PIN: anyone at this desk can act as Admin.",
            remove_admin_pin,
        ),
        row(
            "lock_screen",
            Terms(Operator, Write, UI, Trust::Text),
            "Lets this session only look and stop.",
            lock_screen,
        ),
        row(
            "unlock_screen",
            Terms(Viewer, Write, UI, Trust::Text),
            "Gives this session its rights back.",
            unlock_screen,
        ),
    ]
}

fn of_tokens() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::Admin;
    vec![
        row(
            "list_tokens",
            Terms(Admin, Read, UI, Trust::Text),
            "The tokens that sign people and programs in.",
            list_tokens,
        ),
        row(
            "create_token",
            Terms(Admin, Write, UI, Trust::Text),
            "Makes a token, and shows it this once.",
            create_token,
        )
        .example(json!({"label": "Tablet at gate 2", "kind": "person", "role": "operator", "days": 30})),
        row(
            "revoke_token",
            Terms(Admin, Write, UI, Trust::Text),
            "Has a token sign nobody in any more, and ends its session.",
            revoke_token,
        )
        .example(json!({"id": "1f0a9c3b5d7e"})),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ActAsAdmin {
    /// The Admin PIN; none while none is set.
    pin: Option<SecretValue>,
}

async fn act_as_admin(station: Arc<Station>, session: Session, input: ActAsAdmin) -> Result<AdminGranted, OpError> {
    let now = station.runtime.clock.now();
    // A window that acts as Admin already may ask again, which begins its 15 minutes anew.
    if session.admin_until(now.station).is_none() && session.role(now.station) == Role::Admin {
        return Err(OpError::new(StationCode::AlreadyAdmin, "This session is an Admin's."));
    }
    if session.has_token() {
        let message = "The role of a token does not change. Sign in with a token of an Admin.";
        return Err(OpError::new(StationCode::RoleFixed, message));
    }
    station.admin_pin.check(input.pin.as_ref().map(SecretValue::expose), now.wall_ms).await?;
    tracing::warn!(actor = session.actor(), "acts as Admin");
    // Read again: the check is slow and waits for others, and the 15 minutes begin after it.
    let now = station.runtime.clock.now().station;
    let until = session.act_as_admin(now);
    Ok(AdminGranted { role: session.role(now), until_mono_ms: Some(until.mono_ms()) })
}

async fn end_admin(station: Arc<Station>, session: Session, _: Nothing) -> Result<AdminGranted, OpError> {
    session.end_admin();
    Ok(AdminGranted { role: session.role(station.runtime.clock.now().station), until_mono_ms: None })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SetAdminPin {
    /// 6 to 64 characters.
    pin: SecretValue,
}

async fn set_admin_pin(station: Arc<Station>, _: Session, input: SetAdminPin) -> Result<Message, OpError> {
    station.admin_pin.set(input.pin.expose()).await?;
    Ok(message("The Admin PIN is set."))
}

async fn remove_admin_pin(station: Arc<Station>, _: Session, _: Nothing) -> Result<Message, OpError> {
    station.admin_pin.remove().await?;
    Ok(message("No Admin PIN is asked for: anyone at this desk can act as Admin."))
}

async fn lock_screen(station: Arc<Station>, session: Session, _: Nothing) -> Result<AdminGranted, OpError> {
    // Locked first: what is given up below could be taken again otherwise.
    session.set_locked(true);
    leave_desk(&station, &session, "its holder has locked the screen");
    Ok(AdminGranted { role: session.role(station.runtime.clock.now().station), until_mono_ms: None })
}

/// Takes from a session the robots that it holds and the cards that it looks at.
fn leave_desk(station: &Arc<Station>, session: &Session, why: &str) {
    control_handover::leave(&station.fleet, session, why);
    if session.kind() == SessionKind::Person {
        station.proposals.attendance.leave(session.id());
    }
    station.proposals.leave_desk(session.id());
}

/// Ends the sessions of tokens that have expired: they hold no robot any more.
pub(crate) fn end_expired(station: &Arc<Station>) {
    let expired = station.tokens.take_expired(station.runtime.clock.now().wall_ms);
    for session in &expired {
        leave_desk(station, session, "the token of its holder has expired");
    }
    if !expired.is_empty() {
        station.runtime.bus.changed(Tag::Access);
    }
}

async fn unlock_screen(station: Arc<Station>, session: Session, _: Nothing) -> Result<AdminGranted, OpError> {
    session.set_locked(false);
    let now = station.runtime.clock.now().station;
    station.proposals.attendance.note(session.id(), now);
    Ok(AdminGranted { role: session.role(now), until_mono_ms: None })
}

async fn list_tokens(station: Arc<Station>, _: Session, _: Nothing) -> Result<Vec<TokenRow>, OpError> {
    Ok(station.tokens.list(station.runtime.clock.now().wall_ms))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CreateToken {
    /// Its holder, 1 to 60 characters: the name under which its acts are on record.
    label: String,
    /// A person who signs in with a browser, or a program.
    kind: SessionKind,
    /// The highest role of its session.
    role: Role,
    /// True if its session may only look and stop; its role is viewer then.
    #[serde(default)]
    only_stops: bool,
    /// Days until it expires, 1 to 365; 30 if not said.
    days: Option<u32>,
}

async fn create_token(station: Arc<Station>, by: Session, input: CreateToken) -> Result<TokenCreated, OpError> {
    let CreateToken { label, kind, role, only_stops, days } = input;
    let new = NewToken { label, kind, role, only_stops, days };
    let now_ms = station.runtime.clock.now().wall_ms;
    let (row, token) = station.tokens.create(new, &by, now_ms).await?;
    // A token that is pasted into a chat by mistake is cut out before it goes any further.
    station.runtime.redaction.learn(token.as_bytes());
    station.runtime.bus.changed(Tag::Access);
    Ok(TokenCreated { token, row })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RevokeToken {
    /// Its id, as `list_tokens` gives it.
    id: String,
}

async fn revoke_token(station: Arc<Station>, _: Session, input: RevokeToken) -> Result<Message, OpError> {
    let ended = station.tokens.revoke(&input.id).await?;
    // Only now: a token that still signs in could take its robots again.
    leave_desk(&station, &ended, "the token of its holder was revoked");
    station.runtime.bus.changed(Tag::Access);
    Ok(message(format!("The token of {} signs nobody in any more.", ended.actor())))
}
