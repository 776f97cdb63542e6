//! The desktop application's entry: arguments, graphics workaround, window.

use std::io::IsTerminal;

use clap::Parser;
use quarterdeck_app::{Options, run, work_around_graphics};

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    tracing_subscriber::fmt()
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_default_env()
                .unwrap_or_else(|_unset| tracing_subscriber::EnvFilter::new("info,zenoh=error")),
        )
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr)
        .init();
    work_around_graphics(options.safe_graphics)?;
    run(options)
}
