//! Ordinary requests: `POST /op/{name}`, `GET /events`, and the window. The listener has looked at names, tokens
//! and limits before.

use std::time::Duration;

use api::{Answer, ErrorBody, HostCode, Session, parse_body};
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use serde_json::Value;

use crate::{Host, events, window};

/// The largest request body.
const BODY_BYTES_MAX: usize = 1024 * 1024;
/// Longest time a request body may take.
pub(crate) const BODY_WAIT: Duration = Duration::from_secs(10);

/// Every route of the host.
pub(crate) fn router(host: Host) -> Router {
    Router::new()
        .route("/op/{name}", post(operation))
        .route("/events", get(events::upgrade))
        .fallback(get(window::file))
        .method_not_allowed_fallback(async || refuse(ErrorBody::new(HostCode::BadMethod, "Operations take POST.")))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .with_state(host)
}

async fn operation(
    State(host): State<Host>,
    Path(name): Path<String>,
    Extension(session): Extension<Session>,
    request: Request,
) -> Response {
    let input = match input(&name, request).await {
        Ok(input) => input,
        Err(error) => {
            host.api.note_refused(Some(&session), &name, &error);
            return refuse(error);
        }
    };
    if api::answers_picture(&name) {
        return pictured(host.api.call_for_picture(&session, &name, input).await);
    }
    answered(host.api.call(&session, &name, input).await)
}

/// The answer of an operation that may be a picture.
fn pictured(answer: Result<Answer, ErrorBody>) -> Response {
    match answer {
        Ok(Answer::Jpeg(file)) => {
            // A picture is old in a moment, and may show what should not stay in a browser's cache on disk.
            let about = [(header::CONTENT_TYPE, "image/jpeg"), (header::CACHE_CONTROL, "no-store")];
            (about, file).into_response()
        }
        Ok(Answer::Json(answer)) => answered(Ok(answer)),
        Err(error) => refuse(error),
    }
}

/// The answer of an operation as this host gives it.
pub(crate) fn answered(answer: Result<Value, ErrorBody>) -> Response {
    match answer {
        Ok(answer) => axum::Json(answer).into_response(),
        Err(error) => refuse(error),
    }
}

/// Reads the input of a call.
pub(crate) async fn input(name: &str, request: Request) -> Result<Value, ErrorBody> {
    let read = tokio::time::timeout(BODY_WAIT, Bytes::from_request(request, &())).await;
    let body = read.map_err(|_| body_too_slow())?.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ErrorBody::new(HostCode::TooLarge, "A request has at most 1 MiB."),
        _ => ErrorBody::new(HostCode::BadRequest, error.body_text()),
    })?;
    // Before it is parsed, which costs more than a look at its length.
    let bytes_max = api::input_bytes_max(name);
    if body.len() > bytes_max {
        let message = format!("The input of {name} has at most {} KiB; nothing was done.", bytes_max / 1024);
        return Err(ErrorBody::new(HostCode::TooLarge, message));
    }
    parse_body(&body)
}

/// A body that does not come.
pub(crate) fn body_too_slow() -> ErrorBody {
    let message = format!("The body did not come within {} s. Nothing was done.", BODY_WAIT.as_secs());
    ErrorBody::new(HostCode::TooSlow, message)
}

/// An error as this host answers it.
pub(crate) fn refuse(error: ErrorBody) -> Response {
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, axum::Json(error)).into_response()
}
