//! `GET /events`: frames over a WebSocket. The first message of the client is its token.

use std::time::Duration;

use api::{ErrorBody, Session};
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use crate::Host;
use crate::auth::SIGN_IN_WAIT;
use crate::http::refuse;

/// A client's message: it only ever signs in.
const MESSAGE_BYTES_MAX: usize = 4 * 1024;
/// A frame that a window does not take within this time ends its channel; it comes back and reloads.
const SEND_WAIT: Duration = Duration::from_secs(5);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignIn {
    token: String,
}

pub(crate) async fn upgrade(State(host): State<Host>, socket: WebSocketUpgrade) -> Response {
    if host.gatekeeper.sockets.available_permits() == 0 {
        return refuse(ErrorBody::new(429, "too_many_windows", "Too many windows listen. Close one."));
    }
    socket.max_message_size(MESSAGE_BYTES_MAX).on_upgrade(move |socket| serve(host, socket)).into_response()
}

async fn serve(host: Host, mut socket: WebSocket) {
    let Ok(_permit) = host.gatekeeper.sockets.try_acquire() else { return };
    let Some(session) = sign_in(&host, &mut socket).await else { return };
    let mut frames = host.api.subscribe(&session);
    loop {
        tokio::select! {
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
            }
        }
    }
}

async fn sign_in(host: &Host, socket: &mut WebSocket) -> Option<Session> {
    let first = tokio::time::timeout(SIGN_IN_WAIT, socket.recv()).await;
    let Ok(Some(Ok(Message::Text(text)))) = first else { return None };
    let token = serde_json::from_str::<SignIn>(&text).ok().map(|sign_in| sign_in.token);
    match host.gatekeeper.session_of(token.as_deref()) {
        Ok(session) => Some(session),
        Err(error) => {
            host.api.note_refused(None, "events", &error);
            let text = serde_json::to_string(&error).unwrap_or_default();
            // The client may be gone already.
            let _ = socket.send(Message::Text(text.into())).await;
            None
        }
    }
}
