//! A request in the form of Chat Completions. The order of the fields is the order of the bytes.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Value, json};

use crate::wire::markup;
use crate::{
    Block, Caps, Choice, Effort, EncodeError, ReasoningBack, Request, RequestMessage, ServerKind, Sidecar,
    SidecarBlock, Speaker, Thinking, ThinkingOff, ThinkingWish, ToolChoice, ToolDecl,
};

/// A warm call asks for so little; nothing else does.
const WARM_TOKENS: u32 = 1;
/// What stands last in a warm call where a template wants words of a user there.
const WARM_WORDS: &str = ".";

/// The request's body. Messages stand last: what comes later in a conversation only follows.
pub(super) fn body(caps: &Caps, request: &Request) -> Result<Vec<u8>, EncodeError> {
    if request.messages.is_empty() {
        return Err(EncodeError::Empty);
    }
    check_tools(caps, request)?;
    let output_max = request.output_max.min(caps.output_max);
    let is_openai = caps.server == Some(ServerKind::Openai);
    let body = Body {
        model: &caps.name,
        max_completion_tokens: is_openai.then_some(output_max),
        max_tokens: (!is_openai).then_some(output_max),
        temperature: request.sampling.filter(|_| caps.sampling).map(|sampling| sampling.temperature),
        reasoning_effort: effort(caps, request.thinking),
        chat_template_kwargs: template_arguments(caps, request.thinking),
        prompt_cache_key: is_openai.then(|| format!("{}:{}", request.session, request.epoch)),
        stream: true,
        stream_options: caps.stream_usage.then(|| json!({ "include_usage": true })),
        tools: if caps.native_tools { request.tools.iter().map(Tool::new).collect() } else { Vec::new() },
        tool_choice: choice(caps, request),
        messages: messages(caps, request),
    };
    #[expect(clippy::expect_used, reason = "text, numbers and JSON always have a form")]
    Ok(serde_json::to_vec(&body).expect("a request serialises"))
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chat_template_kwargs: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_key: Option<String>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
    messages: Vec<Message<'a>>,
}

#[derive(Serialize)]
pub(in crate::wire) struct Tool<'a> {
    r#type: &'static str,
    function: Declared<'a>,
}

#[derive(Serialize)]
struct Declared<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
}

impl<'a> Tool<'a> {
    pub fn new(tool: &'a ToolDecl) -> Self {
        let function = Declared { name: &tool.name, description: &tool.description, parameters: &tool.input_schema };
        Self { r#type: "function", function }
    }
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
    content: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
}

#[derive(Serialize)]
struct Call<'a> {
    id: &'a str,
    r#type: &'static str,
    function: Function<'a>,
    /// What a gateway signs a call with; it wants it back on the same call.
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_content: Option<Value>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    arguments: &'a str,
}

impl<'a> Message<'a> {
    const fn text(role: &'static str, content: Cow<'a, str>) -> Self {
        Self { role, tool_call_id: None, content: Some(content), reasoning_content: None, tool_calls: Vec::new() }
    }
}

fn check_tools(caps: &Caps, request: &Request) -> Result<(), EncodeError> {
    if caps.tools_elsewhere && !request.tools.is_empty() {
        return Err(EncodeError::OtherInterface { model: caps.name.clone() });
    }
    match caps.tools_max {
        Some(max) if request.tools.len() > usize::from(max) => {
            Err(EncodeError::TooManyTools { model: caps.name.clone(), max, count: request.tools.len() })
        }
        Some(_) | None => Ok(()),
    }
}

/// Absent is "as it likes", which every server understands; what a server refuses is not sent.
fn choice(caps: &Caps, request: &Request) -> Option<Value> {
    if request.tools.is_empty() || !caps.native_tools {
        return None;
    }
    let sent = |choice: Choice, word: &str| (choice != Choice::Rejected).then(|| json!(word));
    match &request.choice {
        ToolChoice::Auto => None,
        ToolChoice::None => sent(caps.choice_none, "none"),
        ToolChoice::Named(name) if caps.choice_named => {
            Some(json!({ "type": "function", "function": { "name": name } }))
        }
        ToolChoice::Required | ToolChoice::Named(_) => sent(caps.choice_required, "required"),
    }
}

