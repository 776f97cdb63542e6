//! What the answers of local servers say about them.

use serde_json::Value;

use super::{LocalModel, LocalServer};
use crate::ServerKind;

/// A template of this family gives nothing to a conversation that ends with the model's own words.
const WANTS_USER_LAST: &str = "No user query found";

/// The server behind these answers, if it is a model server.
pub(super) fn server(
    base: &str,
    version: Option<&Value>,
    tags: Option<&Value>,
    props: Option<&Value>,
    models: Option<&Value>,
) -> Option<LocalServer> {
    let new = |kind, models| LocalServer { kind, base: base.to_owned(), models, has_tools: None, user_last: None };
    let version = version.filter(|version| version["version"].is_string());
    if let (Some(_), Some(tags)) = (version, tags.and_then(|tags| tags["models"].as_array())) {
        return Some(new(ServerKind::Ollama, tags.iter().filter_map(|tag| model(tag, "name", None)).collect()));
    }
    let listed = models.and_then(|models| models["data"].as_array());
    if let Some(props) = props.filter(|props| props["default_generation_settings"].is_object()) {
        let window = size(props.pointer("/default_generation_settings/n_ctx")).or_else(|| size(props.get("n_ctx")));
        let rows = listed.into_iter().flatten();
        let template = props["chat_template"].as_str();
        return Some(LocalServer {
            has_tools: has_tools(props),
            user_last: template.map(|template| template.contains(WANTS_USER_LAST)),
            ..new(ServerKind::LlamaCpp, rows.filter_map(|row| model(row, "id", window)).collect())
        });
    }
    let listed = listed?;
    let owned_by = |owner: &str| listed.iter().any(|row| row["owned_by"] == owner);
    let kind = if owned_by("vllm") || listed.iter().any(|row| row["max_model_len"].is_u64()) {
        ServerKind::Vllm
    } else if owned_by("organization_owner") || base.ends_with(":1234") || base.ends_with(":1234/v1") {
        ServerKind::LmStudio
    } else {
        ServerKind::OpenaiCompatible
    };
    Some(new(kind, listed.iter().filter_map(|row| model(row, "id", None)).collect()))
}

/// Newer builds of llama.cpp say it; of older ones the template shows it.
fn has_tools(props: &Value) -> Option<bool> {
    let said = props.pointer("/chat_template_caps/supports_tools").and_then(Value::as_bool);
    said.or_else(|| props["chat_template"].as_str().map(|template| template.contains("tools")))
}

fn model(row: &Value, name: &str, window: Option<u32>) -> Option<LocalModel> {
    let windows = ["max_model_len", "loaded_context_length", "max_context_length"];
    let said = windows.iter().find_map(|field| size(row.get(*field)));
    Some(LocalModel { name: row[name].as_str()?.to_owned(), window: window.or(said) })
}

fn size(number: Option<&Value>) -> Option<u32> {
    number?.as_u64().and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0)
}
