//! The ledger for people: its rows, what a turn was shown, and a turn as a file.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use agent::EntryLine;
use llm::Usage;
use memory::stores::model_calls::{CallTokens, StoredCall};
use robot::{ConversationId, MissionId, TurnId};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use world::cron::Zone;

use super::{Ledger, Limits, Place, view};
use crate::code::AgentCode;
use runtime::error::OpError;
use runtime::wire::{CallView, ExportForm, ModelCallList, ModelCallRow, TurnExport, TurnView, ViewBlock, ViewLayout};

impl Ledger {
    /// The newest `limit` calls that began at `since_ms` or later.
    pub async fn list(&self, since_ms: i64, limit: u32, limits: Limits) -> Result<ModelCallList, OpError> {
        // One more than is shown tells whether there are others.
        let mut stored = self.db.model_calls(since_ms, limit.saturating_add(1)).await?;
        let is_cut = stored.len() > limit as usize;
        stored.truncate(limit as usize);
        let nowhere = Place { session: ConversationId::from(""), turn: None, mission: None };
        let day = self.budgets(&nowhere, limits).await?.row().day;
        Ok(ModelCallList { calls: stored.iter().map(row).collect(), is_cut, today: self.today().0, day })
    }

    /// Inputs that the models of a turn were shown, call by call.
    pub async fn turn(&self, turn: &TurnId) -> Result<TurnView, OpError> {
        let stored = self.db.model_calls_of(turn).await?;
        let Some(first) = stored.first() else {
            return Err(OpError::not_found(AgentCode::TurnNotFound, "turn", turn));
        };
        let calls: Vec<CallView> =
            stored.iter().map(|call| CallView { row: row(call), layout: view::read(&call.begun.view) }).collect();
        let hashes: BTreeSet<&str> = calls.iter().filter_map(|call| call.layout.as_ref()).flat_map(hashes).collect();
        let texts = self.db.view_parts(&hashes.into_iter().collect::<Vec<_>>()).await?;
        Ok(TurnView { turn: turn.clone(), session: first.begun.session.clone(), calls, texts })
    }
}

/// A turn as one file: what was said and done, what the models were shown, and the hash of each part.
pub(crate) fn export(view: &TurnView, entries: &[EntryLine], zone: &Zone, form: ExportForm) -> TurnExport {
    let entries: Vec<Value> = entries
        .iter()
        .map(|entry| json!({ "sha256": sha256(&serde_json::to_string(entry).unwrap_or_default()), "entry": entry }))
        .collect();
    let (text, ending) = match form {
        ExportForm::Json => {
            let all = json!({ "turn": view.turn, "session": view.session, "entries": entries, "view": view });
            (format!("{all:#}\n"), "json")
        }
        ExportForm::Markdown => (markdown(view, &entries, zone), "md"),
    };
    TurnExport { name: format!("{}.{ending}", view.turn), sha256: sha256(&text), text }
}

fn markdown(view: &TurnView, entries: &[Value], zone: &Zone) -> String {
    let mut text = format!(
        "# Turn {}\n\nConversation `{}`, times of {zone}.\n\n## What was said and done\n\n",
        view.turn, view.session
    );
    for line in entries {
        let entry = &line["entry"];
        let at = entry["at_ms"].as_i64().map(|at_ms| zone.rfc3339(at_ms)).unwrap_or_default();
        let (origin, trust) = (plain(&entry["origin"]), plain(&entry["trust"]));
        let _ = writeln!(text, "### {} · {at} · {origin} · {trust}\n", entry["id"]);
        quote(&mut text, &said(entry));
        let _ = writeln!(text, "SHA-256 `{}`\n", plain(&line["sha256"]));
    }
    text.push_str("## Calls of models\n\n| began | purpose | model | outcome | input | output | cost |\n|---|---|---|---|---|---|---|\n");
    for CallView { row, .. } in &view.calls {
        let cost = row.cost_microusd.map_or("unknown".to_owned(), |cost| format!("{:.6} USD", cost as f64 / 1e6));
        let began = zone.rfc3339(row.began_ms);
        let (purpose, model, outcome) = (&row.purpose, cell(&row.model), &row.outcome);
        let _ = writeln!(
            text,
            "| {began} | {purpose} | {model} | {outcome} | {} | {} | {cost} |",
            row.usage.input(),
            row.usage.out
        );
    }
    text.push_str("\n## What the model saw\n\n");
    for (number, call) in view.calls.iter().enumerate() {
        let _ = writeln!(text, "### Call {}\n", number + 1);
        for hash in call.layout.iter().flat_map(hashes) {
            let _ = writeln!(text, "- `{hash}`");
        }
        text.push('\n');
    }
    text.push_str("## Texts\n\n");
    for (hash, body) in &view.texts {
        let _ = writeln!(text, "### `{hash}`\n");
        quote(&mut text, body);
    }
    text
}

