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
    bounded(socket).on_upgrade(move |socket| serve(host, seat, socket)).into_response()
}

/// A message is looked at only once a whole frame is there, so the frame has the same bound: without it each stranger
/// could have 16 MiB kept for it.
fn bounded(socket: WebSocketUpgrade) -> WebSocketUpgrade {
    socket.max_message_size(MESSAGE_BYTES_MAX).max_frame_size(MESSAGE_BYTES_MAX)
}

/// Sends the last message of a channel, to a client that may be gone or not read.
async fn say_last(socket: &mut WebSocket, message: Message) {
    let _ = tokio::time::timeout(SEND_WAIT, socket.send(message)).await;
}

/// The reason for which the server ends a channel.
fn goodbye(code: u16, reason: &'static str) -> Message {
    Message::Close(Some(CloseFrame { code, reason: reason.into() }))
}

/// Holds the connection's seat for as long as the channel is open.
async fn serve(host: Host, seat: Arc<Seat>, mut socket: WebSocket) {
    let Some(session) = sign_in(&host, &seat, &mut socket).await else { return };
    // Counted after the sign-in: a client that never signs in takes no window's place.
    let Ok(_place) = host.gatekeeper.windows.try_acquire() else {
        return say_last(&mut socket, goodbye(close_code::AGAIN, "Too many windows listen. Close one.")).await;
    };
    let mut frames = host.api.subscribe(&session);
    let mut looks = tokio::time::interval(LOOK_EVERY);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = looks.tick() => {
                if !host.api.is_signed_in(&session) {
                    let goodbye = goodbye(close_code::POLICY, "The token was revoked or has expired.");
                    return say_last(&mut socket, goodbye).await;
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
                    let goodbye = goodbye(close_code::POLICY, "Too many messages. A window has nothing to say here.");
                    return say_last(&mut socket, goodbye).await;
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
            say_last(socket, Message::Text(text.into())).await;
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::task::JoinSet;

    use super::*;

    /// Far beyond what any of it takes, also on a busy computer.
    const DEADLINE: Duration = Duration::from_secs(60);
    const UPGRADE: &str = "GET / HTTP/1.1\r\nhost: here\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
        sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

    #[tokio::test]
    async fn att_18_a_frame_that_is_too_large_is_refused_by_its_head() {
        // Ends with the first message, or the refusal of one.
        let hear = async |socket: WebSocketUpgrade| {
            bounded(socket).on_upgrade(|mut socket| async move {
                let _ = socket.recv().await;
            })
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut serving = JoinSet::new();
        serving.spawn(axum::serve(listener, Router::new().route("/", get(hear))).into_future());
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(UPGRADE.as_bytes()).await.unwrap();
        // The head of one whole text of 1 MiB, with the mask that a client's frame has, and nothing of the text.
        let length = 1_u64 << 20;
        client.write_all(&[&[0x81, 0xff][..], &length.to_be_bytes(), &[0; 4]].concat()).await.unwrap();
        let mut heard = Vec::new();
        tokio::time::timeout(DEADLINE, client.read_to_end(&mut heard)).await.unwrap().unwrap();
        assert!(heard.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&heard));
    }
}
