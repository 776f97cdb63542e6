//! The graph at a Zenoh router, by the tokens of `rmw_zenoh`.

use std::collections::BTreeMap;
use std::time::Duration;

use ros2::{TOKENS, Token, TokenKind};

use super::seen::{End, EndKind, Seen};

/// Tokens of one router.
const TOKENS_MAX: usize = 20_000;
/// Domains of one router.
const DOMAINS_MAX: usize = 102;

/// The graphs at a router by their domains.
///
/// # Errors
/// The reason why the router could not be asked.
pub async fn look(router: &str, within: Duration) -> Result<Vec<(u16, Seen)>, String> {
    let tokens = bridge::tokens(router, TOKENS, within, TOKENS_MAX).await;
    let tokens = tokens.map_err(|error| match std::error::Error::source(&error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    })?;
    Ok(graphs(tokens.iter().map(String::as_str)))
}

/// The graphs that tokens describe.
pub fn graphs<'t>(tokens: impl Iterator<Item = &'t str>) -> Vec<(u16, Seen)> {
    let mut domains: BTreeMap<u16, Seen> = BTreeMap::new();
    for token in tokens.filter_map(Token::parse) {
        if domains.len() >= DOMAINS_MAX && !domains.contains_key(&token.domain) {
            continue;
        }
        let seen = domains.entry(token.domain).or_default();
        let node = seen.note_node(&token.namespace, &token.node);
        let Some((name, dds_type)) = token.topic else { continue };
        let kind = match token.kind {
            TokenKind::Publisher => EndKind::Publisher,
            TokenKind::Subscriber => EndKind::Subscriber,
            TokenKind::Server => EndKind::Server,
            // A client only asks: it offers nothing by which a robot is told.
            TokenKind::Node | TokenKind::Client => continue,
        };
        seen.note_end(End { kind, name, dds_type, node });
    }
    domains.into_iter().collect()
}
