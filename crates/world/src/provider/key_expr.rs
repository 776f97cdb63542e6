//! Key expressions: chunks joined by `/`, where `*` is one chunk, `**` any number and `$*` a part of one.

use robot::SharedCode;

use super::ProviderError;

/// The longest key expression, in bytes.
const KEY_EXPR_BYTES_MAX: usize = 1_024;

/// Checks that `text` is a key expression with at least one literal chunk: what matches everything would bring every
/// sample of the network here.
pub fn check(text: &str) -> Result<(), ProviderError> {
    if text.len() > KEY_EXPR_BYTES_MAX {
        return Err(error(KEY_EXPR_BYTES_MAX, "at most 1,024 bytes"));
    }
    let mut column = 1;
    let mut has_literal = false;
    let mut after_any = false;
    for chunk in text.split('/') {
        // Zenoh takes canonical key expressions only, in which `*` stands before `**`.
        if after_any && (chunk == "**" || chunk == "*") {
            return Err(error(column, "no wildcard chunk directly after '**'"));
        }
        check_chunk(chunk, column)?;
        has_literal |= !chunk.contains('*');
        after_any = chunk == "**";
        column += chunk.chars().count() + 1;
    }
    if has_literal { Ok(()) } else { Err(error(1, "at least one chunk without a wildcard")) }
}

fn check_chunk(chunk: &str, column: usize) -> Result<(), ProviderError> {
    if chunk.is_empty() {
        return Err(error(column, "a chunk that is not empty"));
    }
    if chunk == "*" || chunk == "**" {
        return Ok(());
    }
    let literals = chunk.replace("$*", "");
    let illegal = |c: char| matches!(c, '*' | '$' | '?' | '#') || c.is_control() || c.is_whitespace();
    if literals.contains(illegal) || chunk.contains("$*$*") || literals.is_empty() {
        return Err(error(column, "a chunk without '*', '$', '?', '#' and blanks, or '*', '**', or '$*' inside it"));
    }
    Ok(())
}

fn error(column: usize, expected: &str) -> ProviderError {
    let message = format!("column {column}: expected {expected}");
    ProviderError { column: Some(column), ..ProviderError::of(SharedCode::BadKeyExpression, "topic_pattern", message) }
}

/// True for the keys commands travel on, `<site>/<robot>/cmd/…`: a command is no observation.
pub(crate) fn is_command_key(key: &str) -> bool {
    key.split('/').nth(2) == Some("cmd")
}
