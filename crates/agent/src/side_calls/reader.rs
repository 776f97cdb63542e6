//! Long untrusted text, read by a call of a model that has no tools and no conversation: all that it can do is fill in
//! a form. A form without free text gives numbers, yes or no, and words that the form itself declares, whatever the
//! text has talked the model into.

use std::collections::BTreeSet;
use std::sync::Arc;

use llm::{Block, Caps, Reply, ReplyBlock, Request, ToolChoice, ToolDecl};
use robot::{ConversationId, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value, json};

use crate::context::context_relief::window;
use crate::side_calls::side::SideCall;
use crate::untrusted::sanitise::sanitised;
use crate::untrusted::taint::quotes_untrusted;
use crate::{Policy, QuoteKey, Transcript};

const SYSTEM: &str = include_str!("../prompts/reader.md");
/// The only tool of the call.
const ANSWER: &str = "answer";
/// Fields of a form.
const FIELDS_MAX: usize = 16;
/// Characters of a field's name.
const NAME_CHARS_MAX: usize = 32;
/// Characters of a question.
const QUESTION_CHARS_MAX: usize = 300;
/// Words to choose from.
const CHOICES_MAX: usize = 16;
/// Characters of such a word.
const CHOICE_CHARS_MAX: usize = 40;
/// Characters of an answer in free text.
const TEXT_CHARS_MAX: usize = 500;
/// Tokens of the reply: every field filled in to the brim, and a model that thinks first.
const OUTPUT_TOKENS: u32 = 4_096;
/// Tokens of system text and declarations around the form.
const FRAME_TOKENS: u64 = 500;
/// A token stands for at least about so many bytes in any script.
const BYTES_PER_TOKEN: u64 = 3;
/// Least bytes of text that a call gets, however small its window seems.
const TEXT_BYTES_MIN: usize = 1_024;
/// Most bytes of it: what a call may cost stays within reason.
const TEXT_BYTES_MAX: usize = 256 * 1_024;
/// Bytes of a line of the text: a quoted one may have 2,048.
const LINE_BYTES: usize = 1_800;
/// Bytes of a quoted block: one may have 65,536, and marks that are escaped take more than they did.
const BLOCK_BYTES: usize = 48 * 1_024;

/// Kind of a field's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// A number.
    Number,
    /// Yes or no.
    Boolean,
    /// One of the field's choices.
    Choice,
    /// Words of the text. With them the answer is no more trusted than the text.
    Text,
}

/// A question to a text, and the form of its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// At most 32 small letters, digits and `_`, a letter first.
    pub name: String,
    /// Kind of its content.
    pub kind: FieldKind,
    /// For a choice, the 1 to 16 words of which one may stand in it, of at most 40 characters each.
    #[serde(default)]
    pub choices: Vec<String>,
    /// Question to the text, at most 300 characters.
    pub question: String,
}

/// A refusal of a form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// The number of its fields.
    #[error("A form has 1 to {FIELDS_MAX} fields.")]
    Fields,
    /// The name of the field of this index.
    #[error("A field's name is 1 to {NAME_CHARS_MAX} small letters, digits and _, a letter first, and used once.")]
    Name(usize),
    /// The question of the field of this index.
    #[error("A question is 1 to {QUESTION_CHARS_MAX} characters.")]
    Question(usize),
    /// The choices of the field of this index.
    #[error(
        "A choice has 1 to {CHOICES_MAX} different words of 1 to {CHOICE_CHARS_MAX} printed characters; \
         other fields have none."
    )]
    Choices(usize),
}

impl FormError {
    /// Path of the faulty part, for example `fields[2].name`.
    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Self::Fields => "fields".to_owned(),
            Self::Name(index) => format!("fields[{index}].name"),
            Self::Question(index) => format!("fields[{index}].question"),
            Self::Choices(index) => format!("fields[{index}].choices"),
        }
    }
}

/// A form that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form(Vec<Field>);

/// Context for reading a text.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// The conversation that asks.
    pub session: &'a ConversationId,
    /// Capabilities of the reading model.
    pub caps: &'a Caps,
    /// The agent's settings.
    pub policy: &'a Policy,
    /// Key of the tags on the lines around the text.
    pub quote_key: &'a QuoteKey,
    /// The entry that asks.
    pub entry: u64,
    /// The last reply did not fit the form.
    pub again: bool,
}

