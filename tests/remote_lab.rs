//! A real server with TLS, a desk elsewhere, and a link between them that can be cut.

use api::{Answer, DeskStatus, ErrorBody, KeyStore};
use remote::{Client, Fingerprint, Stations};
use secrecy::SecretString;
use serde_json::{Value, json};
use server::make_certificate;
use tempfile::TempDir;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::server_process::ServerProcess;

/// A server with TLS, and a link to it through another address of this computer.
pub struct Lab {
    /// The server.
    pub server: ServerProcess,
    /// Of its certificate.
    pub fingerprint: Fingerprint,
    /// The link to it.
    pub link: Link,
    /// Of the certificate and of what the desk keeps.
    pub folder: TempDir,
}

/// A link that can be cut: what is sent on it then is lost without a word.
pub struct Link {
    /// False cuts it.
    pub up: watch::Sender<bool>,
    /// Ends with this.
    _carrying: JoinSet<()>,
}

impl Link {
    /// From the same port of 127.0.0.2 to the server.
    async fn to(server: &str) -> anyhow::Result<Self> {
        let (server, port) = (server.to_owned(), server.rsplit_once(':').map_or("", |(_, port)| port));
        let listener = TcpListener::bind(format!("127.0.0.2:{port}")).await?;
        let (up, seen) = watch::channel(true);
        let mut carrying = JoinSet::new();
        carrying.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(carry(stream, server.clone(), seen.clone()));
            }
        });
        Ok(Self { up, _carrying: carrying })
    }
}

/// Carries one connection until the link is cut; the connection stays open then, and is gone when the link is back.
async fn carry(mut near: TcpStream, server: String, mut up: watch::Receiver<bool>) -> Option<()> {
    if *up.borrow_and_update() {
        let mut far = TcpStream::connect(server).await.ok()?;
        let is_cut = tokio::select! {
            _ = copy_bidirectional(&mut near, &mut far) => false,
            cut = up.wait_for(|up| !up) => cut.is_ok(),
        };
        if !is_cut {
            return None;
        }
        up.wait_for(|up| *up).await.ok()?;
        return Some(());
    }
    up.wait_for(|up| *up).await.ok().map(|_| ())
}

impl Lab {
    /// Starts a server with these flags.
    pub async fn start(flags: &[&str]) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let (server, fingerprint) = serve(&folder, "first", "127.0.0.1:0", flags).await?;
        let link = Link::to(&server.address).await?;
        Ok(Self { server, fingerprint, link, folder })
    }

    /// The address of the station beyond the link.
    pub fn address(&self) -> String {
        self.server.address.replace("127.0.0.1", "127.0.0.2")
    }

    /// The desk, which has no keychain.
    pub fn desk(&self) -> Stations {
        Stations::open(self.folder.path(), KeyStore::Environment)
    }

    /// A person beside the server, whose link is never cut.
    pub fn beside(&self) -> anyhow::Result<Client> {
        let token = SecretString::from(self.server.token.as_str());
        Ok(Client::new(self.server.address.parse()?, self.fingerprint, token))
    }

    /// Asks the server over a link that is never cut.
    pub async fn ask(&self, name: &str, input: Value) -> anyhow::Result<Value> {
        json_of(self.beside()?.call(name, &input).await?)
    }

    /// Shows the station at the desk.
    pub async fn connect(&self, desk: &Stations, token: &str) -> anyhow::Result<DeskStatus> {
        Ok(act(desk, &self.connecting(&self.fingerprint.to_string(), token)).await?)
    }

    /// The act of connecting.
    pub fn connecting(&self, fingerprint: &str, token: &str) -> Value {
        json!({ "act": "connect", "name": "lab", "address": self.address(), "fingerprint": fingerprint, "token": token })
    }
}

/// Starts a server with a certificate of its own.
pub async fn serve(
    folder: &TempDir,
    name: &str,
    listen: &str,
    flags: &[&str],
) -> anyhow::Result<(ServerProcess, Fingerprint)> {
    let files = ["pem", "key"].map(|ending| folder.path().join(format!("{name}.{ending}")));
    let [certificate, key] = &files;
    let fingerprint = make_certificate(&["127.0.0.1".into(), "127.0.0.2".into()], certificate, key)?;
    let [certificate, key] = files.each_ref().map(|file| file.to_str().unwrap_or_default());
    let tls = ["--listen", listen, "--tls-cert", certificate, "--tls-key", key];
    Ok((ServerProcess::start(&[&tls, flags].concat()).await?, fingerprint))
}

fn json_of(answer: Answer) -> anyhow::Result<Value> {
    match answer {
        Answer::Json(value) => Ok(value),
        Answer::Jpeg(_) => anyhow::bail!("a picture"),
    }
}

/// An act at a desk that is not locked.
pub async fn act(desk: &Stations, act: &Value) -> Result<DeskStatus, ErrorBody> {
    desk.act(serde_json::from_value(act.clone()).unwrap_or(api::DeskAct::Status {}), false).await
}
