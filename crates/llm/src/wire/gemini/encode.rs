//! A request as generateContent takes it. Key order is the order of the fields here, so equal requests give equal bytes.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::schema;
use crate::wire::replay::{self, Part, Turn};
use crate::wire::{Arguments, check_tools};
use crate::{
    Auth, Caps, Effort, EncodeError, HttpRequest, Request, Schema, Speaker, Thinking, ThinkingWish, ToolChoice,
    ToolDecl,
};

/// Stands for the signature of a call that another model made.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";
/// Budgets that stand for an effort, tokens.
const BUDGET_LOW: u32 = 1_024;
const BUDGET_MEDIUM: u32 = 8_192;
const BUDGET_HIGH: u32 = 24_576;
/// The least a model takes whose thinking cannot be off, tokens.
const BUDGET_LEAST: u32 = 128;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    contents: Vec<Content<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<Instruction<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tools<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_config: Option<ToolConfig<'a>>,
    generation_config: GenerationConfig,
}

#[derive(Serialize)]
struct Content<'a> {
    role: &'static str,
    parts: Vec<PartField<'a>>,
}

#[derive(Serialize)]
struct Instruction<'a> {
    parts: Vec<PartField<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum PartField<'a> {
    #[serde(rename_all = "camelCase")]
    Text {
        text: &'a str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        thought: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        thought_signature: Option<&'a str>,
    },
    #[serde(rename_all = "camelCase")]
    Call {
        function_call: FunctionCall<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        thought_signature: Option<&'a str>,
    },
    #[serde(rename_all = "camelCase")]
    Result {
        function_response: FunctionResponse<'a>,
    },
    Item(&'a Value),
}

#[derive(Serialize)]
struct FunctionCall<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    name: Cow<'a, str>,
    args: Arguments<'a>,
}

#[derive(Serialize)]
struct FunctionResponse<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    name: Cow<'a, str>,
    response: Response<'a>,
}

/// An object: the result's own, or one around what is none or failed.
#[derive(Serialize)]
#[serde(untagged)]
enum Response<'a> {
    Own(&'a RawValue),
    Failed { error: &'a RawValue },
    FailedWords { error: &'a str },
    Value { result: &'a RawValue },
    Words { result: &'a str },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tools<'a> {
    function_declarations: Vec<Declaration<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Declaration<'a> {
    name: &'a str,
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters_json_schema: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolConfig<'a> {
    function_calling_config: FunctionCallingConfig<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FunctionCallingConfig<'a> {
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed_function_names: Option<[&'a str; 1]>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfig {
    max_output_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_config: Option<ThinkingConfig>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct ThinkingConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_level: Option<Effort>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_budget: Option<u32>,
    include_thoughts: bool,
}

/// The request.
pub(super) fn encode(caps: &Caps, request: &Request) -> Result<HttpRequest, EncodeError> {
    check_tools(caps, request)?;
    let request = &*replay::repaired(request, caps);
    let contents: Vec<Content> = replay::turns(request, caps, can_say).iter().map(|turn| content(caps, turn)).collect();
    if contents.is_empty() {
        return Err(EncodeError::Empty);
    }
    let system: Vec<PartField> =
        request.system.iter().filter(|text| !text.is_empty()).map(|text| words(text)).collect();
    let declarations: Vec<Declaration> = request.tools.iter().map(|tool| declaration(caps, tool)).collect();
    let body = Body {
        contents,
        system_instruction: (!system.is_empty()).then_some(Instruction { parts: system }),
        // Without a declaration there is nothing to choose from.
        tool_config: if declarations.is_empty() { None } else { tool_config(&request.choice) },
        tools: if declarations.is_empty() { Vec::new() } else { vec![Tools { function_declarations: declarations }] },
        generation_config: GenerationConfig {
            max_output_tokens: request.output_max.min(caps.output_max),
            temperature: request.sampling.filter(|_| caps.sampling).map(|sampling| sampling.temperature),
            thinking_config: thinking(caps, request.thinking),
        },
    };
    // Tuned models stand under a path of their own, which their name then holds.
    let name = if caps.name.contains('/') { caps.name.clone() } else { format!("models/{}", caps.name) };
    Ok(HttpRequest {
        path: format!("/v1beta/{name}:streamGenerateContent?alt=sse"),
        headers: vec![("content-type", "application/json".to_owned())],
        auth: Auth::Header("x-goog-api-key"),
        body: serde_json::to_vec(&body).map_err(|error| EncodeError::Unwritable { why: error.to_string() })?,
    })
}

/// A signature makes even an empty part worth sending: it proves the part at its place.
fn can_say(part: &Part) -> bool {
    match part {
        Part::Text { text, sig } | Part::Thinking { text, sig } => !text.is_empty() || sig.is_some(),
        Part::Call { .. } | Part::Result { .. } | Part::Item { .. } => true,
        Part::Redacted { .. } => false,
    }
}

fn content<'a>(caps: &Caps, turn: &Turn<'a>) -> Content<'a> {
    let role = match turn.speaker {
        Speaker::Assistant => "model",
        // The format knows two roles, and system text has a field of its own.
        Speaker::User | Speaker::System => "user",
    };
    // Models that think by level refuse a step whose first call has no signature.
    let mut unsigned = (caps.thinking == Thinking::Level).then_some(NO_SIGNATURE);
    let parts = turn.pieces.iter().filter_map(|piece| {
        Some(match &piece.part {
            Part::Text { text, sig } => PartField::Text { text, thought: false, thought_signature: *sig },
            Part::Thinking { text, sig } => PartField::Text { text, thought: true, thought_signature: *sig },
            Part::Call { id, name, args_raw, sig, .. } => {
                let function_call = FunctionCall { id: id.clone(), name: name.clone(), args: Arguments::of(args_raw) };
                PartField::Call { function_call, thought_signature: sig.or(unsigned.take()) }
            }
            Part::Result { id, name, json, is_error, .. } => {
                let response = response(json, *is_error);
                PartField::Result {
                    function_response: FunctionResponse { id: id.clone(), name: name.clone(), response },
                }
            }
            Part::Item { raw } => PartField::Item(raw),
            Part::Redacted { .. } => return None,
        })
    });
    Content { role, parts: parts.collect() }
}

const fn words(text: &str) -> PartField<'_> {
    PartField::Text { text, thought: false, thought_signature: None }
}

fn response(json: &str, is_error: bool) -> Response<'_> {
    let object = serde_json::from_str::<serde_json::Map<String, Value>>(json).ok();
    let raw: Option<&RawValue> = serde_json::from_str(json).ok();
    match (raw, object, is_error) {
        // The format has no mark for a failed call, so the result itself has to say it.
        (Some(raw), Some(object), true) if !object.contains_key("error") => Response::Failed { error: raw },
        (Some(raw), Some(_), _) => Response::Own(raw),
        (Some(raw), None, true) => Response::Failed { error: raw },
        (Some(raw), None, false) => Response::Value { result: raw },
        (None, _, true) => Response::FailedWords { error: json },
        (None, _, false) => Response::Words { result: json },
    }
}

fn declaration<'a>(caps: &Caps, tool: &'a ToolDecl) -> Declaration<'a> {
    let (parameters_json_schema, parameters) = match caps.schema {
        Schema::Full => (Some(&tool.input_schema), None),
        Schema::OpenApiSubset => (None, schema::subset(&tool.input_schema)),
    };
    Declaration { name: &tool.name, description: &tool.description, parameters_json_schema, parameters }
}

