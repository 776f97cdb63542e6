//! The `[zenoh]` part of `config.toml`: the network of the robots.

use bridge::RouterLink;
use robot::RobotId;
use serde::Deserialize;

/// Second part of the keys of rooms.
const ROOM_CHUNK: &str = "room";

/// The `[zenoh]` part. Without a router every endpoint is on this computer; with one the station is its client.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ZenohSettings {
    /// Endpoints to listen on, in order of preference: if one is taken, a free port on loopback is used.
    pub listen: Vec<String>,
    /// Endpoints to connect to.
    pub connect: Vec<String>,
    /// Routers of the site, `tls/HOST:PORT`: with one, nothing is listened on and nothing else is connected to.
    pub routers: Vec<String>,
    /// Cameras and detectors that get a certificate of their own: the second part of their keys.
    pub sources: Vec<String>,
}

impl Default for ZenohSettings {
    fn default() -> Self {
        let listen = vec!["tcp/127.0.0.1:7447".into()];
        Self { listen, connect: Vec::new(), routers: Vec::new(), sources: Vec::new() }
    }
}

impl ZenohSettings {
    /// True if the station is a client of a router: the production profile.
    #[must_use]
    pub fn has_router(&self) -> bool {
        !self.routers.is_empty()
    }

    /// Refuses what is of neither profile.
    pub(super) fn check(&self) -> Result<(), String> {
        let Self { listen, connect, routers, sources } = self;
        for source in sources {
            RobotId::new(source.clone()).map_err(|error| format!("zenoh.sources: {error}"))?;
            if sources.iter().filter(|other| *other == source).count() > 1 || source == ROOM_CHUNK {
                return Err(format!("zenoh.sources: {source:?} is named twice, or means the rooms"));
            }
        }
        if routers.is_empty() {
            return Ok(());
        }
        for router in routers {
            RouterLink::check_router(router).map_err(|expected| format!("zenoh.routers: expected {expected}"))?;
        }
        let beside = "expected nothing beside zenoh.routers, whose clients neither listen nor connect elsewhere";
        // The default was chosen by no person, so it contradicts nothing.
        if *listen != Self::default().listen && !listen.is_empty() {
            return Err(format!("zenoh.listen: {beside}"));
        }
        if connect.is_empty() { Ok(()) } else { Err(format!("zenoh.connect: {beside}")) }
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Settings;

    #[test]
    fn att_15_a_router_excludes_every_other_way_to_the_station() {
        let parse =
            |lines: &str| Settings::parse(&format!("[zenoh]\n{lines}")).map(|settings| settings.zenoh.has_router());
        assert_eq!(parse(""), Ok(false));
        assert_eq!(parse("routers = [\"tls/router.lab:7447\"]\nsources = [\"cam-1\"]"), Ok(true));
        for (lines, key) in [
            ("routers = [\"tcp/router.lab:7447\"]", "zenoh.routers"),
            ("routers = [\"tls/router.lab\"]", "zenoh.routers"),
            ("routers = [\"tls/router.lab:7447?rel=0\"]", "zenoh.routers"),
            ("routers = [\"tls/router.lab:7447\"]\nlisten = [\"tcp/127.0.0.1:7450\"]", "zenoh.listen"),
            ("routers = [\"tls/router.lab:7447\"]\nconnect = [\"tcp/127.0.0.1:7450\"]", "zenoh.connect"),
            ("sources = [\"cam-1\", \"cam-1\"]", "zenoh.sources"),
            ("sources = [\"room\"]", "zenoh.sources"),
            ("sources = [\"*\"]", "zenoh.sources"),
        ] {
            let refused = parse(lines).unwrap_err();
            assert!(refused.starts_with(key), "{lines}: {refused}");
        }
    }
}
