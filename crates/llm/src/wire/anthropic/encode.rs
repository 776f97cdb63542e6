//! A request as Anthropic Messages takes it. Key order is the order of the fields here, so equal requests give equal
//! bytes.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use super::wishes::{OutputConfig, ThinkingField, ThinkingFields, ToolChoiceField, output_max, tool_choice};
use crate::wire::marks::{self, Spot};
use crate::wire::replay::{self, Part, Piece, Turn};
use crate::wire::{Arguments, check_tools};
use crate::{Auth, Cache, Caps, EncodeError, HttpRequest, Marks, Request, Speaker, ToolDecl};

/// The beta that lets the provider drop thinking that no longer fits.
const BETA_BINDING: &str = "thinking-binding-controls-2026-08-01";

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Content<'a>>,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<ToolChoiceField<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<ThinkingField>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    stream: bool,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Vec<Content<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clear_at: Option<&'static str>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Value,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Content<'a> {
    Text {
        text: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
    Thinking {
        thinking: &'a str,
        signature: &'a str,
    },
    RedactedThinking {
        data: &'a str,
    },
    ToolUse {
        id: String,
        name: Cow<'a, str>,
        input: Arguments<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
    ToolResult {
        tool_use_id: String,
        content: &'a str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
}

/// A cache mark of five minutes.
#[derive(Clone, Copy, Serialize)]
struct CacheControl {
    #[serde(rename = "type")]
    kind: &'static str,
}

const MARK: CacheControl = CacheControl { kind: "ephemeral" };

/// The request and where its marks stand.
pub(super) fn encode(caps: &Caps, request: &Request, before: &Marks) -> Result<(HttpRequest, Marks), EncodeError> {
    check_tools(caps, request)?;
    let request = &*replay::repaired(request, caps);
    let wishes = ThinkingFields::of(caps, request);
    let mut turns = replay::turns(request, caps, can_say);
    // Such a model drops its earlier thinking when words stand beside results.
    if caps.results_alone && wishes.is_on() {
        leave_results_alone(&mut turns);
    }
    if turns.is_empty() {
        return Err(EncodeError::Empty);
    }
    let mut messages: Vec<Message> = turns.iter().map(|turn| message(caps, turn)).collect();
    let mut system: Vec<Content> =
        request.system.iter().filter(|text| has_words(text)).map(|text| words(text)).collect();
    let marks = match caps.cache {
        Cache::Marks { max, .. } => {
            // A request may have only so many marks, and the one on the system text is one of them.
            let left = usize::from(max) - usize::from(max > 0 && mark_system(request, &mut system));
            mark_messages(request, &turns, &mut messages, left, before)
        }
        Cache::None | Cache::Implicit { .. } | Cache::LocalKv => *before,
    };
    let body = Body {
        model: &caps.name,
        max_tokens: output_max(caps, request),
        system,
        messages,
        tools: request.tools.iter().map(tool).collect(),
        tool_choice: tool_choice(caps, request, &wishes),
        thinking: wishes.thinking,
        output_config: wishes.output_config,
        // The provider refuses sampling parameters while thinking is on.
        temperature: request.sampling.filter(|_| caps.sampling && !wishes.is_on()).map(|sampling| sampling.temperature),
        stream: true,
    };
    let mut headers =
        vec![("anthropic-version", "2023-06-01".to_owned()), ("content-type", "application/json".to_owned())];
    // The server takes the field only together with this header.
    if wishes.binds() {
        headers.push(("anthropic-beta", BETA_BINDING.to_owned()));
    }
    let body = serde_json::to_vec(&body).map_err(|error| EncodeError::Unwritable { why: error.to_string() })?;
    Ok((HttpRequest { path: "/v1/messages".to_owned(), headers, auth: Auth::Header("x-api-key"), body }, marks))
}

fn can_say(part: &Part) -> bool {
    match part {
        Part::Text { text, .. } => has_words(text),
        Part::Thinking { sig, .. } => sig.is_some(),
        Part::Redacted { .. } | Part::Call { .. } | Part::Result { .. } => true,
        Part::Item { .. } => false,
    }
}

/// Text of white space only is refused.
fn has_words(text: &str) -> bool {
    !text.trim().is_empty()
}

/// Leaves out nudges beside results: they come again with the next call.
fn leave_results_alone(turns: &mut [Turn]) {
    for turn in turns {
        if turn.pieces.iter().any(|piece| matches!(piece.part, Part::Result { .. })) {
            turn.pieces.retain(|piece| !piece.transient || matches!(piece.part, Part::Result { .. }));
        }
    }
}

fn message<'a>(caps: &Caps, turn: &Turn<'a>) -> Message<'a> {
    let role = match turn.speaker {
        Speaker::System => "system",
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
    };
    let for_a_turn =
        caps.system_clear && turn.speaker == Speaker::System && turn.pieces.iter().all(|piece| piece.transient);
    let content = turn.pieces.iter().filter_map(|piece| content(&piece.part)).collect();
    Message { role, content, clear_at: for_a_turn.then_some("next_user_message") }
}

