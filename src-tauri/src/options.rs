//! Command-line arguments of the app.

use std::path::PathBuf;

/// Asks the running app to stop every robot.
pub const STOP_ALL: &str = "--stop-all";

/// Supervise robots from the desk.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "quarterdeck", version)]
pub struct Options {
    /// Folder of the station's state; the platform's data directory if absent
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Start the simulated site
    #[arg(long)]
    pub with_sim: bool,
    /// Seed of the simulated site: the same seed plays the same scene
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Press STOP ALL in the app that is running, and do nothing else
    #[arg(long)]
    pub stop_all: bool,
    /// Open the small window that stops, above all others
    #[arg(long)]
    pub stop_window: bool,
    /// Draw without hardware acceleration that is known to leave windows blank
    #[arg(long)]
    pub safe_graphics: bool,
    /// Zenoh configuration of the link to the robots (json5)
    #[arg(long, value_name = "FILE")]
    pub zenoh_config: Option<PathBuf>,
}
