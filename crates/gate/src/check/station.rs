//! The part of the check that looks at the station.

use std::net::TcpStream;
use std::time::Duration;

use super::Report;
#[cfg(feature = "ros2")]
use crate::code::GateCode;
#[cfg(feature = "ros2")]
use crate::error::GateError;
use crate::setup::Setup;
use crate::wiring::{Reach, tcp_address};

/// Time for whatever listens there to answer.
const REACH_WITHIN: Duration = Duration::from_secs(1);

/// Looks for the station at its endpoint on this computer. Whatever is behind a router shows when the gate runs.
pub async fn look(setup: &Setup, report: &mut Report) {
    let Ok(Reach::Here(endpoint)) = setup.wiring.reach() else { return };
    match tcp_address(&endpoint).map(|address| TcpStream::connect_timeout(&address, REACH_WITHIN)) {
        Some(Ok(_)) => look_behind(&endpoint, report).await,
        Some(Err(error)) => report.note(format!("nothing listens at {endpoint} now: {error}")),
        None => {}
    }
}

/// A router of `rmw_zenoh` listens on Zenoh's usual port, where a station would, and tells its nodes to everybody.
#[cfg(feature = "ros2")]
async fn look_behind(endpoint: &str, report: &mut Report) {
    // A listener that does not answer this has no nodes of ROS 2; nor has a station.
    let nodes = bridge::tokens(endpoint, ros2::TOKENS, REACH_WITHIN, 1).await.unwrap_or_default();
    if nodes.is_empty() {
        report.good(format!("something listens at {endpoint}"));
    } else {
        let message = format!("a Zenoh router of ROS 2 listens at {endpoint}, and no station");
        report.wrong(&GateError::new(GateCode::EndpointClash, message));
    }
}

#[cfg(not(feature = "ros2"))]
async fn look_behind(endpoint: &str, report: &mut Report) {
    report.good(format!("something listens at {endpoint}"));
}