fn content<'a>(part: &Part<'a>) -> Option<Content<'a>> {
    Some(match part {
        Part::Text { text, .. } => words(text),
        Part::Thinking { text, sig } => Content::Thinking { thinking: text, signature: sig.as_ref()? },
        Part::Redacted { data } => Content::RedactedThinking { data },
        Part::Call { id, name, args_raw, .. } => Content::ToolUse {
            id: id.clone()?,
            name: name.clone(),
            input: Arguments::of(args_raw),
            cache_control: None,
        },
        Part::Result { id, json, is_error, .. } => {
            Content::ToolResult { tool_use_id: id.clone()?, content: json, is_error: *is_error, cache_control: None }
        }
        Part::Item { .. } => return None,
    })
}

const fn words(text: &str) -> Content<'_> {
    Content::Text { text, cache_control: None }
}

fn tool(tool: &ToolDecl) -> Tool<'_> {
    Tool { name: &tool.name, description: &tool.description, input_schema: &tool.input_schema }
}

/// Puts a mark at the end of the system text, if the request wants one there and there is a text.
fn mark_system(request: &Request, system: &mut [Content]) -> bool {
    match system.last_mut().filter(|_| request.marks.system) {
        Some(Content::Text { cache_control, .. }) => {
            *cache_control = Some(MARK);
            true
        }
        _ => false,
    }
}

/// Puts `left` marks at most into the messages, where they belong, and says what to remember of them.
fn mark_messages(request: &Request, turns: &[Turn], messages: &mut [Message], left: usize, before: &Marks) -> Marks {
    if !request.marks.messages {
        return *before;
    }
    let spots: Vec<Vec<Spot>> =
        turns.iter().map(|turn| turn.pieces.iter().map(|piece| spot(turn, piece)).collect()).collect();
    let placed = marks::place(&spots, request.marks.transient, request.epoch, before);
    // If there are too few, the newest matter most: they save the longest prefix.
    for (message, block) in placed.places.into_iter().rev().take(left) {
        match &mut messages[message].content[block] {
            Content::Text { cache_control, .. }
            | Content::ToolUse { cache_control, .. }
            | Content::ToolResult { cache_control, .. } => *cache_control = Some(MARK),
            Content::Thinking { .. } | Content::RedactedThinking { .. } => {}
        }
    }
    placed.marks
}

fn spot(turn: &Turn, piece: &Piece) -> Spot {
    let on_part = match piece.part {
        Part::Text { .. } | Part::Call { .. } | Part::Result { .. } => true,
        Part::Thinking { .. } | Part::Redacted { .. } | Part::Item { .. } => false,
    };
    Spot { key: piece.key, eligible: on_part && turn.speaker != Speaker::System, transient: piece.transient }
}
