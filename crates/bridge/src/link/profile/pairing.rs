//! The two sessions of a sealed pairing: a gate has no certificate yet, so no router lets it in. Each of them carries
//! the two keys of the pairing and nothing else; whoever else connects finds nothing there. What passes is not secret
//! on the way: the pairing itself tells its two sides apart, and seals what only one may read.

use std::net::SocketAddr;

use serde_json::{Value, json};
use zenoh::Config;

use super::production::is_plain;
use super::{CONNECT, LISTEN, MESSAGE_SIZE, MODE, PROTOCOLS, SHARED_MEMORY, set, set_lease, switch_discovery_off};
use crate::BridgeError;
use crate::keys::{PAIR_MESSAGE_BYTES_MAX, PairSide, pair_key};

/// Sessions at once: the gate, and a few that have no business there.
const SESSIONS_MAX: usize = 4;

/// The station's session, which waits at `address` for the gate of any robot of `site`.
pub(in crate::link) fn waiting(address: SocketAddr, site: &str) -> Result<Config, BridgeError> {
    let mut config = Config::default();
    // On every interface anybody could connect; the person names the network that the robot is in.
    if address.ip().is_unspecified() || address.ip().is_multicast() {
        let expected = format!("an address of this computer that a robot can reach, not {}", address.ip());
        return Err(BridgeError::ConfigRefused { field: LISTEN, expected });
    }
    set(&mut config, LISTEN, &json!([format!("tcp/{address}")]))?;
    set(&mut config, CONNECT, &json!([]))?;
    complete(config, site, "*", PairSide::Station)
}

/// The gate's session, which looks for the station at `endpoint`.
pub(in crate::link) fn reaching(endpoint: &str, site: &str, robot: &str) -> Result<Config, BridgeError> {
    let mut config = Config::default();
    if !is_plain(endpoint, "tcp/") {
        let expected = format!("tcp/HOST:PORT without further parts, not {endpoint:?}");
        return Err(BridgeError::ConfigRefused { field: CONNECT, expected });
    }
    set(&mut config, LISTEN, &json!([]))?;
    set(&mut config, CONNECT, &json!([endpoint]))?;
    set(&mut config, "connect/timeout_ms", &json!(-1))?;
    set(&mut config, "connect/exit_on_failure", &json!(false))?;
    let retry = json!({ "period_init_ms": 250, "period_max_ms": 1_000, "period_increase_factor": 2.0 });
    set(&mut config, "connect/retry", &retry)?;
    complete(config, site, robot, PairSide::Gate)
}

fn complete(mut config: Config, site: &str, robot: &str, side: PairSide) -> Result<Config, BridgeError> {
    switch_discovery_off(&mut config, "pairing")?;
    set_lease(&mut config)?;
    let (heard, said) = (pair_key(site, robot, side.other()), pair_key(site, robot, side));
    // The station listens for the gates of all robots at once, and a rule covers what is asked for as a whole.
    let asked = pair_key(site, "*", side);
    let settings = [
        (MODE, json!("peer")),
        (PROTOCOLS, json!(["tcp"])),
        (SHARED_MEMORY, json!(false)),
        (MESSAGE_SIZE, json!(PAIR_MESSAGE_BYTES_MAX)),
        ("adminspace/enabled", json!(false)),
        ("plugins_loading/enabled", json!(false)),
        ("transport/unicast/max_sessions", json!(SESSIONS_MAX)),
        ("transport/unicast/accept_pending", json!(SESSIONS_MAX)),
        ("access_control", access_control(&heard, &said, &asked)),
    ];
    for (field, to) in settings {
        set(&mut config, field, &to)?;
    }
    Ok(config)
}

/// Rules that allow a side to hear the one key and to speak on the other,
/// where the other side asks for it; whatever has none is refused.
fn access_control(heard: &str, said: &str, asked: &str) -> Value {
    let rules = [
        ("hears", "ingress", "put", heard),
        ("asks", "egress", "declare_subscriber", heard),
        ("says", "egress", "put", said),
        ("is-asked", "ingress", "declare_subscriber", asked),
    ];
    let rule = |(id, flow, message, key): (&str, &str, &str, &str)| json!({ "id": id, "permission": "allow", "flows": [flow], "messages": [message], "key_exprs": [key] });
    json!({
        "enabled": true,
        "default_permission": "deny",
        "rules": rules.map(rule),
        "subjects": [{ "id": "anyone" }],
        "policies": [{ "rules": rules.map(|(id, ..)| id), "subjects": ["anyone"] }],
    })
}
