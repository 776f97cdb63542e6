//! The reference of the operations for people.

use std::fmt::Write as _;

use robot::Audience;
use serde_json::Value;
use station::operations::{Operation, areas};

use super::window::{self, Field};

const HEAD: &str = "# Operations

Everything that a station does is one row of a table. The window, programs (HTTP, MCP) and the agents call the same rows,
with the same checks of role, audience and input. Written by `cargo xtask gen`; the JSON schemas of inputs and outputs
are in [operations.schema.json](operations.schema.json), and `describe_operation` gives them of one operation at a time.

- **Role**: the least that may call it: Viewer, Operator, Admin.
- **Effect**: *read* changes nothing; *write* changes the station; *actuate* moves or stops robots; *irreversible* cannot
  be undone. Every call with an effect is in the audit.
- **Audience**: who is offered it: the window, programs, agents.
- Every call may bring `request_id`, a text of 1 to 64 bytes: the same call with the same id is carried out once.
- **One agent**: the call is about an agent and may name it in `agent`; it must where there are several.

A call over HTTP is `POST /op/<name>` with the input as its JSON body. [errors.md](errors.md) says what each code of a
refusal means and what to do about it.
";

/// The whole page.
pub(super) fn operations() -> String {
    let mut text = HEAD.to_owned();
    for (title, rows) in areas() {
        // A string takes everything.
        let _infallible = write!(text, "\n## {title}\n");
        rows.for_each(|row| add(&mut text, row));
    }
    text
}

fn add(text: &mut String, row: &Operation) {
    let audience: Vec<&str> = row.audience.iter().map(|audience| offered_to(*audience)).collect();
    let mut terms = vec![
        format!("{:?}", row.role),
        format!("{:?}", row.effect).to_lowercase(),
        format!("for {}", audience.join(", ")),
    ];
    terms.extend(row.about_agent.then(|| "one agent".to_owned()));
    terms.extend(row.urgent.then(|| "runs on the thread of stops".to_owned()));
    let _infallible = write!(text, "\n### {}\n\n{} {}.\n", row.name, row.description, terms.join(" · "));
    add_fields(text, &(row.input_schema)());
    if row.example != Value::Null {
        let _infallible = write!(text, "\nFor example `{}`\n", row.example);
    }
}

/// A table of what goes in.
fn add_fields(text: &mut String, schema: &Value) {
    let fields = window::fields_of(schema);
    if !fields.is_empty() {
        text.push_str("\n| Field | Type | |\n|---|---|---|\n");
    }
    for Field { name, is_required, form, description } in fields {
        let optional = if is_required { "" } else { ", optional" };
        // A `|` ends the cell of a Markdown table.
        let form = form.replace('|', "\\|");
        let description = description.replace('\n', " ").replace('|', "\\|");
        let _infallible = writeln!(text, "| {name} | `{form}`{optional} | {description} |");
    }
}

fn offered_to(audience: Audience) -> &'static str {
    match audience {
        Audience::Ui => "the window",
        Audience::Mcp => "programs",
        Audience::Agent => "agents",
    }
}