/// Everything an entry says: its words, its calls or its note.
fn said(entry: &Value) -> String {
    let mut said = entry["content"].as_str().map_or_else(
        || if entry["content"].is_null() { String::new() } else { entry["content"].to_string() },
        str::to_owned,
    );
    for field in ["tool_calls", "marker"] {
        if !entry[field].is_null() {
            let _ = write!(said, "\n{}", entry[field]);
        }
    }
    said
}

/// As a block that no text can leave: every line is indented.
fn quote(text: &mut String, quoted: &str) {
    for line in quoted.trim().lines() {
        let _ = writeln!(text, "    {line}");
    }
    text.push('\n');
}

fn cell(text: &str) -> String {
    text.replace(['|', '\n', '\r'], " ")
}

fn plain(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Every text of a layout, in order.
fn hashes(layout: &ViewLayout) -> impl Iterator<Item = &str> {
    let system = layout.system.iter().chain(&layout.tools);
    let said = layout.messages.iter().flat_map(|message| {
        let blocks = message.blocks.iter().map(|block| match block {
            ViewBlock::Text { hash, .. } | ViewBlock::Call { hash, .. } | ViewBlock::Result { hash, .. } => hash,
        });
        blocks.chain(&message.replayed)
    });
    system.chain(said).map(String::as_str)
}

fn row(call: &StoredCall) -> ModelCallRow {
    let StoredCall { begun, ended } = call;
    let parsed = |text: &Option<String>| text.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let ended_or = ended.clone().unwrap_or_default();
    let usage = usage(&ended_or.tokens);
    let input = usage.input();
    ModelCallRow {
        id: begun.id.clone(),
        began_ms: begun.began_ms,
        ended_ms: ended.as_ref().map(|ended| ended.ended_ms),
        session: begun.session.clone(),
        turn: begun.turn.clone(),
        mission_id: begun.mission.as_ref().and_then(|mission| MissionId::new(mission.clone()).ok()),
        purpose: begun.purpose.clone(),
        provider: begun.provider.clone(),
        model: begun.model.clone(),
        outcome: ended.as_ref().map_or_else(|| "running".to_owned(), |ended| ended.outcome.clone()),
        price: ended_or.price.as_deref().and_then(|price| serde_json::from_str(price).ok()),
        usage_raw: parsed(&ended_or.usage_raw).unwrap_or_default(),
        #[expect(clippy::cast_precision_loss, reason = "a share for people")]
        cached_share: if input == 0 { 0.0 } else { usage.cache_read as f64 / input as f64 },
        usage,
        cost_microusd: ended_or.cost_microusd,
    }
}

fn usage(tokens: &CallTokens) -> Usage {
    let unsigned = |tokens: i64| u64::try_from(tokens).unwrap_or(0);
    Usage {
        in_fresh: unsigned(tokens.in_fresh),
        cache_read: unsigned(tokens.cache_read),
        cache_write_5m: unsigned(tokens.cache_write_5m),
        cache_write_1h: unsigned(tokens.cache_write_1h),
        out: unsigned(tokens.out),
        reasoning: tokens.reasoning.map(unsigned),
        estimated: tokens.estimated,
    }
}

fn sha256(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}