fn effort(caps: &Caps, wish: ThinkingWish) -> Option<&'static str> {
    if caps.thinking != Thinking::Effort {
        return None;
    }
    match wish {
        ThinkingWish::Own | ThinkingWish::Budget(_) => None,
        ThinkingWish::Off if caps.thinking_off == Some(ThinkingOff::Disabled) => Some("none"),
        ThinkingWish::Off | ThinkingWish::Effort(Effort::Low) => Some("low"),
        ThinkingWish::Effort(Effort::Medium) => Some("medium"),
        ThinkingWish::Effort(Effort::High) => Some("high"),
    }
}

/// Servers that run a template themselves switch thinking off in there.
fn template_arguments(caps: &Caps, wish: ThinkingWish) -> Option<Value> {
    let has_template = matches!(caps.server, Some(ServerKind::LlamaCpp | ServerKind::Vllm));
    let is_off = wish == ThinkingWish::Off && caps.thinking_off == Some(ThinkingOff::Disabled);
    (has_template && is_off).then(|| json!({ "enable_thinking": false }))
}

fn messages<'a>(caps: &Caps, request: &'a Request) -> Vec<Message<'a>> {
    let mut messages = Vec::new();
    let mut system = request.system.join("\n\n");
    if !caps.native_tools && !request.tools.is_empty() {
        system.push_str(&markup::declarations(&request.tools));
    }
    if !system.is_empty() {
        messages.push(Message::text("system", system.into()));
    }
    let loop_from = request.messages.iter().rposition(is_asked).unwrap_or(0);
    for (at, message) in request.messages.iter().enumerate() {
        match message.speaker {
            Speaker::System if caps.system_mid => messages.extend(words("system", message)),
            Speaker::System => messages.extend(words("user", message)),
            Speaker::User => {
                messages.extend(results(caps, message));
                messages.extend(words("user", message));
            }
            Speaker::Assistant => messages.extend(said(caps, message, at > loop_from)),
        }
    }
    let is_warm = request.output_max <= WARM_TOKENS;
    if is_warm && caps.user_last && messages.last().is_some_and(|last| last.role == "assistant") {
        messages.push(Message::text("user", WARM_WORDS.into()));
    }
    messages
}

/// Whether somebody asked something here, so that a new round of tools begins.
fn is_asked(message: &RequestMessage) -> bool {
    message.speaker == Speaker::User && !message.blocks.iter().any(|block| matches!(block, Block::Result { .. }))
}

fn words<'a>(role: &'static str, message: &'a RequestMessage) -> Option<Message<'a>> {
    text(message).map(|text| Message::text(role, text))
}

/// All text of a message; paragraphs keep its blocks apart.
fn text(message: &RequestMessage) -> Option<Cow<'_, str>> {
    let mut texts = message.blocks.iter().filter_map(|block| match block {
        Block::Text { text, .. } if !text.is_empty() => Some(text.as_str()),
        Block::Text { .. } | Block::Call { .. } | Block::Result { .. } => None,
    });
    let first = texts.next()?;
    let rest: Vec<&str> = texts.collect();
    if rest.is_empty() { Some(first.into()) } else { Some(format!("{first}\n\n{}", rest.join("\n\n")).into()) }
}

