//! Capabilities and prices known of models before they are asked, read from `data/models.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use toml::{Table, Value};

use crate::parameters;
use crate::price::Tariff;
use crate::{Caps, Price, ServerKind, Usage};

const MODELS: &str = include_str!("../data/models.toml");

#[expect(clippy::expect_used, reason = "the file is part of the program, and a test reads every row")]
static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| toml::from_str(MODELS).expect("models.toml can be read"));

/// Capabilities of `model` on a server of this kind, before anything was heard from it.
///
/// `provider` is the operator's name of it and `base` its address.
#[must_use]
pub fn caps(server: ServerKind, provider: &str, base: &str, model: &str) -> Caps {
    let row = CATALOGUE.row(server, model);
    let text = |text: &str| Value::String(text.to_owned());
    let mut table = row.caps;
    table.extend([
        ("name".to_owned(), text(model)),
        ("kind".to_owned(), text("language")),
        ("provider".to_owned(), text(provider)),
        ("base".to_owned(), text(base)),
    ]);
    #[expect(clippy::expect_used, reason = "the file is part of the program, and a test reads every row")]
    let caps: Caps = table.try_into().expect("a row of models.toml holds every capability");
    Caps { server: Some(server), parameters: parameters::in_name(model), ..caps }
}

/// Price of the model of `caps`; absent if unknown. The built-in interpreter and local servers are free.
#[must_use]
pub fn price(caps: &Caps) -> Option<Price> {
    let Some(server) = caps.server else { return Some(Price::free()) };
    CATALOGUE.row(server, &caps.name).price
}

/// Cost of one call, micro-dollars; absent if the price is unknown, or if usage that has a price is only an estimate.
#[must_use]
pub fn cost_micros(caps: &Caps, usage: &Usage) -> Option<u64> {
    let price = price(caps)?;
    (price.is_free() || !usage.estimated).then(|| price.cost_micros(usage))
}

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Catalogue {
    server: BTreeMap<ServerKind, Server>,
}

#[derive(Debug, Deserialize)]
struct Server {
    as_of: String,
    #[serde(default)]
    price: Option<Tariff>,
    #[serde(default)]
    model: Vec<Model>,
    #[serde(flatten)]
    caps: Table,
}

#[derive(Debug, Deserialize)]
struct Model {
    prefix: String,
    #[serde(default)]
    price: Option<Tariff>,
    #[serde(flatten)]
    caps: Table,
}

/// Data of one model: its server's table under its own row.
struct Row {
    caps: Table,
    price: Option<Price>,
}

impl Catalogue {
    fn row(&self, server: ServerKind, model: &str) -> Row {
        let Some(known) = self.server.get(&server) else { return Row { caps: Table::new(), price: None } };
        // Gateways put the vendor in front of the name, as in `meta-llama/Llama-3.1-8B`.
        let name = model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase();
        let fitting = known.model.iter().filter(|row| name.starts_with(&row.prefix));
        // One prefix may begin like another, and the longest is the row that was meant.
        let longest = fitting.max_by_key(|row| row.prefix.len());
        let mut caps = known.caps.clone();
        caps.extend(longest.into_iter().flat_map(|row| row.caps.clone()));
        let tariff = longest.and_then(|row| row.price).or(known.price);
        let row = longest.map_or("every model", |row| &row.prefix);
        let price = tariff.map(|tariff| Price { row: row.to_owned(), as_of: known.as_of.clone(), tariff });
        Row { caps, price }
    }
}

#[cfg(test)]
mod tests;
