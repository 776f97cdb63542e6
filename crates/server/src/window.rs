//! The built window, served at `/`.

use api::{ErrorBody, HostCode};
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::http::refuse;

#[derive(RustEmbed)]
#[folder = "../../ui/dist"]
#[allow_missing = true]
struct Files;

pub(crate) async fn file(uri: Uri) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    match Files::get(path) {
        Some(file) => {
            let mime = mime_guess::from_path(path).first_or_octet_stream();
            ([(header::CONTENT_TYPE, mime.as_ref().to_owned())], file.data).into_response()
        }
        None if path == "index.html" => {
            refuse(ErrorBody::new(HostCode::NoWindow, "This server was built without its window. Run `make serve`."))
        }
        None => refuse(ErrorBody::new(HostCode::NotFound, "There is nothing at this address.")),
    }
}
