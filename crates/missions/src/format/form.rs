//! The front matter of a file as a form shows it: the value of each key, or its text where that is no value of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use ts_rs::TS;

use crate::format::front::decode;
use crate::format::parsed::Parsed;
use crate::format::yaml;

/// A key of a mission file as a form shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(rename = "MissionKey")]
#[schemars(rename = "MissionKey")]
pub struct FormKey {
    /// The key.
    pub key: String,
    /// Its value as JSON; the text if it cannot be read.
    #[ts(type = "unknown")]
    pub value: Json,
    /// Its value as it is written.
    pub text: String,
    /// The sentence that says what is wrong with it; none if nothing is.
    pub problem: Option<String>,
}

impl Parsed {
    /// The keys of the front matter in the order of the file; none if it is no YAML.
    #[must_use]
    pub fn form(&self) -> Option<Vec<FormKey>> {
        let entries = match (&self.root, self.source.front()) {
            (None, Some(_)) => return None,
            (root, _) => root.as_ref().map(yaml::Node::entries).unwrap_or_default(),
        };
        let key = |entry: &yaml::Entry| {
            let span = entry.value.span;
            let text = self.source.text().get(span.from..span.to).unwrap_or_default().trim_end().to_owned();
            FormKey {
                key: entry.key.clone(),
                value: decode(&entry.value, &[]).unwrap_or_else(|_| Json::String(text.clone())),
                problem: self.problem_of(&entry.key),
                text,
            }
        };
        Some(entries.iter().map(key).collect())
    }

    /// The first error in the value of `key`.
    fn problem_of(&self, key: &str) -> Option<String> {
        let is_of =
            |path: &String| path.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
        self.errors().find(|problem| problem.key.as_ref().is_some_and(is_of)).map(crate::Problem::sentence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn form(yaml: &str) -> Vec<FormKey> {
        parse(format!("---\n{yaml}---\nLook.\n").as_bytes()).form().unwrap()
    }

    #[test]
    fn me_07_a_form_has_the_value_of_each_key_and_what_is_wrong_with_it() {
        let keys = form("title: 'A'  # b\ngoals:\n  - Look\n  - {wait_secs: 5}\nexpires: soon\nrobots: [rover-1, 5]\n");
        let values: Vec<(&str, String)> = keys.iter().map(|key| (key.key.as_str(), key.value.to_string())).collect();
        assert_eq!(
            values,
            [
                ("title", r#""A""#.to_owned()),
                ("goals", r#"["Look",{"wait_secs":5}]"#.to_owned()),
                ("expires", r#""soon""#.to_owned()),
                ("robots", r#"["rover-1",5]"#.to_owned()),
            ]
        );
        assert_eq!((keys[0].text.as_str(), keys[0].problem.as_deref()), ("'A'", None));
        assert_eq!((keys[2].text.as_str(), keys[2].problem.is_some()), ("soon", true));
        assert!(keys[3].problem.is_some(), "a wrong entry is a problem of its key: {keys:?}");
    }

    #[test]
    fn me_07_what_is_no_yaml_has_no_form_and_a_plain_text_an_empty_one() {
        assert_eq!(parse(b"---\ntitle: [\n---\n").form(), None);
        assert_eq!(parse(b"Look.\n").form(), Some(Vec::new()));
    }
}