impl Form {
    /// The form of these fields.
    pub fn new(fields: Vec<Field>) -> Result<Self, FormError> {
        if !(1..=FIELDS_MAX).contains(&fields.len()) {
            return Err(FormError::Fields);
        }
        let mut names = BTreeSet::new();
        for (index, field) in fields.iter().enumerate() {
            if !is_name(&field.name) || !names.insert(&field.name) {
                return Err(FormError::Name(index));
            }
            if field.question.trim().is_empty() || field.question.chars().count() > QUESTION_CHARS_MAX {
                return Err(FormError::Question(index));
            }
            if !field.has_choices_of_its_kind() {
                return Err(FormError::Choices(index));
            }
        }
        Ok(Self(fields))
    }

    /// Trust in an answer in this form, asked for in the conversation `transcript`. Names and choices stand in the
    /// answer: if they were copied from untrusted text, they are still that text.
    #[must_use]
    pub fn trust(&self, transcript: &Transcript) -> Trust {
        let has_free_text = self.0.iter().any(|field| field.kind == FieldKind::Text);
        let words = self.0.iter().flat_map(|field| std::iter::once(&field.name).chain(&field.choices));
        if has_free_text || quotes_untrusted(transcript, words.map(String::as_str)) {
            Trust::Text
        } else {
            Trust::Typed
        }
    }

    /// Bytes of text that the model can read besides this form.
    #[must_use]
    pub fn text_bytes_max(&self, policy: &Policy, caps: &Caps) -> usize {
        let window = window(policy, caps);
        let frame_tokens = FRAME_TOKENS + u64::from(output_tokens(policy, caps));
        // It stands in the question and in the declaration.
        let form_bytes = 2 * self.asked().len() as u64;
        let bytes = (window.saturating_sub(frame_tokens) * BYTES_PER_TOKEN).saturating_sub(form_bytes);
        usize::try_from(bytes).unwrap_or(usize::MAX).clamp(TEXT_BYTES_MIN, TEXT_BYTES_MAX)
    }

    /// Asks a model to read `text` and to fill this form in.
    #[must_use]
    pub fn request(&self, text: &str, reading: Reading) -> Request {
        let Reading { session, caps, policy, quote_key, entry, again } = reading;
        let hint =
            if again { "\nYour last answer did not fit the form. Call answer once, with these fields." } else { "" };
        let side = SideCall {
            session,
            caps,
            temperature: policy.sampling.judges,
            output_max: output_tokens(policy, caps),
            system: SYSTEM.trim_end().to_owned(),
            text: format!("Fill in about the text below:\n{}{hint}", self.asked()),
            trust: Trust::Trusted,
        };
        let mut request = Request {
            tools: Arc::new([self.declared()]),
            // The call has to be made, because words would have to be searched for an answer.
            choice: ToolChoice::Named(ANSWER.to_owned()),
            ..side.request()
        };
        // Between lines that the text cannot imitate, so that it cannot pose as the question.
        let quoted = blocks_of(text).into_iter().map(|part| {
            let text = quote_key.quoted(entry, "tool(read_output)", &part);
            Block::Text { text, trust: Trust::Text }
        });
        for message in &mut request.messages {
            message.blocks.extend(quoted.clone());
        }
        request
    }

    /// The answer of a reply: every field, null where the text does not say; nothing if the reply is anything else than
    /// this form filled in.
    #[must_use]
    pub fn read(&self, reply: &Reply) -> Option<Map<String, Value>> {
        let given: Map<String, Value> = serde_json::from_str(&filled_in(reply)?).ok()?;
        // A reply with other fields is not this form, so none of it is believed.
        if given.keys().any(|name| !self.0.iter().any(|field| field.name == *name)) {
            return None;
        }
        self.0.iter().map(|field| Some((field.name.clone(), field.value(given.get(&field.name))?))).collect()
    }

    /// One line a field.
    fn asked(&self) -> String {
        let line = |field: &Field| {
            let kind = match field.kind {
                FieldKind::Number => "a number".to_owned(),
                FieldKind::Boolean => "true or false".to_owned(),
                FieldKind::Choice => format!("one of {}", json!(field.choices)),
                FieldKind::Text => format!("at most {TEXT_CHARS_MAX} characters"),
            };
            format!("- {} ({kind}): {}", field.name, field.question)
        };
        self.0.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    fn declared(&self) -> ToolDecl {
        let properties = self.0.iter().map(|field| (field.name.clone(), field.schema())).collect::<Map<_, _>>();
        ToolDecl {
            name: ANSWER.to_owned(),
            description: "Fills in the form.".to_owned(),
            input_schema: json!({ "type": "object", "properties": properties, "additionalProperties": false }),
        }
    }
}

impl Field {
    fn has_choices_of_its_kind(&self) -> bool {
        match self.kind {
            FieldKind::Choice => {
                let different: BTreeSet<&String> = self.choices.iter().collect();
                (1..=CHOICES_MAX).contains(&self.choices.len())
                    && different.len() == self.choices.len()
                    && self.choices.iter().all(|choice| is_choice(choice))
            }
            FieldKind::Number | FieldKind::Boolean | FieldKind::Text => self.choices.is_empty(),
        }
    }

