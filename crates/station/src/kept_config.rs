//! Keeps the configuration that was accepted last, on record and in a copy, so that a file that vanishes loosens
//! no limit.

use std::path::Path;
use std::sync::Arc;

use memory::StationDb;
use world::alarm::{BuiltIn, Of};

use crate::StartError;
use crate::station::Station;
use runtime::audit::Checked;
use runtime::config::{Known, Loaded, Settings, Source, copy_in, record};
use runtime::disk;
use runtime::error::{OpError, RuntimeCode};

/// The text that a start goes by.
pub(crate) struct Accepted {
    pub text: String,
    source: Source,
    /// It is not yet the one on record.
    is_new: bool,
}

/// The configuration of this start. A record of one that was changed counts as none: the audit's own check finds it.
pub(crate) async fn load(db: &StationDb, root: &Path) -> Result<(Settings, Accepted), StartError> {
    let line = db.audit_settings().await?;
    let known = line.and_then(|line| Checked::of(&line).ok()).and_then(|record| Known::of(&record));
    let loaded = Loaded::read(root, known.as_ref())?;
    let is_new = loaded.is_new(known.as_ref());
    Ok((loaded.settings, Accepted { text: loaded.text, source: loaded.source, is_new }))
}

/// Tells of a configuration that is gone, keeps the one of this start where it is new, and from now on each change.
pub(crate) async fn start(station: &Arc<Station>, accepted: Accepted) {
    tell(station, accepted.source);
    if accepted.is_new {
        keep(station, accepted.text).await;
    }
    let (station, ended) = (Arc::clone(station), station.runtime.ended.clone());
    station.runtime.tasks.clone().spawn(async move {
        loop {
            tokio::select! {
                () = ended.cancelled() => return,
                text = station.runner.config_file().changed() => {
                    keep(&station, text).await;
                    tell(&station, Source::File);
                }
            }
        }
    });
}

fn tell(station: &Station, source: Source) {
    let sentence = source.sentence();
    station
        .sensing
        .alarms
        .set(BuiltIn::ConfigLost, &Of::station(), sentence.is_some(), || sentence.unwrap_or_default().to_owned());
}

async fn keep(station: &Station, text: String) {
    if let Err(error) = try_keep(station, text).await {
        // The settings are in force all the same; only a loss of the file could not be made good.
        tracing::error!(code = error.code.as_str(), "the configuration is not kept: {}", error.message);
        station
            .runtime
            .bus
            .event("config_not_kept", format!("The copy of config.toml is not up to date: {}", error.message));
    }
}

async fn try_keep(station: &Station, text: String) -> Result<(), OpError> {
    let settings = Settings::parse(&text).map_err(|why| OpError::new(RuntimeCode::ConfigInvalid, why))?;
    let accepted = record(&settings, &text);
    // The copy first: if the disk refuses it, the copy and the record of before still belong together.
    let copied = disk::replace(copy_in(&station.runtime.layout.root), text).await;
    copied.map_err(|error| OpError::new(RuntimeCode::ConfigNotWritten, error.to_string()))?;
    station.runtime.audit.commit(accepted).await
}
