//! One request to a running server from a terminal: STOP ALL, or the certificates of the site.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::{Method, Request, StatusCode, Uri, header};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use serde_json::Value;
use tokio::net::TcpStream;

/// Time for the server to answer. It takes a second at most.
const ANSWER_WAIT: Duration = Duration::from_secs(3);

/// Time to make certificates and to put them on disk.
const CREDENTIALS_WAIT: Duration = Duration::from_secs(60);

/// The line a server prints when it starts; a file may hold it whole.
#[derive(Debug, Deserialize)]
struct Started {
    token: String,
}

/// Presses STOP ALL at the server `url` and returns its answer. The file holds a token, or the line that the server
/// printed when it started.
pub async fn stop_all(url: &str, token_file: &Path) -> anyhow::Result<Value> {
    let token = token_in(token_file).context("NOT STOPPED")?;
    let request = post(url, "/op/stop_all", &token, "{}".into());
    let asked = tokio::time::timeout(ANSWER_WAIT, request).await.context("it takes too long").flatten();
    let (status, body) = asked.with_context(|| format!("NOT STOPPED: {url} did not answer; use the hardware stop"))?;
    if !status.is_success() {
        bail!("NOT STOPPED: the server refused ({status}): {}", body["message"].as_str().unwrap_or("no reason given"));
    }
    Ok(body)
}

/// Makes the certificates and rules that `input` asks for at the server `url`, and returns its answer.
pub async fn credentials(url: &str, token_file: &Path, input: &Value) -> anyhow::Result<Value> {
    let token = token_in(token_file)?;
    let request = post(url, "/op/issue_credentials", &token, input.to_string());
    let (status, body) =
        tokio::time::timeout(CREDENTIALS_WAIT, request).await.context("the server takes too long")??;
    if !status.is_success() {
        bail!("the server refused ({status}): {}", body["message"].as_str().unwrap_or("no reason given"));
    }
    Ok(body)
}

fn token_in(token_file: &Path) -> anyhow::Result<String> {
    let read = std::fs::read_to_string(token_file);
    let text = read.with_context(|| format!("{} cannot be read", token_file.display()))?;
    Ok(serde_json::from_str(&text).map_or_else(|_| text.trim().to_owned(), |Started { token }| token))
}

async fn post(url: &str, path: &str, token: &str, body: String) -> anyhow::Result<(StatusCode, Value)> {
    let url: Uri = url.parse().context("it is no address")?;
    if url.scheme_str() != Some("http") {
        bail!("the address begins with http://");
    }
    let host = url.authority().context("the address names no server")?.as_str();
    let connection = TcpStream::connect(host).await?;
    let (mut client, driver) = hyper::client::conn::http1::handshake(TokioIo::new(connection)).await?;
    let request = Request::builder()
        .method(Method::POST)
        .uri(path)
        .header(header::HOST, host)
        .header(header::AUTHORIZATION, format!("Bearer {token}"))
        .body(Full::new(Bytes::from(body)))?;
    let exchange = async move {
        let answer = client.send_request(request).await?;
        let status = answer.status();
        let body = answer.into_body().collect().await?.to_bytes();
        Ok((status, serde_json::from_slice(&body).unwrap_or_default()))
    };
    // The connection ends with the client, which is dropped once the answer is there.
    let (answered, _) = tokio::join!(exchange, driver);
    answered
}
