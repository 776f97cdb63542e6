//! Keys of providers: they go in here, and nothing gives them out again.

use std::sync::Arc;

use robot::{Effect, Role, Trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::Operation;
use crate::runner::AgentRunner;
use runtime::error::OpError;
use runtime::operation::{KeyUse, Message, Nothing, Terms, UI, message, row};
use runtime::secrets::{SecretName, SecretValue};
use runtime::session::Session;
use runtime::wire::{SecretRow, Tag};

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::Admin;
    vec![
        row(
            "set_secret",
            Terms(Admin, Write, UI, Trust::Text),
            "Keeps a key of a provider in the keychain.",
            set_secret,
        )
        .example(json!({"name": "anthropic", "value": "sk-example"}))
        .key(KeyUse::Brings),
        row(
            "list_secrets",
            Terms(Admin, Read, UI, Trust::Text),
            "Names and last characters of the keys.",
            list_secrets,
        ),
        row("delete_secret", Terms(Admin, Write, UI, Trust::Text), "Forgets a key of a provider.", delete_secret)
            .example(json!({"name": "anthropic"}))
            .key(KeyUse::Names),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SetSecret {
    /// Its name: 1 to 64 of a to z, 0 to 9, `_` and `-`.
    name: SecretName,
    /// The key. It is never shown again.
    value: SecretValue,
    /// True to keep it in memory only, until the station ends.
    #[serde(default)]
    this_session_only: bool,
}

async fn set_secret(runner: Arc<AgentRunner>, _: Session, input: SetSecret) -> Result<SecretRow, OpError> {
    let SetSecret { name, value, this_session_only } = input;
    let (models, now_ms) = (&runner.models, runner.runtime.clock.now().wall_ms);
    let row = if this_session_only {
        Ok(models.keys.set_for_session(name.clone(), value, now_ms))
    } else {
        models.keys.set(&runner.runtime.db, name.clone(), value, now_ms).await
    };
    runner.models.note_keychain(row.as_ref().err());
    // Also after a failure, which leaves open what key the keychain holds.
    models.key_changed(&name);
    runner.runtime.bus.changed(Tag::Providers);
    row
}

async fn list_secrets(runner: Arc<AgentRunner>, _: Session, _: Nothing) -> Result<Vec<SecretRow>, OpError> {
    runner.models.keys.list(&runner.runtime.db).await
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DeleteSecret {
    /// Its name.
    name: SecretName,
}

async fn delete_secret(runner: Arc<AgentRunner>, _: Session, input: DeleteSecret) -> Result<Message, OpError> {
    let deleted = runner.models.keys.delete(&runner.runtime.db, &input.name).await;
    runner.models.note_keychain(deleted.as_ref().err());
    runner.models.key_changed(&input.name);
    runner.runtime.bus.changed(Tag::Providers);
    deleted.map(|()| message(format!("The key {} is forgotten", input.name)))
}
