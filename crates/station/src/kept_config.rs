//! Keeps the configuration that was accepted last, on record and in a copy, so that one that vanishes loosens nothing.

use std::sync::Arc;

use memory::{MemoryError, StationDb};
use world::alarm::{BuiltIn, Of};

use crate::audit::Checked;
use crate::config::{Known, Settings, Source, copy_in, record};
use crate::disk;
use crate::error::OpError;
use crate::station::Station;

/// The configuration on record, if one was ever accepted. A record that was changed is none: the audit's own check finds it.
pub(crate) async fn known(db: &StationDb) -> Result<Option<Known>, MemoryError> {
    let line = db.audit_settings().await?;
    Ok(line.and_then(|line| Checked::of(&line).ok()).and_then(|record| Known::of(&record)))
}

/// Tells of a configuration that is gone, keeps the one of this start where it is `news`, and from now on each change.
pub(crate) async fn start(station: &Arc<Station>, source: Source, news: Option<String>) {
    tell(station, source);
    if let Some(text) = news {
        keep(station, text).await;
    }
    let (station, ended) = (Arc::clone(station), station.ended.clone());
    station.tasks.clone().spawn(async move {
        loop {
            tokio::select! {
                () = ended.cancelled() => return,
                text = station.models.file().changed() => {
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
        .alarms
        .set(BuiltIn::ConfigLost, &Of::station(), sentence.is_some(), || sentence.unwrap_or_default().to_owned());
}

async fn keep(station: &Station, text: String) {
    if let Err(error) = try_keep(station, text).await {
        // The file itself is in force; only its loss would not be made good.
        tracing::error!(code = error.code, "the configuration is not kept: {}", error.message);
        station.hub.event("config_not_kept", format!("The copy of config.toml is not up to date: {}", error.message));
    }
}

async fn try_keep(station: &Station, text: String) -> Result<(), OpError> {
    let settings = Settings::parse(&text).map_err(|why| OpError::conflict("config_invalid", why))?;
    let accepted = record(&settings, &text);
    let copied = disk::replace(copy_in(&station.layout.root), text).await;
    copied.map_err(|error| OpError::conflict("config_not_written", error.to_string()))?;
    station.audit.commit(accepted).await
}
