//! Pairing with the gate of a robot: the window's side of it.

use std::sync::Arc;

use bridge::Profile;
use robot::{Effect, Role, Trust};
use runtime::error::OpError;
use runtime::operation::{Nothing, Terms, UI, row};
use runtime::session::Session;
use runtime::wire::{PairingView, Tag};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::Operation;
use crate::Station;
use crate::code::StationCode;

pub(super) fn rows() -> Vec<Operation> {
    use Effect::{Read, Write};
    use Role::{Admin, Viewer};
    vec![
        row(
            "get_pairing",
            Terms(Viewer, Read, UI, Trust::Text),
            "The pairing that is open: its digits, its robot, and why a try failed.",
            get_pairing,
        ),
        row(
            "open_pairing",
            Terms(Admin, Write, UI, Trust::Text),
            "Waits five minutes for the gate of a robot on this computer that wants to be paired.",
            open_pairing,
        ),
        row(
            "confirm_pairing",
            Terms(Admin, Write, UI, Trust::Text),
            "Says that the gate shows the same digits. The robot is added once the gate says so too.",
            confirm_pairing,
        )
        .example(json!({ "digits": "482913" })),
        row("close_pairing", Terms(Admin, Write, UI, Trust::Text), "Ends the pairing that is open.", close_pairing),
    ]
}

async fn get_pairing(station: Arc<Station>, _: Session, _: Nothing) -> Result<PairingView, OpError> {
    Ok(shown(&station))
}

async fn open_pairing(station: Arc<Station>, _: Session, _: Nothing) -> Result<PairingView, OpError> {
    match station.runtime.link.profile() {
        Profile::Local if station.network.routers().is_empty() => {}
        Profile::Local | Profile::Production => {
            let message = "This station reaches its robots through a router.";
            return Err(OpError::new(StationCode::PairingElsewhere, message));
        }
    }
    station.pairings.open(&station.fleet).await?;
    Ok(changed(&station))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ConfirmPairing {
    /// The six digits that were compared.
    digits: String,
}

async fn confirm_pairing(station: Arc<Station>, _: Session, input: ConfirmPairing) -> Result<PairingView, OpError> {
    station.pairings.confirm(&input.digits)?;
    Ok(changed(&station))
}

async fn close_pairing(station: Arc<Station>, _: Session, _: Nothing) -> Result<PairingView, OpError> {
    station.pairings.close();
    Ok(changed(&station))
}

fn changed(station: &Station) -> PairingView {
    station.runtime.bus.changed(Tag::Connections);
    shown(station)
}

fn shown(station: &Station) -> PairingView {
    station.pairings.view(station.runtime.clock.now().station)
}
