//! Routes: `POST /op/{name}`, `GET /events`, and the window.

use api::{ErrorBody, Session, parse_body};
use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::Value;

use crate::{Host, events, window};

/// The largest request body.
const BODY_BYTES_MAX: usize = 1024 * 1024;

/// What a page of this server may load and do. `style-src` needs no nonce because the window makes no style elements.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; object-src 'none'; frame-src 'none'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Every route of the host.
pub fn router(host: Host) -> Router {
    Router::new()
        .route("/op/{name}", post(operation))
        .route("/events", get(events::upgrade))
        .fallback(get(window::file))
        .method_not_allowed_fallback(async || refuse(ErrorBody::new(405, "bad_method", "Operations take POST.")))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(middleware::from_fn_with_state(host.clone(), guard))
        .with_state(host)
}

/// Checks names before anything else, and sets what every answer carries.
async fn guard(State(host): State<Host>, request: Request, next: Next) -> Response {
    let mut response = match host.gatekeeper.check_host(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(error) => {
            host.api.note_refused(None, request.uri().path(), &error);
            refuse(error)
        }
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn operation(
    State(host): State<Host>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    match call(&host, &name, &headers, body).await {
        Ok(answer) => axum::Json(answer).into_response(),
        Err(error) => refuse(error),
    }
}

async fn call(
    host: &Host,
    name: &str,
    headers: &HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Value, ErrorBody> {
    let refused = |by: Option<&Session>, error: ErrorBody| {
        host.api.note_refused(by, name, &error);
        error
    };
    let session = host.gatekeeper.session(headers).map_err(|error| refused(None, error))?;
    let input = input(body).map_err(|error| refused(Some(&session), error))?;
    host.api.call(&session, name, input).await
}

fn input(body: Result<Bytes, BytesRejection>) -> Result<Value, ErrorBody> {
    let body = body.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ErrorBody::new(413, "too_large", "A request has at most 1 MiB."),
        _ => ErrorBody::new(400, "bad_request", error.body_text()),
    })?;
    parse_body(&body)
}

/// An error as this host answers it.
pub(crate) fn refuse(error: ErrorBody) -> Response {
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, axum::Json(error)).into_response()
}
