//! The operations as the window calls them, in TypeScript.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use robot::Audience;
use serde_json::Value;
use station::operations::{Operation, table};
use ts_rs::{Config, ExportError};

const HEAD: &str =
    "// The operations that a window may call. Written by `cargo xtask gen` from the operation table.\n\n";

/// The module with each operation's input and output; exports the types of the outputs.
pub(super) fn operations(bindings: &Config) -> Result<String, ExportError> {
    let rows: Vec<&Operation> = table().iter().filter(|row| row.is_for(Audience::Ui)).collect();
    // Ordered, so that the file comes out the same at each run.
    let (mut imports, mut fields) = (BTreeSet::new(), String::new());
    for row in &rows {
        let output = (row.output_type)(bindings)?;
        let input = input_of(&(row.input_schema)());
        let (name, description) = (row.name, row.description);
        let picture = if row.answers_picture { " | ArrayBuffer" } else { "" };
        write(
            &mut fields,
            format_args!("  /** {description} */\n  {name}: {{ input: {input}; output: {}{picture} }};\n", output.name),
        );
        imports.extend(output.imports);
    }
    let mut text = HEAD.to_owned();
    for name in &imports {
        write(&mut text, format_args!("import type {{ {name} }} from \"./bindings/{name}\";\n"));
    }
    write(&mut text, format_args!("\n/** By name. */\nexport type Operations = {{\n{fields}}};\n"));
    text.push_str("\n/** Operations about one agent, which a call may name in `agent`. */\n");
    text.push_str("export const OF_ONE_AGENT: ReadonlySet<keyof Operations> = new Set<keyof Operations>([\n");
    for row in rows.iter().filter(|row| row.about_agent) {
        write(&mut text, format_args!("  \"{}\",\n", row.name));
    }
    text.push_str("]);\n");
    Ok(text)
}

fn write(text: &mut String, line: std::fmt::Arguments<'_>) {
    // A string takes everything.
    let _infallible = text.write_fmt(line);
}

/// The TypeScript form of an input.
pub(super) fn input_of(schema: &Value) -> String {
    Reader { root: schema, open: Vec::new() }.any_of(schema)
}

/// A field of an input.
pub(super) struct Field<'a> {
    pub name: &'a str,
    pub is_required: bool,
    /// Its type in TypeScript.
    pub form: String,
    pub description: &'a str,
}

/// The fields of an input that is an object, in the order of their names.
pub(super) fn fields_of(schema: &Value) -> Vec<Field<'_>> {
    Reader { root: schema, open: Vec::new() }.fields(schema)
}

/// Reads one schema. A definition that holds itself is cut off where it comes again.
struct Reader<'a> {
    root: &'a Value,
    open: Vec<&'a str>,
}

impl<'a> Reader<'a> {
    fn any_of(&mut self, schema: &'a Value) -> String {
        if let Some(reference) = schema["$ref"].as_str() {
            return self.named(reference);
        }
        if let Some(value) = schema.get("const") {
            return value.to_string();
        }
        if let Some(values) = schema["enum"].as_array() {
            return union(values.iter().map(Value::to_string));
        }
        let cases = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
        let cases = cases.map(|cases| union(cases.iter().map(|case| self.any_of(case))));
        match (cases, &schema["type"]) {
            // Fields beside a choice hold in each of its cases, which `&` says in TypeScript.
            (Some(cases), Value::String(_)) if schema.get("properties").is_some() => {
                format!("{} & ({cases})", self.object(schema))
            }
            (Some(cases), _) => cases,
            (None, Value::Array(kinds)) => {
                union(kinds.iter().filter_map(Value::as_str).map(|kind| self.of_kind(kind, schema)))
            }
            (None, Value::String(kind)) => self.of_kind(kind, schema),
            (None, _) => "unknown".to_owned(),
        }
    }

    fn named(&mut self, reference: &'a str) -> String {
        let name = reference.rsplit('/').next().unwrap_or_default();
        // A type that refers to itself has no finite form in one place.
        if self.open.contains(&name) {
            return "unknown".to_owned();
        }
        self.open.push(name);
        let root = self.root;
        let read = self.any_of(&root["$defs"][name]);
        self.open.pop();
        read
    }

    fn of_kind(&mut self, kind: &str, schema: &'a Value) -> String {
        match kind {
            "integer" | "number" => "number".to_owned(),
            "array" => self.array(schema),
            "object" => self.object(schema),
            kind => kind.to_owned(),
        }
    }

    fn array(&mut self, schema: &'a Value) -> String {
        match (&schema["prefixItems"], &schema["items"]) {
            (Value::Array(items), _) => {
                let items: Vec<String> = items.iter().map(|item| self.any_of(item)).collect();
                format!("[{}]", items.join(", "))
            }
            (_, Value::Null) => "unknown[]".to_owned(),
            (_, items) => format!("Array<{}>", self.any_of(items)),
        }
    }

    fn fields(&mut self, schema: &'a Value) -> Vec<Field<'a>> {
        let required = schema["required"].as_array();
        let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|required| required == name));
        let fields = schema["properties"].as_object().into_iter().flatten().map(|(name, of)| Field {
            name,
            is_required: is_required(name),
            form: self.any_of(of),
            description: of["description"].as_str().unwrap_or_default(),
        });
        let mut fields: Vec<Field<'a>> = fields.collect();
        // The order must not depend on how the schema was built.
        fields.sort_unstable_by_key(|field| field.name);
        fields
    }

    fn object(&mut self, schema: &'a Value) -> String {
        let fields = self.fields(schema);
        if fields.is_empty() {
            let others = &schema["additionalProperties"];
            // TypeScript takes any object for `{}`, so that an empty input has to forbid fields.
            return if others == &Value::Bool(false) {
                "Record<string, never>".to_owned()
            } else {
                format!("Record<string, {}>", self.any_of(others))
            };
        }
        let fields = fields.into_iter().map(|Field { name, is_required, form, .. }| {
            let mark = if is_required { "" } else { "?" };
            format!("{name}{mark}: {form}")
        });
        let others =
            (schema["additionalProperties"] == Value::Bool(true)).then(|| "[field: string]: unknown".to_owned());
        format!("{{ {} }}", fields.chain(others).collect::<Vec<_>>().join("; "))
    }
}

/// Every case once.
fn union(cases: impl Iterator<Item = String>) -> String {
    let mut seen = Vec::new();
    for case in cases {
        if !seen.contains(&case) {
            seen.push(case);
        }
    }
    seen.join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_input_is_what_its_schema_takes() {
        let schema = json!({
            "type": "object",
            "properties": {
                "robot": { "type": "string" },
                "limit": { "type": ["integer", "null"] },
                "state": { "$ref": "#/$defs/State" },
                "path": { "type": "array", "items": { "type": "array", "prefixItems": [{ "type": "number" }, { "type": "number" }] } },
                "tree": { "$ref": "#/$defs/Tree" },
                "any": true,
            },
            "additionalProperties": true,
            "required": ["robot", "tree"],
            "$defs": {
                "State": { "oneOf": [{ "const": "on", "type": "string" }, { "const": "off", "type": "string" }] },
                "Tree": { "type": "object", "properties": { "child": { "anyOf": [{ "$ref": "#/$defs/Tree" }, { "type": "null" }] } } },
            },
        });
        assert_eq!(
            input_of(&schema),
            "{ any?: unknown; limit?: number | null; path?: Array<[number, number]>; robot: string; \
             state?: \"on\" | \"off\"; tree: { child?: unknown | null }; [field: string]: unknown }"
        );
    }
}
