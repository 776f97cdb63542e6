//! A request in the form of Chat Completions. The order of the fields is the order of the bytes.

use robot::{Origin, Trust};
use serde::Serialize;
use serde_json::{Value, json};

use crate::wire::replay::{self, Part, Piece, Turn};
use crate::wire::{check_tools, markup};
use crate::{
    Block, Caps, Choice, Effort, EncodeError, ReasoningBack, Request, RequestMessage, ServerKind, Speaker, Thinking,
    ThinkingOff, ThinkingWish, ToolChoice, ToolDecl,
};

/// A warm call asks for so little; nothing else does.
const WARM_TOKENS: u32 = 1;
/// Last message of a warm call where a template wants words of a user there.
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
        // OpenAI has renamed the field, and other servers know only the older name.
        max_completion_tokens: is_openai.then_some(output_max),
        max_tokens: (!is_openai).then_some(output_max),
        temperature: request.sampling.filter(|_| caps.sampling).map(|sampling| sampling.temperature),
        reasoning_effort: effort(caps, request.thinking),
        chat_template_kwargs: template_arguments(caps, request.thinking),
        // OpenAI sends requests with equal keys to the cache that holds their prefix.
        prompt_cache_key: is_openai.then(|| format!("{}:{}", request.session, request.epoch)),
        stream: true,
        return_progress: caps.server == Some(ServerKind::LlamaCpp),
        stream_options: caps.stream_usage.then(|| json!({ "include_usage": true })),
        tools: if caps.native_tools { request.tools.iter().map(Tool::new).collect() } else { Vec::new() },
        tool_choice: choice(caps, request),
        messages: messages(caps, request),
    };
    serde_json::to_vec(&body).map_err(|error| EncodeError::Unwritable { why: error.to_string() })
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
    /// llama.cpp then says how far it has read the prompt.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    return_progress: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
    messages: Vec<Message>,
}

/// A tool that may be called.
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

/// A message of the conversation.
#[derive(Serialize)]
pub(in crate::wire) struct Message {
    pub role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The tool whose result it is: only Ollama wants it.
    #[serde(skip)]
    pub tool_name: Option<String>,
    pub content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_content: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<Call>,
}

/// A call of the model.
#[derive(Serialize)]
pub(in crate::wire) struct Call {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    r#type: &'static str,
    pub function: Function,
    /// A gateway's signature of a call; it wants it back on the same call.
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_content: Option<Value>,
}

/// The called function.
#[derive(Serialize)]
pub(in crate::wire) struct Function {
    pub name: String,
    pub arguments: String,
}

impl Message {
    const fn text(role: &'static str, content: String) -> Self {
        let content = Some(content);
        Self { role, tool_call_id: None, tool_name: None, content, reasoning_content: None, tool_calls: Vec::new() }
    }
}

/// Absent is "as it likes", which every server understands; what a server refuses is not sent.
fn choice(caps: &Caps, request: &Request) -> Option<Value> {
    // Tools that are printed into the system text cannot be chosen by a field.
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

/// The conversation, system text first.
pub(in crate::wire) fn messages(caps: &Caps, request: &Request) -> Vec<Message> {
    let mut system = request.system.join("\n\n");
    if !caps.native_tools && !request.tools.is_empty() {
        system.push_str(&markup::declarations(&request.tools));
    }
    let mut messages = Vec::new();
    messages.extend((!system.is_empty()).then(|| Message::text("system", system)));
    let is_warm = request.output_max <= WARM_TOKENS && request.messages.last().is_some_and(is_models);
    if !is_warm {
        messages.extend(conversation(caps, request));
        return messages;
    }
    // The model's last message belongs to the prefix, but is left out unless a user's message follows.
    let mut asked = request.clone();
    asked.messages.push(warm_words());
    messages.extend(conversation(caps, &asked));
    if !caps.user_last {
        messages.pop();
    }
    messages
}

fn is_models(message: &RequestMessage) -> bool {
    message.speaker == Speaker::Assistant
}

fn warm_words() -> RequestMessage {
    let text = Block::Text { text: WARM_WORDS.to_owned(), trust: Trust::Trusted };
    RequestMessage { speaker: Speaker::User, origin: Origin::System, entry: None, blocks: vec![text], sidecar: None }
}

fn conversation(caps: &Caps, request: &Request) -> Vec<Message> {
    let turns = replay::turns(request, caps, can_say);
    let is_asked = |turn: &Turn| turn.speaker == Speaker::User && !turn.pieces.iter().any(is_result);
    // Thinking goes back only within the tool loop that it belongs to, which begins with a user's words.
    let asked_at = turns.iter().rposition(is_asked).unwrap_or(0);
    let mut messages = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        match turn.speaker {
            Speaker::System => messages.extend(words("system", &turn.pieces)),
            Speaker::User => {
                messages.extend(results(caps, &turn.pieces));
                // Parts that are gone after this call stand apart, so that the rest is the same in the next one.
                let (kept, passing): (Vec<&Piece>, Vec<&Piece>) =
                    turn.pieces.iter().partition(|piece| !piece.transient);
                messages.extend(words("user", kept));
                messages.extend(words("user", passing));
            }
            Speaker::Assistant => {
                let is_thinking_back = match caps.reasoning_back {
                    ReasoningBack::Never => false,
                    ReasoningBack::ToolLoop => at > asked_at,
                    ReasoningBack::Always => true,
                };
                messages.extend(said(caps, &turn.pieces, is_thinking_back));
            }
        }
    }
    messages
}

