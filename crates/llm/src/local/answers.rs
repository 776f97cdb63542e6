//! Facts about local servers, read from their answers.

use serde_json::Value;

use super::{LocalModel, LocalServer};
use crate::{ServerKind, parameters};

/// A template of this family gives nothing to a conversation that ends with the model's own words.
const WANTS_USER_LAST: &str = "No user query found";

/// Answers of the paths that tell servers apart.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// `/api/version`.
    pub version: Option<Value>,
    /// `/api/tags`.
    pub tags: Option<Value>,
    /// `/api/ps`.
    pub running: Option<Value>,
    /// `/props`.
    pub props: Option<Value>,
    /// `/v1/models`.
    pub models: Option<Value>,
}

impl Answers {
    /// The server behind them, if it is a model server.
    pub fn server(&self, base: &str) -> Option<LocalServer> {
        let listed = self.models.as_ref().and_then(|models| models["data"].as_array());
        // Ollama and llama.cpp list their models in OpenAI's form as well, so their own signs are looked for
        // first.
        self.ollama(base).or_else(|| self.llama_cpp(base, listed)).or_else(|| Some(by_list(base, listed?)))
    }

    fn ollama(&self, base: &str) -> Option<LocalServer> {
        self.version.as_ref()?["version"].as_str()?;
        let tags = self.tags.as_ref()?["models"].as_array()?;
        let running = self.running.as_ref().and_then(|running| running["models"].as_array());
        // Only of a model that runs it is known which window it was given.
        let window = |name: &Value| {
            let row = running.into_iter().flatten().find(|row| row["name"] == *name)?;
            size(row.get("context_length"))
        };
        let models = tags.iter().filter_map(|tag| model(tag, "name", window(&tag["name"])));
        Some(new(ServerKind::Ollama, base, models.collect()))
    }

    fn llama_cpp(&self, base: &str, listed: Option<&Vec<Value>>) -> Option<LocalServer> {
        let props = self.props.as_ref().filter(|props| props["default_generation_settings"].is_object())?;
        let window = size(props.pointer("/default_generation_settings/n_ctx")).or_else(|| size(props.get("n_ctx")));
        let models = listed.into_iter().flatten().filter_map(|row| model(row, "id", window));
        let template = props["chat_template"].as_str();
        Some(LocalServer {
            has_tools: has_tools(props),
            user_last: template.map(|template| template.contains(WANTS_USER_LAST)),
            ..new(ServerKind::LlamaCpp, base, models.collect())
        })
    }
}

fn by_list(base: &str, listed: &[Value]) -> LocalServer {
    let owned_by = |owner: &str| listed.iter().any(|row| row["owned_by"] == owner);
    let kind = if owned_by("vllm") || listed.iter().any(|row| row["max_model_len"].is_u64()) {
        ServerKind::Vllm
    } else if owned_by("organization_owner") || base.trim_end_matches("/v1").ends_with(":1234") {
        // LM Studio's list has no field of its own, so the port that it uses by default counts too.
        ServerKind::LmStudio
    } else {
        ServerKind::OpenaiCompatible
    };
    new(kind, base, listed.iter().filter_map(|row| model(row, "id", None)).collect())
}

fn new(kind: ServerKind, base: &str, models: Vec<LocalModel>) -> LocalServer {
    LocalServer { kind, base: base.to_owned(), models, has_tools: None, user_last: None }
}

/// Newer builds of llama.cpp say it; of older ones the template shows it.
fn has_tools(props: &Value) -> Option<bool> {
    let said = props.pointer("/chat_template_caps/supports_tools").and_then(Value::as_bool);
    said.or_else(|| props["chat_template"].as_str().map(|template| template.contains("tools")))
}

fn model(row: &Value, name: &str, window: Option<u32>) -> Option<LocalModel> {
    let windows = ["max_model_len", "loaded_context_length", "max_context_length"];
    let said = windows.iter().find_map(|field| size(row.get(*field)));
    let size_said = row.pointer("/details/parameter_size").and_then(Value::as_str);
    let parameters = row.pointer("/meta/n_params").and_then(Value::as_u64);
    let parameters = parameters.or_else(|| size_said.and_then(parameters::in_name));
    Some(LocalModel { name: row[name].as_str()?.to_owned(), window: window.or(said), parameters })
}

fn size(number: Option<&Value>) -> Option<u32> {
    number?.as_u64().and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0)
}
