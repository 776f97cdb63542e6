//! The part of the check that is about a vehicle of VDA 5050.

use std::time::Duration;

use super::{Report, watch};
use crate::adapters::vda5050::{Vda5050Watcher, Vda5050Wiring};
use crate::code::GateCode;
use crate::error::GateError;
use crate::host;
use crate::setup::Setup;

/// Time for which the vehicle is watched: a state comes every second or more often.
const WATCH: Duration = Duration::from_secs(5);

/// Checks the table `[vda5050]`, and unless `offline` what the broker and the vehicle show.
pub fn check(setup: &Setup, offline: bool, report: &mut Report) {
    let Some(wiring) = &setup.wiring.vda5050 else { return };
    let Vda5050Wiring { interface, manufacturer, serial, .. } = wiring;
    match wiring.broker() {
        Ok(broker) => {
            report.good(format!("broker {}, topics {interface}/+/{manufacturer}/{serial}", wiring.broker));
            if !broker.is_encrypted {
                report.note("the way to the broker is not encrypted: whoever is on it can command the vehicle");
            }
        }
        // Reported already, with the misfits of the wiring.
        Err(_) => return,
    }
    report.note(
        "commissioning has the hardware stop alone: an order has no velocity, so that no step can move the vehicle",
    );
    if !offline {
        watch::look(setup, report, |setup, report| check_vehicle(setup, wiring, report));
    }
}

fn check_vehicle(setup: &Setup, wiring: &Vda5050Wiring, report: &mut Report) {
    match Vda5050Watcher::watch(wiring, &setup.folder, &setup.manifest, &host::clock()) {
        Ok(mut watcher) => {
            watch::watch(setup, &mut watcher, WATCH, GateCode::BadVda5050, report);
            check_seen(&watcher.seen(), wiring, report);
        }
        Err(error) => report.wrong(&error),
    }
}

/// Holds the wiring against what has shown itself: the broker, the vehicle, its version.
pub(super) fn check_seen(seen: &(bool, bool, Option<String>), wiring: &Vda5050Wiring, report: &mut Report) {
    let Vda5050Wiring { broker, interface, manufacturer, serial, .. } = wiring;
    let wrong = |message: String| GateError::new(GateCode::BadVda5050, message);
    match seen {
        (false, ..) => report.wrong(&wrong(format!("the broker {broker} does not answer"))),
        (true, true, Some(version)) => report.good(format!("the vehicle is online and speaks VDA 5050 {version}")),
        (true, _, Some(_)) => report.wrong(&wrong(format!("the vehicle {manufacturer}/{serial} is not online"))),
        (true, _, None) => {
            let message = format!("no vehicle {manufacturer}/{serial} is online under {interface:?} at the broker");
            report.wrong(&wrong(message));
        }
    }
}
