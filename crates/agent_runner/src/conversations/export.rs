//! A conversation as one file for people or programs.

use std::fmt::Write as _;

use agent::{EntryLine, LineKind};
use jiff::Timestamp;
use robot::{ConversationId, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::head::{without_envelope, words};
use runtime::wire::SessionExport;

/// The form of an exported conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ExportForm {
    /// Entries as stored.
    Json,
    /// For reading.
    Markdown,
}

/// The whole conversation `session`.
pub(crate) fn exported(session: &ConversationId, lines: &[EntryLine], form: ExportForm) -> SessionExport {
    let (ending, text) = match form {
        ExportForm::Json => ("json", serde_json::to_string_pretty(lines).unwrap_or_default()),
        ExportForm::Markdown => ("md", markdown(session, lines)),
    };
    SessionExport { name: format!("{session}.{ending}"), text }
}

fn markdown(session: &ConversationId, lines: &[EntryLine]) -> String {
    let mut text = format!("# Conversation {session}\n");
    for line in lines {
        let at = Timestamp::from_millisecond(line.at_ms).map_or_else(|_| line.at_ms.to_string(), |at| at.to_string());
        let _ = write!(text, "\n## {} {} · {at}\n\n", line.id, heading(line));
        let said = words(line);
        match line.kind {
            LineKind::User | LineKind::Assistant if line.trust == Trust::Trusted => {
                text.push_str(without_envelope(&said));
                text.push('\n');
            }
            // Untrusted text, and output of programs, is quoted: none of it is markdown of ours.
            LineKind::User
            | LineKind::Assistant
            | LineKind::ToolResult
            | LineKind::Volatile
            | LineKind::Nudge
            | LineKind::Summary
            | LineKind::Marker => text.push_str(&quoted(&said)),
        }
        for call in &line.tool_calls {
            // A backtick in the arguments would end the inline code.
            let _ = writeln!(text, "\n`{}` with `{}`", call.function.name, call.function.arguments.replace('`', "'"));
        }
    }
    text
}

fn heading(line: &EntryLine) -> String {
    match &line.marker {
        Some(marker) => serde_json::to_string(marker).unwrap_or_default(),
        None if line.is_error => format!("{} (error)", line.origin),
        None => line.origin.clone(),
    }
}

fn quoted(text: &str) -> String {
    text.lines().fold(String::new(), |mut quoted, line| {
        // Four blanks make a block of code in Markdown, which nothing inside it can end.
        let _ = writeln!(quoted, "    {line}");
        quoted
    })
}
