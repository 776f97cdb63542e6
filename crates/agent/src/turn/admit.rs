//! Which calls of a reply may run: known tool, legal arguments, permission, repeats, and the bound on a reply.

use llm::CallId;
use robot::Effect;
use serde_json::{Map, Value};

use crate::{Mode, Permission, Policy, Stops, ToolCall, ToolOutcome, ToolSpec, permission};

/// Names offered for a tool that does not exist.
const NEAREST_MAX: usize = 3;

/// A call as the model wrote it.
#[derive(Debug, Clone)]
pub(super) struct RawCall {
    pub id: CallId,
    pub name: String,
    pub args_raw: String,
}

/// A call that may run, or ask.
#[derive(Debug, Clone)]
pub(super) struct Admitted {
    pub call: ToolCall,
    pub stops: Stops,
    pub asks: bool,
}

/// The same call again and again: how often in a row, over the whole turn.
#[derive(Debug, Clone, Default)]
pub(super) struct Streak {
    last: Option<(String, String)>,
    length: u32,
}

impl Streak {
    fn count(&mut self, raw: &RawCall) -> u32 {
        let this = (raw.name.clone(), raw.args_raw.clone());
        self.length = if self.last.as_ref() == Some(&this) { self.length.saturating_add(1) } else { 1 };
        self.last = Some(this);
        self.length
    }
}

/// What a call is checked against.
pub(super) struct Gatekeeper<'a> {
    pub tools: &'a [ToolSpec],
    pub policy: &'a Policy,
    pub mode: Mode,
}

impl Gatekeeper<'_> {
    /// Decides on call number `index` of a reply. A refused call gets its result without running.
    pub fn admit(&self, raw: &RawCall, index: usize, streak: &mut Streak) -> Result<Admitted, ToolOutcome> {
        let Some(spec) = self.tools.iter().find(|spec| spec.name == raw.name) else {
            return Err(unknown_tool(self.tools, &raw.name));
        };
        let args = parse_args(&spec.input_schema, &raw.args_raw)
            .map_err(|message| ToolOutcome::error("invalid_arguments", &message))?;
        let repeats = streak.count(raw);
        if spec.stops == Stops::No {
            let reply_calls = self.policy.budget.reply_calls;
            if u32::try_from(index).is_ok_and(|index| index >= reply_calls) {
                let message = format!("not run: a reply may hold {reply_calls} calls");
                return Err(ToolOutcome::error("too_many_calls", &message));
            }
            if repeats >= self.policy.tools.repeat.block {
                let message = format!("not run: the same call {repeats} times in a row gives the same answer");
                return Err(ToolOutcome::error("repeated_call", &message));
            }
        }
        let asks = match permission(self.mode, spec.effect, spec.stops) {
            Permission::Allow => false,
            Permission::Ask => true,
            Permission::Deny => return Err(forbidden(self.mode, spec)),
        };
        let call = ToolCall { id: raw.id.clone(), name: raw.name.clone(), args, effect: spec.effect };
        Ok(Admitted { call, stops: spec.stops, asks })
    }

    /// Whether a call of that name moves something, stops included.
    pub fn actuates(&self, name: &str) -> bool {
        self.tools.iter().any(|spec| spec.name == name && actuates(spec.effect))
    }
}

/// Whether an effect is one that must be on disk before it happens and that nothing may run beside.
pub(super) const fn actuates(effect: Effect) -> bool {
    match effect {
        Effect::Actuate | Effect::Irreversible => true,
        Effect::Read | Effect::Write => false,
    }
}

fn forbidden(mode: Mode, spec: &ToolSpec) -> ToolOutcome {
    let message = format!("not run: the mode is \"{}\", and {} changes something", mode.label(), spec.name);
    ToolOutcome::error("mode_forbids", &message)
}

fn unknown_tool(tools: &[ToolSpec], name: &str) -> ToolOutcome {
    let mut nearest: Vec<&str> = tools.iter().map(|spec| spec.name.as_str()).collect();
    nearest.sort_by_key(|known| strsim::damerau_levenshtein(known, name));
    nearest.truncate(NEAREST_MAX);
    ToolOutcome::error("unknown_tool", &format!("there is no tool {name:?}; nearest: {}", nearest.join(", ")))
}

/// Reads arguments and checks their outline: an object, no unknown field, none missing, each of its type.
/// What is inside a field is the operation's to check.
fn parse_args(schema: &Value, args_raw: &str) -> Result<Value, String> {
    let args_raw = if args_raw.trim().is_empty() { "{}" } else { args_raw };
    let args: Map<String, Value> =
        serde_json::from_str(args_raw).map_err(|error| format!("the arguments are no JSON object: {error}"))?;
    let no_fields = Map::new();
    let fields = schema.get("properties").and_then(Value::as_object).unwrap_or(&no_fields);
    let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if let Some(missing) = required.iter().filter_map(Value::as_str).find(|name| !args.contains_key(*name)) {
        return Err(format!("{missing}: missing"));
    }
    // A schema that lists no fields, such as a choice of forms, leaves them to the operation.
    let is_listed = !fields.is_empty() || schema.get("additionalProperties") == Some(&Value::Bool(false));
    for (name, value) in args.iter().filter(|_| is_listed) {
        let Some(field) = fields.get(name) else {
            let known: Vec<&str> = fields.keys().map(String::as_str).collect();
            return Err(format!("{name}: unknown, expected one of: {}", known.join(", ")));
        };
        check_type(field, value).map_err(|expected| format!("{name}: expected {expected}"))?;
    }
    Ok(Value::Object(args))
}

fn check_type(schema: &Value, value: &Value) -> Result<(), String> {
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        Some(_) | None => return Ok(()),
    };
    let fits = |expected: &&str| match *expected {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        _ => true,
    };
    if types.iter().any(fits) { Ok(()) } else { Err(types.join(" or ")) }
}
