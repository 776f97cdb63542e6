//! The suite for a real service, with the operator's own key from the environment: by hand only, never a part of `ci`.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use clap::ValueEnum;

/// A service that the suite knows.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Provider {
    Anthropic,
    Openai,
    Gemini,
}

impl Provider {
    /// Its word in settings, its usual address, and the variable in which its own tools look for a key.
    const fn known(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Anthropic => ("anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY"),
            Self::Openai => ("openai", "https://api.openai.com/v1", "OPENAI_API_KEY"),
            Self::Gemini => ("gemini", "https://generativelanguage.googleapis.com", "GEMINI_API_KEY"),
        }
    }
}

/// Runs the suite against `model` of `provider`; it costs a few thousand tokens.
pub fn run(root: &Path, provider: Provider, model: &str, base: Option<&str>) -> anyhow::Result<()> {
    let (kind, usual, variable) = provider.known();
    let key = std::env::var(variable).with_context(|| format!("{variable} holds no key"))?;
    let base = base.unwrap_or(usual);
    println!("live: the suite runs against {model} at {base}; this is paid for");
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--package", "llm", "--test", "live", "--", "--test-threads", "1", "--nocapture"]);
    cargo.env("QUARTERDECK_LIVE_PROVIDER", kind).env("QUARTERDECK_LIVE_MODEL", model);
    cargo.env("QUARTERDECK_LIVE_BASE", base).env("QUARTERDECK_LIVE_KEY", key);
    let ended = cargo.current_dir(root).status().context("cargo cannot be started")?;
    ensure!(ended.success(), "the suite failed");
    Ok(())
}