fn results<'a>(caps: &Caps, message: &'a RequestMessage) -> Vec<Message<'a>> {
    let results = message.blocks.iter().filter_map(|block| match block {
        Block::Result { call, json, is_error, .. } => Some((call.0.as_str(), result(json, *is_error))),
        Block::Text { .. } | Block::Call { .. } => None,
    });
    if caps.native_tools {
        let message = |(id, json)| Message { tool_call_id: Some(id), ..Message::text("tool", json) };
        return results.map(message).collect();
    }
    let printed: Vec<String> = results.map(|(_, json)| markup::result(&json)).collect();
    if printed.is_empty() { Vec::new() } else { vec![Message::text("user", printed.join("\n").into())] }
}

/// The wire has no field that says a result is an error.
pub(in crate::wire) fn result(json: &str, is_error: bool) -> Cow<'_, str> {
    let says_so = || serde_json::from_str::<Value>(json).is_ok_and(|value| value.get("error").is_some());
    if !is_error || says_so() { json.into() } else { format!(r#"{{"error":{json}}}"#).into() }
}

fn said<'a>(caps: &Caps, message: &'a RequestMessage, in_loop: bool) -> Option<Message<'a>> {
    let own = message.sidecar.as_deref().filter(|sidecar| is_own(caps, sidecar));
    let calls = message.blocks.iter().filter_map(|block| match block {
        Block::Call { id, name, args_raw } => Some((id.0.as_str(), name.as_str(), object(args_raw))),
        Block::Text { .. } | Block::Result { .. } => None,
    });
    let mut content = text(message);
    let mut tool_calls = Vec::new();
    if caps.native_tools {
        tool_calls.extend(calls.map(|(id, name, arguments)| Call {
            id,
            r#type: "function",
            function: Function { name, arguments },
            extra_content: own.and_then(|sidecar| signature(sidecar, id)),
        }));
    } else {
        let printed: Vec<String> = calls.map(|(_, name, arguments)| markup::call(name, arguments)).collect();
        if !printed.is_empty() {
            let lines = content.into_iter().chain([printed.join("\n").into()]).collect::<Vec<_>>();
            content = Some(lines.join("\n").into());
        }
    }
    if content.is_none() && tool_calls.is_empty() {
        return None;
    }
    let is_thinking_back = match caps.reasoning_back {
        ReasoningBack::Never => false,
        ReasoningBack::ToolLoop => in_loop,
        ReasoningBack::Always => true,
    };
    let reasoning_content = own.filter(|_| is_thinking_back).and_then(thinking);
    Some(Message { role: "assistant", tool_call_id: None, content, reasoning_content, tool_calls })
}

fn is_own(caps: &Caps, sidecar: &Sidecar) -> bool {
    sidecar.provider == caps.provider
        && sidecar.api == caps.api
        && sidecar.model == caps.name
        && sidecar.base == caps.base
}

fn signature(sidecar: &Sidecar, call: &str) -> Option<Value> {
    sidecar.blocks.iter().find_map(|block| match block {
        SidecarBlock::Call { id, sig: Some(sig), .. } if id.0 == call => serde_json::from_str(sig).ok(),
        SidecarBlock::Call { .. }
        | SidecarBlock::Text { .. }
        | SidecarBlock::Thinking { .. }
        | SidecarBlock::Redacted { .. }
        | SidecarBlock::Item { .. } => None,
    })
}

fn thinking(sidecar: &Sidecar) -> Option<String> {
    let thoughts = sidecar.blocks.iter().filter_map(|block| match block {
        SidecarBlock::Thinking { s, .. } => Some(s.as_str()),
        SidecarBlock::Text { .. }
        | SidecarBlock::Redacted { .. }
        | SidecarBlock::Call { .. }
        | SidecarBlock::Item { .. } => None,
    });
    let thoughts: String = thoughts.collect();
    (!thoughts.is_empty()).then_some(thoughts)
}

/// Arguments that are no object were answered with an error; the server would refuse the whole request for them.
pub(in crate::wire) fn object(args_raw: &str) -> &str {
    if serde_json::from_str::<serde_json::Map<String, Value>>(args_raw).is_ok() { args_raw } else { "{}" }
}

#[cfg(test)]
mod tests;
