//! Model servers on this machine: which answer, what they are, which models they have, and what those can do.

mod answers;

use std::time::Duration;

use futures::future::join_all;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::http::{self, FetchLimits};
use crate::{Caps, ServerKind};
use answers::Answers;

/// Default addresses of local servers, each with the kind of server that listens there.
pub const DEFAULT_BASES: [(ServerKind, &str); 4] = [
    (ServerKind::Ollama, ServerKind::Ollama.profile().base),
    (ServerKind::LlamaCpp, ServerKind::LlamaCpp.profile().base),
    (ServerKind::LmStudio, ServerKind::LmStudio.profile().base),
    (ServerKind::Vllm, ServerKind::Vllm.profile().base),
];

/// A server on this machine answers at once or is not there.
const PROBE: FetchLimits = FetchLimits { bytes_max: 1024 * 1024, time: Duration::from_secs(2) };
/// More models than a list on a screen shows.
const MODELS_MAX: usize = 200;

/// A model server that answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalServer {
    /// Kind of server.
    pub kind: ServerKind,
    /// Its address, as a model's settings take it.
    pub base: String,
    /// Models that it offers.
    pub models: Vec<LocalModel>,
    /// True if its template knows tools; absent if it does not say.
    pub has_tools: Option<bool>,
    /// True if its template takes nothing but a user's words last; absent if it does not say.
    pub user_last: Option<bool>,
}

/// A model of a local server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalModel {
    /// Its name there.
    pub name: String,
    /// Tokens of input and output together; absent if the server does not say.
    pub window: Option<u32>,
    /// Number of parameters; absent if the server does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<u64>,
}

/// The servers on this machine that answer on the ports they have by default.
pub async fn detect() -> Vec<LocalServer> {
    let probes = join_all(DEFAULT_BASES.iter().map(|(_, base)| probe(base))).await;
    probes.into_iter().flatten().collect()
}

/// The model server at `base`, an address that the operator marked as local; absent if no model server answers.
///
/// Its answers tell its kind, not its port.
pub async fn probe(base: &str) -> Option<LocalServer> {
    let mut url = http::parse(base).ok()?;
    // Most of the paths below stand beside `/v1` and not under it.
    url.set_path(url.path().trim_end_matches('/').trim_end_matches("/v1").to_owned().as_str());
    let reach = http::reach(&url, true);
    http::check(&url, reach).ok()?;
    let client = http::client(reach).ok()?;
    let root = url.as_str().trim_end_matches('/').to_owned();
    // Asked at once: an address where nothing answers then costs one time limit and not five.
    let (version, tags, running, props, models) = tokio::join!(
        ask(&client, &root, "/api/version"),
        ask(&client, &root, "/api/tags"),
        ask(&client, &root, "/api/ps"),
        ask(&client, &root, "/props"),
        ask(&client, &root, "/v1/models"),
    );
    let answers = Answers { version, tags, running, props, models };
    let mut server = answers.server(base)?;
    server.models.truncate(MODELS_MAX);
    Some(server)
}

impl LocalServer {
    /// Lowers a model's capabilities to those that this server states; nothing is raised. The number of parameters is
    /// the server's, if it states one: a name may say nothing.
    pub fn lower(&self, caps: &mut Caps) {
        let named = self.models.iter().find(|model| model.name == caps.name);
        // llama.cpp has one model, whatever name it is asked for.
        let only = self.models.first().filter(|_| self.kind == ServerKind::LlamaCpp);
        let model = named.or(only);
        caps.parameters = model.and_then(|model| model.parameters).or(caps.parameters);
        if let Some(window) = model.and_then(|model| model.window) {
            caps.window = caps.window.min(window);
            caps.output_max = caps.output_max.min(window);
        }
        // A server that does not say leaves the catalogue's entry as it is.
        caps.native_tools &= self.has_tools != Some(false);
        caps.user_last |= self.user_last == Some(true);
    }
}

async fn ask(client: &reqwest::Client, root: &str, path: &str) -> Option<Value> {
    let url = http::parse(&format!("{root}{path}")).ok()?;
    let fetched = http::get(client, url, PROBE).await.ok()?;
    serde_json::from_slice(&fetched.body).ok()
}

#[cfg(test)]
mod tests;
