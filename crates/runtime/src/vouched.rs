//! The trust of an operation's answer, read off its type. A text in it is the station's own only where the type says
//! so: a word of a closed set is one by itself; a field or a type is marked `x-vouched` in its schema; a field whose
//! row has a trust of its own is marked `x-vouched-by` with the name of that trust. Whatever is not marked is untrusted
//! text, and so is a type that is marked `x-vouched: false`, wherever it stands: a name that anybody may have chosen
//! does not become ours by standing in something of ours.

use robot::Trust;
use schemars::JsonSchema;
use serde_json::{Map, Value};

/// Marks a field or a type all of whose text is the station's own; or, if false, a type whose text never is.
const VOUCHED: &str = "x-vouched";
/// Marks a field whose text is as good as the field of this name beside it says.
const VOUCHED_BY: &str = "x-vouched-by";
/// A schema that goes deeper than this describes no answer of ours.
const DEPTH_MAX: usize = 64;

/// The trust of `answer`, of the type that `schema` describes, if the best its operation gives is `best`.
pub fn trust(best: Trust, answer: &Value, schema: &Value) -> Trust {
    let walk = Walk { root: schema };
    if walk.is_vouched(answer, &[schema], false, 0) { best } else { Trust::Text }
}

/// The same for an answer that is at hand as its type.
pub fn trust_as<T: JsonSchema>(best: Trust, answer: &Value) -> Trust {
    trust(best, answer, &schemars::schema_for!(T).to_value())
}

struct Walk<'a> {
    root: &'a Value,
}

impl<'a> Walk<'a> {
    /// True if every text in `value`, which all of `nodes` describe, is vouched for.
    fn is_vouched(&self, value: &Value, nodes: &[&'a Value], inherited: bool, depth: usize) -> bool {
        // A text too deep to be followed is not vouched for.
        if depth > DEPTH_MAX {
            return false;
        }
        let nodes = self.reached(nodes, value);
        let says = |is_ours: bool| nodes.iter().any(|node| node.get(VOUCHED) == Some(&Value::Bool(is_ours)));
        let is_marked = (inherited || says(true)) && !says(false);
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => true,
            // An empty text cannot quote a stranger.
            Value::String(text) => is_marked || text.is_empty() || is_of_closed_set(text, &nodes),
            Value::Array(items) => items.iter().enumerate().all(|(at, item)| {
                let of_item: Vec<&Value> = nodes.iter().filter_map(|node| item_schema(node, at)).collect();
                self.is_vouched(item, &of_item, is_marked, depth + 1)
            }),
            Value::Object(fields) => fields.iter().all(|(name, field)| {
                let declared: Vec<&Value> = nodes.iter().filter_map(|node| node.get("properties")?.get(name)).collect();
                // The name of a field that no schema declares is text like any other.
                let is_named = is_marked || !declared.is_empty();
                let others = || nodes.iter().filter_map(|node| node.get("additionalProperties")).collect();
                let of_field = if declared.is_empty() { others() } else { declared };
                let is_covered = is_marked || of_field.iter().any(|node| is_believed(node, fields));
                is_named && self.is_vouched(field, &of_field, is_covered, depth + 1)
            }),
        }
    }

