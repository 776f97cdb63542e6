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

    /// The operator's key, as `environment` has it.
    fn key(self, environment: impl Fn(&str) -> Option<String>) -> anyhow::Result<String> {
        let (_, _, variable) = self.known();
        environment(variable).filter(|key| !key.is_empty()).with_context(|| format!("{variable} holds no key"))
    }
}

/// Runs the suite against `model` of `provider`; it costs a few thousand tokens.
pub fn run(root: &Path, provider: Provider, model: &str, base: Option<&str>) -> anyhow::Result<()> {
    let (kind, usual, _) = provider.known();
    let key = provider.key(|variable| std::env::var(variable).ok())?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wt_07_a_service_is_asked_with_a_key_of_its_own_only() {
        let others = |variable: &str| (variable != "OPENAI_API_KEY").then(|| format!("the key in {variable}"));
        let key = |provider: Provider| provider.key(others).map_err(|error| error.to_string());
        assert_eq!(key(Provider::Anthropic).unwrap(), "the key in ANTHROPIC_API_KEY");
        assert_eq!(key(Provider::Gemini).unwrap(), "the key in GEMINI_API_KEY");
        assert_eq!(key(Provider::Openai).unwrap_err(), "OPENAI_API_KEY holds no key");
        assert!(Provider::Openai.key(|_| Some(String::new())).is_err(), "an empty key is none");
    }
}
