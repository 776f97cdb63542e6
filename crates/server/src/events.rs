//! `GET /events`: frames over a WebSocket. The first message of the client is its token.

use std::sync::Arc;
use std::time::Duration;

use api::Session;
use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::time::MissedTickBehavior;

use crate::Host;
use crate::auth::SIGN_IN_WAIT;
use crate::listener::{Guess, Seat, THROTTLE};

/// A client's message: it only ever signs in.
const MESSAGE_BYTES_MAX: usize = 4 * 1024;
/// A frame that a window does not take within this time ends its channel; it comes back and reloads.
const SEND_WAIT: Duration = Duration::from_secs(5);
/// Time between two looks at whether the token still signs in: a revoked one ends its channel within a second.
const LOOK_EVERY: Duration = Duration::from_millis(500);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignIn {
    token: String,
}

pub(crate) async fn upgrade(
    State(host): State<Host>,
    Extension(seat): Extension<Arc<Seat>>,
    socket: WebSocketUpgrade,
) -> Response {
    socket.max_message_size(MESSAGE_BYTES_MAX).on_upgrade(move |socket| serve(host, seat, socket)).into_response()
}

/// Holds the connection's seat for as long as the channel is open.
async fn serve(host: Host, seat: Arc<Seat>, mut socket: WebSocket) {
    let Some(session) = sign_in(&host, &seat, &mut socket).await else { return };
    // Counted after the sign-in: a client that never signs in takes no window's place.
    let Ok(_place) = host.gatekeeper.windows.try_acquire() else {
        let reason = "Too many windows listen. Close one.".into();
        // The client may be gone already.
        let _ = socket.send(Message::Close(Some(CloseFrame { code: close_code::AGAIN, reason }))).await;
        return;
    };
    let mut frames = host.api.subscribe(&session);
    let mut looks = tokio::time::interval(LOOK_EVERY);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = looks.tick() => {
                if !host.api.is_signed_in(&session) {
                    let reason = "The token was revoked or has expired.".into();
                    let goodbye = Message::Close(Some(CloseFrame { code: close_code::POLICY, reason }));
                    // The client may be gone already.
                    let _ = tokio::time::timeout(SEND_WAIT, socket.send(goodbye)).await;
                    return;
                }
            }
            frame = frames.next() => {
                let Some(frame) = frame else { return };
                let Ok(text) = serde_json::to_string(&frame) else { return };
                let sent = tokio::time::timeout(SEND_WAIT, socket.send(Message::Text(text.into()))).await;
                if !matches!(sent, Ok(Ok(()))) {
                    return;
                }
            }
            message = socket.recv() => {
                if !matches!(message, Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Text(_)))) {
                    return;
                }
                if is_flooded(&host, &seat) {
                    let reason = "Too many messages. A window has nothing to say here.".into();
                    let goodbye = Message::Close(Some(CloseFrame { code: close_code::POLICY, reason }));
                    // A client that floods may not read.
                    let _ = tokio::time::timeout(SEND_WAIT, socket.send(goodbye)).await;
                    return;
                }
            }
        }
    }
}

/// Counts a message on a channel that should carry none; true if it is one too many, of which people are notified.
fn is_flooded(host: &Host, seat: &Seat) -> bool {
    let tell = || host.api.note_flood(format!("More messages come from {} than a window sends.", seat.place()));
    host.gatekeeper.rates.asked_unsigned(&seat.unsigned).is_too_many(tell)
}

/// The first message is a token; without a right one nobody signs in. Gives way to whoever needs the seat.
async fn sign_in(host: &Host, seat: &Seat, socket: &mut WebSocket) -> Option<Session> {
    let evicted = seat.evicted();
    let first = tokio::select! {
        () = evicted.cancelled() => return None,
        first = tokio::time::timeout(SIGN_IN_WAIT, socket.recv()) => first,
    };
    let Ok(Some(Ok(Message::Text(text)))) = first else { return None };
    let token = serde_json::from_str::<SignIn>(&text).ok().map(|sign_in| sign_in.token);
    match host.session_of(token.as_deref()) {
        Ok(session) => {
            seat.signed();
            Some(session)
        }
        Err(error) => {
            let error = match host.refused_token(seat, "events", error) {
                Guess::First(error) => error,
                Guess::OneTooMany(error) => {
                    tokio::time::sleep(THROTTLE).await;
                    error
                }
            };
            let text = serde_json::to_string(&error).unwrap_or_default();
            // The client may be gone already.
            let _ = socket.send(Message::Text(text.into())).await;
            None
        }
    }
}
