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
use crate::pairing::Beyond;

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
            "Waits five minutes for a gate that wants to be paired; behind a router at an address of its own.",
            open_pairing,
        )
        .example(json!({ "address": "192.168.7.1:7448" })),
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

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OpenPairing {
    /// Address at which the gate is awaited, `IP` or `IP:PORT` of the station's computer, if the robots are behind a router.
    /// Left out, it is the one from which the station reaches that router, with port 7448.
    address: Option<String>,
}

async fn open_pairing(station: Arc<Station>, _: Session, input: OpenPairing) -> Result<PairingView, OpError> {
    let profile = station.runtime.link.profile();
    let beyond = match profile {
        Profile::Local if station.network.routers().is_empty() => {
            if input.address.is_some() {
                let message = "This station has no router, so every gate is on its own computer.";
                return Err(OpError::bad_input(StationCode::PairingHere, "address", message));
            }
            None
        }
        Profile::Local | Profile::Production => Some(beyond(&station, profile, input.address.as_deref()).await?),
    };
    station.pairings.open(&station.fleet, beyond).await?;
    Ok(changed(&station))
}

/// Refuses to wait for a gate that could not get a certificate.
async fn beyond(station: &Station, profile: Profile, address: Option<&str>) -> Result<Beyond, OpError> {
    station.network.check_can_certify().await?;
    // A router in the settings and a local link: this run began without a certificate, so no gate could reach it.
    if profile == Profile::Local {
        let message = "The station has not taken up its own certificate yet.";
        return Err(OpError::new(StationCode::PairingUncertified, message));
    }
    let address = station.network.pairing_address(address).await?;
    Ok(Beyond { address, network: Arc::clone(&station.network) })
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