    fn schema(&self) -> Value {
        let description = &self.question;
        match self.kind {
            FieldKind::Number => json!({ "type": "number", "description": description }),
            FieldKind::Boolean => json!({ "type": "boolean", "description": description }),
            FieldKind::Choice => json!({ "type": "string", "enum": self.choices, "description": description }),
            FieldKind::Text => {
                json!({ "type": "string", "maxLength": TEXT_CHARS_MAX, "description": description })
            }
        }
    }

    /// Content of the field; none if it is not of the field's kind.
    fn value(&self, given: Option<&Value>) -> Option<Value> {
        match (self.kind, given) {
            // A model that had to answer every field would invent something (decision 0081).
            (_, None | Some(Value::Null)) => Some(Value::Null),
            (FieldKind::Number, Some(Value::Number(number))) => plain(number),
            (FieldKind::Boolean, Some(Value::Bool(_))) => given.cloned(),
            (FieldKind::Choice, Some(Value::String(word))) => given.filter(|_| self.choices.contains(word)).cloned(),
            (FieldKind::Text, Some(Value::String(text))) => {
                given.filter(|_| text.chars().count() <= TEXT_CHARS_MAX).cloned()
            }
            (FieldKind::Number | FieldKind::Boolean | FieldKind::Choice | FieldKind::Text, Some(_)) => None,
        }
    }
}

fn is_name(name: &str) -> bool {
    name.len() <= NAME_CHARS_MAX
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn is_choice(choice: &str) -> bool {
    // A choice that reads differently once sanitised is refused.
    (1..=CHOICE_CHARS_MAX).contains(&choice.chars().count()) && crate::untrusted::sanitise::name(choice) == choice
}

/// A finite number in its shortest form: one that is written otherwise could spell something.
fn plain(number: &Number) -> Option<Value> {
    let whole = number.as_i64().map(Value::from);
    whole.or_else(|| Number::from_f64(number.as_f64()?).map(Value::Number))
}

/// Content for the form from a reply: the arguments of its only call, or, from a model that calls nothing whatever it
/// is told, its only words.
fn filled_in(reply: &Reply) -> Option<String> {
    let calls: Vec<(&str, &str)> = reply.blocks.iter().filter_map(call).collect();
    match calls.as_slice() {
        [(ANSWER, args_raw)] => Some((*args_raw).to_owned()),
        [] => {
            let words = reply.blocks.iter().map(words).collect::<String>();
            let fenced = words.trim().strip_prefix("```json").and_then(|rest| rest.strip_suffix("```"));
            Some(fenced.unwrap_or(&words).to_owned())
        }
        [_, ..] => None,
    }
}

fn call(block: &ReplyBlock) -> Option<(&str, &str)> {
    match block {
        ReplyBlock::Call { name, args_raw, .. } => Some((name, args_raw)),
        ReplyBlock::Text(_) => None,
    }
}

fn words(block: &ReplyBlock) -> &str {
    match block {
        ReplyBlock::Text(text) => text,
        ReplyBlock::Call { .. } => "",
    }
}

/// No more than a quarter of a small window.
fn output_tokens(policy: &Policy, caps: &Caps) -> u32 {
    let quarter = u32::try_from(window(policy, caps) / 4).unwrap_or(u32::MAX);
    OUTPUT_TOKENS.min(quarter).min(caps.output_max)
}

/// The text in parts that can be quoted without a loss: tools write lines of any length.
fn blocks_of(text: &str) -> Vec<String> {
    let clean = sanitised(text);
    let mut blocks = vec![String::new()];
    for line in clean.lines().flat_map(short_lines) {
        match blocks.last_mut() {
            Some(block) if block.len() + line.len() < BLOCK_BYTES => {
                block.push_str(line);
                block.push('\n');
            }
            Some(_) | None => blocks.push(format!("{line}\n")),
        }
    }
    blocks
}

/// A line in pieces of [`LINE_BYTES`], cut behind a space where there is one.
fn short_lines(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let line = rest?;
        if line.len() <= LINE_BYTES {
            return rest.take();
        }
        let most = line.floor_char_boundary(LINE_BYTES);
        // A space in the first half is ignored, or a line with few of them would become many short pieces.
        let space = line[..most].rfind(' ').filter(|at| *at > most / 2);
        let (piece, left) = line.split_at(space.map_or(most, |at| at + 1));
        rest = Some(left);
        Some(piece)
    })
}

#[cfg(test)]
mod tests;