fn tool_config(choice: &ToolChoice) -> Option<ToolConfig<'_>> {
    let (mode, allowed_function_names) = match choice {
        ToolChoice::Auto => return None,
        ToolChoice::None => ("NONE", None),
        ToolChoice::Required => ("ANY", None),
        ToolChoice::Named(name) => ("ANY", Some([name.as_str()])),
    };
    Some(ToolConfig { function_calling_config: FunctionCallingConfig { mode, allowed_function_names } })
}

fn thinking(caps: &Caps, wish: ThinkingWish) -> Option<ThinkingConfig> {
    let own = ThinkingConfig { include_thoughts: true, ..ThinkingConfig::default() };
    let by_level = match caps.thinking {
        Thinking::No => return None,
        Thinking::Budget => false,
        Thinking::Level | Thinking::Effort | Thinking::Adaptive => true,
    };
    let budget = |effort| match effort {
        Effort::Low => BUDGET_LOW,
        Effort::Medium => BUDGET_MEDIUM,
        Effort::High => BUDGET_HIGH,
    };
    let (level, tokens) = match wish {
        ThinkingWish::Own => return Some(own),
        ThinkingWish::Off if caps.thinking_off.is_some() => {
            return Some(ThinkingConfig { thinking_budget: Some(0), ..ThinkingConfig::default() });
        }
        // Thinking that cannot be switched off is asked for in the least amount.
        ThinkingWish::Off => (Effort::Low, BUDGET_LEAST),
        ThinkingWish::Effort(effort) => (effort, budget(effort)),
        ThinkingWish::Budget(tokens @ ..=BUDGET_LOW) => (Effort::Low, tokens),
        ThinkingWish::Budget(tokens @ ..=BUDGET_MEDIUM) => (Effort::Medium, tokens),
        ThinkingWish::Budget(tokens) => (Effort::High, tokens),
    };
    Some(if by_level {
        ThinkingConfig { thinking_level: Some(level), ..own }
    } else {
        ThinkingConfig { thinking_budget: Some(tokens), ..own }
    })
}