/// False for empty text and for parts that only another format has.
const fn can_say(part: &Part) -> bool {
    match part {
        Part::Text { text, .. } => !text.is_empty(),
        Part::Thinking { .. } | Part::Call { .. } | Part::Result { .. } => true,
        Part::Redacted { .. } | Part::Item { .. } => false,
    }
}

const fn is_result(piece: &Piece) -> bool {
    matches!(piece.part, Part::Result { .. })
}

fn words<'a>(role: &'static str, pieces: impl IntoIterator<Item = &'a Piece<'a>>) -> Option<Message> {
    joined(pieces, |part| match part {
        Part::Text { text, .. } => Some((*text).to_owned()),
        Part::Thinking { .. } | Part::Redacted { .. } | Part::Call { .. } | Part::Result { .. } | Part::Item { .. } => {
            None
        }
    })
    .map(|text| Message::text(role, text))
}

/// Paragraphs keep apart what were blocks; absent if nothing is left.
fn joined<'a>(
    pieces: impl IntoIterator<Item = &'a Piece<'a>>,
    text: impl Fn(&Part<'a>) -> Option<String>,
) -> Option<String> {
    let texts = pieces.into_iter().filter_map(|piece| text(&piece.part)).filter(|text| !text.is_empty());
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

fn results(caps: &Caps, pieces: &[Piece]) -> Vec<Message> {
    let results = pieces.iter().filter_map(|piece| match &piece.part {
        Part::Result { id, name, json, is_error, .. } => Some((id.clone(), name.as_ref(), result(json, *is_error))),
        Part::Text { .. } | Part::Thinking { .. } | Part::Redacted { .. } | Part::Call { .. } | Part::Item { .. } => {
            None
        }
    });
    if caps.native_tools {
        let message = |(tool_call_id, name, json): (_, &str, _)| {
            let tool_name = Some(name.to_owned());
            Message { tool_call_id, tool_name, ..Message::text("tool", json) }
        };
        return results.map(message).collect();
    }
    let printed: Vec<String> = results.map(|(_, _, json)| markup::result(&json)).collect();
    if printed.is_empty() { Vec::new() } else { vec![Message::text("user", printed.join("\n"))] }
}

/// The wire has no field that says a result is an error.
fn result(json: &str, is_error: bool) -> String {
    let says_so = || serde_json::from_str::<Value>(json).is_ok_and(|value| value.get("error").is_some());
    if !is_error || says_so() { json.to_owned() } else { format!(r#"{{"error":{json}}}"#) }
}

fn said(caps: &Caps, pieces: &[Piece], is_thinking_back: bool) -> Option<Message> {
    let content = joined(pieces, |part| match part {
        Part::Text { text, .. } => Some((*text).to_owned()),
        Part::Call { name, args_raw, .. } if !caps.native_tools => Some(markup::call(name, object(args_raw))),
        Part::Call { .. } | Part::Thinking { .. } | Part::Redacted { .. } | Part::Result { .. } | Part::Item { .. } => {
            None
        }
    });
    let calls = pieces.iter().filter_map(|piece| match &piece.part {
        Part::Call { id, name, args_raw, sig, .. } => Some(Call {
            id: id.clone(),
            r#type: "function",
            function: Function { name: name.clone().into_owned(), arguments: object(args_raw).to_owned() },
            extra_content: sig.and_then(|sig| serde_json::from_str(sig).ok()),
        }),
        Part::Text { .. } | Part::Thinking { .. } | Part::Redacted { .. } | Part::Result { .. } | Part::Item { .. } => {
            None
        }
    });
    let tool_calls: Vec<Call> = if caps.native_tools { calls.collect() } else { Vec::new() };
    // Servers refuse an assistant's message with neither words nor calls.
    if content.is_none() && tool_calls.is_empty() {
        return None;
    }
    let thinking = joined(pieces, |part| match part {
        Part::Thinking { text, .. } => Some((*text).to_owned()),
        Part::Text { .. } | Part::Redacted { .. } | Part::Call { .. } | Part::Result { .. } | Part::Item { .. } => None,
    });
    let reasoning_content = thinking.filter(|_| is_thinking_back);
    let role = "assistant";
    Some(Message { role, tool_call_id: None, tool_name: None, content, reasoning_content, tool_calls })
}

/// Arguments that are no object were answered with an error; the server would refuse the whole request for them.
fn object(args_raw: &str) -> &str {
    if serde_json::from_str::<serde_json::Map<String, Value>>(args_raw).is_ok() { args_raw } else { "{}" }
}
