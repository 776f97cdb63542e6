//! One request to a running server from a terminal: STOP ALL, or the certificates of the site.

use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::{Method, Request, StatusCode, Uri, header};
use hyper_util::rt::TokioIo;
use remote::{Address, Fingerprint, dial};
use serde::Deserialize;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

/// Time for the server to answer. It takes a second at most.
const ANSWER_WAIT: Duration = Duration::from_secs(3);

/// Time to make certificates and to put them on disk.
const CREDENTIALS_WAIT: Duration = Duration::from_secs(60);

/// The largest answer. Whoever answers may send anything.
const ANSWER_BYTES_MAX: usize = 1024 * 1024;

/// The line a server prints when it starts; a file may hold it whole.
#[derive(Debug, Deserialize)]
struct Started {
    token: String,
    #[serde(default)]
    fingerprint: Option<String>,
}

/// A terminal's way to a running server.
pub struct Terminal {
    url: String,
    token: String,
    pin: Option<Fingerprint>,
}

impl Terminal {
    /// The server at `url`. The file holds a token, or the line that the server printed when it started.
    ///
    /// # Errors
    /// The file cannot be read, or the fingerprint is none.
    pub fn new(url: &str, token_file: &Path, fingerprint: Option<&str>) -> anyhow::Result<Self> {
        let read = std::fs::read_to_string(token_file);
        let text = read.with_context(|| format!("{} cannot be read", token_file.display()))?;
        // A file that does not hold the printed line holds the bare token.
        let started = serde_json::from_str(&text);
        let Started { token, fingerprint: printed } =
            started.unwrap_or_else(|_| Started { token: text.trim().to_owned(), fingerprint: None });
        let pin = fingerprint.map(str::to_owned).or(printed).map(|text| text.parse()).transpose()?;
        Ok(Self { url: url.to_owned(), token, pin })
    }

    async fn post(&self, path: &str, body: String) -> anyhow::Result<(StatusCode, Value)> {
        let url: Uri = self.url.parse().context("it is no address")?;
        let host = url.authority().context("the address names no server")?.as_str();
        match url.scheme_str() {
            Some("http") => {
                let stream = TcpStream::connect(host).await?;
                check_here(stream.peer_addr()?.ip())?;
                exchange(stream, self.request(host, path, body)?).await
            }
            Some("https") => {
                let address: Address = host.parse()?;
                // Without it somebody on the way could take the token, and answer that all robots are stopped.
                let pin =
                    self.pin.context("name the server's certificate with --fingerprint, as the server printed it")?;
                // Under the name and the port that are dialled: the server answers to no other.
                let request = self.request(&address.to_string(), path, body)?;
                exchange(dial(&address, pin).await?, request).await
            }
            Some(_) | None => bail!("the address begins with http:// or https://"),
        }
    }

    fn request(&self, host: &str, path: &str, body: String) -> anyhow::Result<Request<Full<Bytes>>> {
        let request = Request::builder()
            .method(Method::POST)
            .uri(path)
            .header(header::HOST, host)
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .body(Full::new(Bytes::from(body)))?;
        Ok(request)
    }
}

/// Refuses to speak without TLS to another computer: everybody on the way could read the token, and answer for the server.
fn check_here(peer: IpAddr) -> anyhow::Result<()> {
    ensure!(peer.to_canonical().is_loopback(), "a server on another computer is reached with https:// only");
    Ok(())
}

/// Presses STOP ALL at the server and returns its answer.
pub async fn stop_all(terminal: Terminal) -> anyhow::Result<Value> {
    let request = terminal.post("/op/stop_all", "{}".into());
    let asked = tokio::time::timeout(ANSWER_WAIT, request).await.context("it takes too long").flatten();
    let (status, body) =
        asked.with_context(|| format!("NOT STOPPED: {} did not answer; use the hardware stop", terminal.url))?;
    if !status.is_success() {
        bail!("NOT STOPPED: the server refused ({status}): {}", body["message"].as_str().unwrap_or("no reason given"));
    }
    // Whatever else answers at that address may be friendly about it.
    if !body["stop_id"].is_u64() {
        bail!("NOT STOPPED: what answers at {} is no station; use the hardware stop", terminal.url);
    }
    Ok(body)
}

/// Makes the certificates and rules that `input` asks for at the server, and returns its answer.
pub async fn credentials(terminal: Terminal, input: &Value) -> anyhow::Result<Value> {
    let request = terminal.post("/op/issue_credentials", input.to_string());
    let (status, body) =
        tokio::time::timeout(CREDENTIALS_WAIT, request).await.context("the server takes too long")??;
    if !status.is_success() {
        bail!("the server refused ({status}): {}", body["message"].as_str().unwrap_or("no reason given"));
    }
    Ok(body)
}

async fn exchange<T>(stream: T, request: Request<Full<Bytes>>) -> anyhow::Result<(StatusCode, Value)>
where
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (mut client, driver) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    let exchange = async move {
        let answer = client.send_request(request).await?;
        let status = answer.status();
        let body = Limited::new(answer.into_body(), ANSWER_BYTES_MAX).collect().await;
        let body = body.map_err(|error| anyhow!("the answer cannot be read: {error}"))?.to_bytes();
        Ok((status, serde_json::from_slice(&body).unwrap_or_default()))
    };
    // The connection ends with the client, which is dropped once the answer is there.
    let (answered, _) = tokio::join!(exchange, driver);
    answered
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// The end of a stop at a server that answers `200 OK` with `body`.
    async fn stopped_at(body: &str) -> anyhow::Result<Value> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let terminal = Terminal { url: format!("http://{}", listener.local_addr()?), token: "t".to_owned(), pin: None };
        let serve = async {
            let (mut stream, _) = listener.accept().await?;
            let mut asked = [0; 1024];
            let _ = stream.read(&mut asked).await?;
            let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
            // A client that has read enough closes before the end.
            let _ = stream.write_all(answer.as_bytes()).await;
            // Open until the answer is read.
            Ok::<_, std::io::Error>(stream)
        };
        let (stopped, served) = tokio::join!(stop_all(terminal), serve);
        served?;
        stopped
    }

    #[tokio::test]
    async fn only_the_answer_of_a_station_is_a_stop() {
        for other in ["<html>Sign in</html>", "null", "{}", r#"{"ok":true}"#, ""] {
            let refused = stopped_at(other).await.unwrap_err();
            assert!(refused.to_string().starts_with("NOT STOPPED"), "{other}: {refused}");
        }
        let stop = r#"{"stop_id":7,"latch_saved":false,"robots":["arm-1"]}"#;
        assert_eq!(stopped_at(stop).await.unwrap()["stop_id"], 7);
        let padded = format!("{}{stop}", " ".repeat(ANSWER_BYTES_MAX));
        let refused = stopped_at(&padded).await.unwrap_err();
        assert!(format!("{refused:#}").contains("length limit"), "{refused:#}");
    }

    #[test]
    fn no_token_leaves_this_computer_without_tls() {
        for (peer, is_here) in
            [("127.0.0.1", true), ("::1", true), ("::ffff:127.0.0.1", true), ("10.0.0.5", false), ("fe80::1", false)]
        {
            assert_eq!(check_here(peer.parse().unwrap()).is_ok(), is_here, "{peer}");
        }
    }
}
