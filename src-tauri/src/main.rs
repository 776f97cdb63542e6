//! The desktop application's entry: arguments, log, graphics workaround, window.

use clap::Parser;
use quarterdeck_app::{Options, run, work_around_graphics};

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    server::start_log()?;
    let ready = work_around_graphics(options.safe_graphics).map_err(anyhow::Error::from);
    let ended = ready.and_then(|()| run(options));
    server::end_log();
    ended
}