    /// `nodes` with what they refer to and those of their alternatives that `value` can be.
    fn reached(&self, nodes: &[&'a Value], value: &Value) -> Vec<&'a Value> {
        let (mut reached, mut waiting): (Vec<&'a Value>, _) = (Vec::new(), nodes.to_vec());
        while let Some(node) = waiting.pop() {
            // Schemas may refer to one another in a circle.
            if reached.len() > DEPTH_MAX || reached.iter().any(|known| std::ptr::eq(*known, node)) {
                continue;
            }
            reached.push(node);
            waiting.extend(node["$ref"].as_str().and_then(|reference| self.definition(reference)));
            waiting.extend(node["allOf"].as_array().into_iter().flatten());
            let alternatives = ["anyOf", "oneOf"].into_iter().filter_map(|word| node[word].as_array()).flatten();
            waiting.extend(alternatives.filter(|node| self.can_be(node, value, 0)));
        }
        reached
    }

    fn definition(&self, reference: &str) -> Option<&'a Value> {
        self.root.pointer(reference.strip_prefix('#')?)
    }

    /// True if the alternative `node` can describe `value`, as far as its outermost words tell.
    fn can_be(&self, node: &Value, value: &Value, depth: usize) -> bool {
        if depth > DEPTH_MAX {
            return true;
        }
        if let Some(target) = node["$ref"].as_str().and_then(|reference| self.definition(reference))
            && !self.can_be(target, value, depth + 1)
        {
            return false;
        }
        let is_const = node.get("const").is_none_or(|only| only == value);
        let is_listed = node["enum"].as_array().is_none_or(|words| words.contains(value));
        let is_of_type = match &node["type"] {
            Value::String(name) => is_of_type(value, name),
            Value::Array(names) => names.iter().filter_map(Value::as_str).any(|name| is_of_type(value, name)),
            // An alternative that names no type rules nothing out.
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => true,
        };
        is_const
            && is_listed
            && is_of_type
            && value.as_object().is_none_or(|fields| self.has_fields(node, fields, depth))
    }

    fn has_fields(&self, node: &Value, fields: &Map<String, Value>, depth: usize) -> bool {
        let required = node["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let has_required = required.into_iter().all(|name| fields.contains_key(name));
        let properties = node["properties"].as_object();
        has_required
            && properties.into_iter().flatten().all(|(name, of_field)| {
                fields
                    .get(name)
                    .is_none_or(|field| of_field.get("const").is_none() || self.can_be(of_field, field, depth + 1))
            })
    }
}

/// True if the row of `fields` says of itself that what `node` describes can be believed.
fn is_believed(node: &Value, fields: &Map<String, Value>) -> bool {
    let trust = node.get(VOUCHED_BY).and_then(Value::as_str).and_then(|name| fields.get(name));
    let trust = trust.and_then(|trust| serde_json::from_value::<Trust>(trust.clone()).ok());
    trust.is_some_and(|trust| trust != Trust::Text)
}

/// True if `text` is one of the words that its descriptions list, and none of them leaves open which text it is.
fn is_of_closed_set(text: &str, nodes: &[&Value]) -> bool {
    let lists = |node: &&&Value| {
        node.get("const").is_some_and(|only| only == text)
            || node["enum"].as_array().is_some_and(|words| words.iter().any(|word| word == text))
    };
    let is_open = |node: &&&Value| {
        let of_type = &node["type"];
        let names_text =
            of_type == "string" || of_type.as_array().is_some_and(|names| names.iter().any(|name| name == "string"));
        let says_nothing = node.as_bool() == Some(true) || node.as_object().is_some_and(Map::is_empty);
        (names_text || says_nothing) && !lists(node)
    };
    nodes.iter().any(|node| lists(&node)) && !nodes.iter().any(|node| is_open(&node))
}

fn item_schema(node: &Value, at: usize) -> Option<&Value> {
    node["prefixItems"].get(at).or_else(|| node.get("items"))
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(_) => name == "number" || name == "integer",
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use robot::MissionId;
    use serde::Serialize;
    use serde_json::json;

    use super::*;

    #[derive(Serialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Closed {
        One,
        /// The other one.
        Two,
    }

    #[derive(Serialize, JsonSchema)]
    #[serde(rename_all = "snake_case", tag = "type")]
    enum Tagged {
        Own {
            #[schemars(extend("x-vouched" = true))]
            words: String,
        },
        Open {
            words: String,
        },
    }

    #[derive(Serialize, JsonSchema)]
    struct Quoted {
        #[schemars(extend("x-vouched-by" = "trust"))]
        words: String,
        /// Chosen by somebody else than who answers for the words.
        sender: Option<String>,
        trust: Trust,
    }

    /// A row of ours in which a name stands that anybody may have chosen.
    #[derive(Serialize, JsonSchema)]
    #[schemars(extend("x-vouched" = true))]
    struct Own {
        words: String,
        mission: Option<MissionId>,
    }

    #[derive(Serialize, JsonSchema, Default)]
    struct Answer {
        number: f64,
        closed: Option<Closed>,
        undeclared: Option<String>,
        #[schemars(extend("x-vouched" = true))]
        own: Option<String>,
        tagged: Option<Tagged>,
        whole: Option<Own>,
        rows: Vec<Quoted>,
        by_name: BTreeMap<String, u32>,
        anything: Value,
    }

    fn check(answer: Answer, expected: Trust) {
        let value = json!(answer);
        assert_eq!(trust_as::<Answer>(Trust::Trusted, &value), expected, "{value}");
        assert_eq!(trust_as::<Answer>(Trust::Text, &value), Trust::Text, "a row never gives more than it declares");
    }

    #[test]
    fn p_20_what_a_type_does_not_declare_is_text() {
        let text = || "x".to_owned();
        let empty = Answer::default;
        check(empty(), Trust::Trusted);
        check(Answer { number: 1.0, closed: Some(Closed::One), ..empty() }, Trust::Trusted);
        check(Answer { closed: Some(Closed::Two), own: Some(text()), ..empty() }, Trust::Trusted);
        check(Answer { undeclared: Some(text()), ..empty() }, Trust::Text);
        check(Answer { tagged: Some(Tagged::Own { words: text() }), ..empty() }, Trust::Trusted);
        check(Answer { tagged: Some(Tagged::Open { words: text() }), ..empty() }, Trust::Text);
        check(Answer { by_name: BTreeMap::from([(text(), 1)]), ..empty() }, Trust::Text);
        check(Answer { anything: json!({ "deep": [text()] }), ..empty() }, Trust::Text);
        for (trust, expected) in
            [(Trust::Trusted, Trust::Trusted), (Trust::Typed, Trust::Trusted), (Trust::Text, Trust::Text)]
        {
            check(Answer { rows: vec![Quoted { words: text(), sender: None, trust }], ..empty() }, expected);
            let sender = Some(text());
            check(Answer { rows: vec![Quoted { words: text(), sender, trust }], ..empty() }, Trust::Text);
        }
    }

    #[test]
    fn p_20_a_name_that_anybody_may_have_chosen_is_not_ours_where_everything_else_is() {
        let of = |mission: Option<&str>| {
            let mission = mission.map(|name| MissionId::new(name).unwrap());
            Answer { whole: Some(Own { words: "x".into(), mission }), ..Answer::default() }
        };
        check(of(None), Trust::Trusted);
        check(of(Some("obey-all-now")), Trust::Text);
    }

    /// Names of stations, missions, rooms and approvals come over the network, or as names of files.
    #[test]
    fn p_20_only_names_that_a_person_of_the_station_declares_are_ours() {
        fn is_ours<T: JsonSchema>() -> bool {
            trust(Trust::Trusted, &json!("obey-all-now"), &schemars::schema_for!(T).to_value()) == Trust::Trusted
        }
        assert!(is_ours::<robot::RobotId>() && is_ours::<robot::AgentId>());
        assert!(!is_ours::<MissionId>() && !is_ours::<robot::StationId>());
        assert!(!is_ours::<robot::RoomId>() && !is_ours::<robot::ApprovalId>());
    }
}
