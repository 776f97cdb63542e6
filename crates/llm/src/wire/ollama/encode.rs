//! A request in Ollama's own form.

use serde::Serialize;

use crate::wire::chat::{Message, Tool, messages};
use crate::wire::{Arguments, check_tools};
use crate::{Caps, Effort, EncodeError, Request, Thinking, ThinkingOff, ThinkingWish, ToolChoice};

/// The request's body, messages last.
pub(super) fn body(caps: &Caps, request: &Request) -> Result<Vec<u8>, EncodeError> {
    if request.messages.is_empty() {
        return Err(EncodeError::Empty);
    }
    check_tools(caps, request)?;
    let messages = messages(caps, request);
    // There is no field that keeps it from calling; without tools it cannot.
    let has_tools = caps.native_tools && request.choice != ToolChoice::None;
    let body = Body {
        model: &caps.name,
        stream: true,
        think: think(caps, request.thinking),
        options: Options {
            // Ollama cuts a prompt silently to its own default window unless the request names one.
            num_ctx: caps.window,
            num_predict: request.output_max.min(caps.output_max),
            temperature: request.sampling.filter(|_| caps.sampling).map(|sampling| sampling.temperature),
        },
        tools: if has_tools { request.tools.iter().map(Tool::new).collect() } else { Vec::new() },
        messages: messages.iter().map(said).collect(),
    };
    serde_json::to_vec(&body).map_err(|error| EncodeError::Unwritable { why: error.to_string() })
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    think: Option<Think>,
    options: Options,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    messages: Vec<ChatMessage<'a>>,
}

#[derive(Serialize)]
struct Options {
    num_ctx: u32,
    num_predict: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Think {
    Switch(bool),
    Effort(&'static str),
}

#[derive(Serialize)]
struct ChatMessage<'a> {
    role: &'a str,
    content: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Called<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
}

#[derive(Serialize)]
struct Called<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    arguments: Arguments<'a>,
}

fn said(message: &Message) -> ChatMessage<'_> {
    let called = message.tool_calls.iter().map(|call| {
        let function = Function { name: &call.function.name, arguments: Arguments::of(&call.function.arguments) };
        Called { id: call.id.as_deref(), function }
    });
    ChatMessage {
        role: message.role,
        content: message.content.as_deref().unwrap_or_default(),
        thinking: message.reasoning_content.as_deref(),
        tool_calls: called.collect(),
        tool_name: message.tool_name.as_deref(),
        tool_call_id: message.tool_call_id.as_deref(),
    }
}

fn think(caps: &Caps, wish: ThinkingWish) -> Option<Think> {
    match wish {
        _ if caps.thinking == Thinking::No => None,
        ThinkingWish::Own | ThinkingWish::Budget(_) => None,
        ThinkingWish::Off if caps.thinking_off == Some(ThinkingOff::Disabled) => Some(Think::Switch(false)),
        _ if caps.thinking != Thinking::Effort => Some(Think::Switch(true)),
        ThinkingWish::Off | ThinkingWish::Effort(Effort::Low) => Some(Think::Effort("low")),
        ThinkingWish::Effort(Effort::Medium) => Some(Think::Effort("medium")),
        ThinkingWish::Effort(Effort::High) => Some(Think::Effort("high")),
    }
}
