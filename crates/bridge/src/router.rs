//! Configuration of a site's router and of its clients, made from the manifests.
//! Rules only ever allow, and name a client by its certificate: a rule covers the
//! keys that it includes, so one that denies would be escaped by a put on a wildcard.

use std::collections::BTreeSet;

use robot::{Camera, Manifest};
use serde_json::{Value, json};

use crate::RobotKeys;
use crate::envelope::MESSAGE_BYTES_MAX as COMMAND_BYTES_MAX;
use crate::link::MESSAGE_BYTES_MAX;

/// The port of Zenoh.
pub const ROUTER_PORT: u16 = 7447;
/// The port at which a station waits for the gate of a sealed pairing, unless a person names another.
pub const PAIRING_PORT: u16 = 7448;
/// Stops, holds, claims, releases and beats have some hundred bytes.
const CONTROL_BYTES_MAX: usize = 8_192;
/// Sessions of a small site. A larger one has room for two of each client:
/// a link that comes again may be there before the old one is given up.
const SESSIONS_MIN: usize = 200;
/// Of one kind of state more samples per second than this are thinned out: far above what a gate publishes.
const STATE_HZ_MAX: f64 = 200.0;
/// More maps of a robot than this a second are thinned out: nobody sees the difference.
const MAP_HZ_MAX: f64 = 2.0;
/// Pictures come in bursts; only what lasts above the declared rate is thinned out.
const PICTURE_RATE_FACTOR: f64 = 1.5;

/// A camera or detector that is no robot: it publishes below keys of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceCertificate {
    /// Second chunk of its keys.
    pub id: String,
    /// Common name of its certificate.
    pub certificate_name: String,
}

/// Everything from which the rules of a router follow.
#[derive(Debug, Clone, Copy)]
pub struct RouterRules<'a> {
    /// First chunk of the keys of rooms and sources.
    pub site: &'a str,
    /// Common name of the station's certificate.
    pub station: &'a str,
    /// Robots that may connect; one without a certificate name gets no rule.
    pub robots: &'a [&'a Manifest],
    /// Other sources that may connect.
    pub sources: &'a [SourceCertificate],
    /// Port that the router listens on.
    pub port: u16,
}

impl RouterRules<'_> {
    /// The router's configuration. Its certificate lies beside the file.
    #[must_use]
    pub fn config(&self) -> Value {
        let clients = 1 + self.robots.len() + self.sources.len();
        let mut tls = tls_files("listen");
        tls["enable_mtls"] = json!(true);
        tls["verify_name_on_connect"] = json!(true);
        tls["close_link_on_expiration"] = json!(true);
        json!({
            "mode": "router",
            "listen": { "endpoints": [format!("tls/0.0.0.0:{}", self.port)] },
            "connect": { "endpoints": [] },
            "scouting": { "multicast": { "enabled": false }, "gossip": { "enabled": false } },
            // `zenohd` switches the admin space on whatever is said here; so nobody may read or write in it either.
            "adminspace": { "enabled": false, "permissions": { "read": false, "write": false } },
            "plugins_loading": { "enabled": false },
            "transport": {
                "shared_memory": { "enabled": false },
                "unicast": { "max_sessions": SESSIONS_MIN.max(2 * clients), "accept_pending": 16 },
                "link": {
                    "protocols": ["tls"],
                    "tls": tls,
                    "tx": { "lease": 2_000, "keep_alive": 4 },
                    "rx": { "max_message_size": MESSAGE_BYTES_MAX },
                },
            },
            "low_pass_filter": self.size_limits(),
            "downsampling": self.rate_limits(),
            "qos": { "network": self.priorities() },
            "access_control": self.access_control(),
        })
    }

    fn sites(&self) -> BTreeSet<&str> {
        self.robots.iter().map(|robot| robot.site.as_str()).chain([self.site]).collect()
    }

    fn size_limits(&self) -> Value {
        let limit = |(keys, size_limit): (Vec<String>, usize)| json!({ "flows": ["ingress"], "messages": ["put"], "key_exprs": keys, "size_limit": size_limit });
        let of_each = |parts: &[&str]| -> Vec<String> {
            self.sites().iter().flat_map(|site| parts.iter().map(move |part| format!("{site}/*/cmd/{part}"))).collect()
        };
        let limits = [
            (of_each(&["stop", "hold", "claim", "release", "beat"]), CONTROL_BYTES_MAX),
            (of_each(&["**"]), COMMAND_BYTES_MAX),
        ];
        limits.map(limit).into_iter().collect()
    }

    /// One rule for each declared source: a rule counts everything that it covers together.
    fn rate_limits(&self) -> Value {
        let of_robot = |robot: &&Manifest| {
            let of_state = robot.state.iter().map(|source| (source.key.clone(), STATE_HZ_MAX));
            let of_camera = |camera: &Camera| {
                let rate_hz = camera.rate_hz * PICTURE_RATE_FACTOR;
                picture_keys(camera).map(|key| (key, rate_hz)).collect::<Vec<_>>()
            };
            let of_cameras = robot.cameras.iter().flat_map(of_camera);
            let of_map = robot.map.iter().map(|map| (map.key.clone(), MAP_HZ_MAX));
            of_state.chain(of_cameras).chain(of_map).collect::<Vec<_>>()
        };
        let rules: Vec<Value> =
            self.robots.iter().flat_map(of_robot).map(|(key, freq)| json!({ "key_expr": key, "freq": freq })).collect();
        if rules.is_empty() {
            return json!([]);
        }
        json!([{ "id": "declared-rates", "flows": ["ingress"], "messages": ["put"], "rules": rules }])
    }

    /// Priorities of sources are set here, whatever they ask for:
    /// their samples never go before an acknowledgement or a stop.
    fn priorities(&self) -> Value {
        let states = self.robots.iter().flat_map(|robot| robot.state.iter().map(|source| source.key.clone()));
        let pictures = self.robots.iter().flat_map(|robot| {
            let cameras = robot.cameras.iter().flat_map(picture_keys);
            cameras.chain(robot.map.iter().map(|map| map.key.clone()))
        });
        let overwrite = |keys: Vec<String>, priority: &str| {
            (!keys.is_empty()).then(|| {
                json!({ "id": format!("priority-{priority}"), "flows": ["ingress"], "messages": ["put"], "key_exprs": keys,
                        "overwrite": { "priority": priority, "congestion_control": "drop" } })
            })
        };
        [overwrite(states.collect(), "data"), overwrite(pictures.collect(), "background")]
            .into_iter()
            .flatten()
            .collect()
    }

    fn access_control(&self) -> Value {
        let mut control = AccessControl::default();
        self.allow_station(&mut control);
        for robot in self.robots {
            // A robot with the station's certificate name would get the
            // station's rules; without a name a client cannot be identified.
            let Some(name) = robot.certificate_name.as_deref().filter(|name| *name != self.station) else { continue };
            let keys = RobotKeys::new(robot);
            control.client(robot.id.as_str(), name, &[keys.outputs()], Some(keys.commands()));
        }
        for source in self.sources.iter().filter(|source| source.certificate_name != self.station) {
            let below = |part: &str| format!("{}/{}/{part}/**", self.site, source.id);
            control.client(&source.id, &source.certificate_name, &[below("out"), below("vision")], None);
        }
        json!({
            "enabled": true,
            "default_permission": "deny",
            "rules": control.rules,
            "subjects": control.subjects,
            "policies": control.policies,
        })
    }

    fn allow_station(&self, control: &mut AccessControl) {
        let each = |part: &str| self.sites().iter().map(|site| format!("{site}/*/{part}/**")).collect::<Vec<_>>();
        let (commands, outputs) = (each("cmd"), [each("out"), each("vision")].concat());
        let rooms = [format!("{}/room/**", self.site)];
        control.rule("station-commands", "ingress", "put", &commands);
        // The station learns from declarations who listens, so these have to pass as well.
        control.rule("station-sees-robots", "egress", "declare_subscriber", &commands);
        control.rule("station-subscribes", "ingress", "declare_subscriber", &outputs);
        control.rule("station-hears", "egress", "put", &outputs);
        for flow in ["ingress", "egress"] {
            for message in ["put", "declare_subscriber"] {
                control.rule(&format!("station-rooms-{flow}-{message}"), flow, message, &rooms);
            }
        }
        control.subject("station", self.station);
    }
}

/// Rules, subjects and policies as Zenoh wants them.
#[derive(Default)]
struct AccessControl {
    rules: Vec<Value>,
    subjects: Vec<Value>,
    policies: Vec<Value>,
    /// Rules that no subject has yet.
    unassigned: Vec<String>,
}

impl AccessControl {
    fn rule(&mut self, id: &str, flow: &str, message: &str, keys: &[String]) {
        self.rules.push(
            json!({ "id": id, "permission": "allow", "flows": [flow], "messages": [message], "key_exprs": keys }),
        );
        self.unassigned.push(id.to_owned());
    }

    /// Gives the rules since the last subject to whoever has this certificate.
    fn subject(&mut self, id: &str, certificate_name: &str) {
        self.subjects.push(json!({ "id": id, "cert_common_names": [certificate_name] }));
        let rules = std::mem::take(&mut self.unassigned);
        self.policies.push(json!({ "rules": rules, "subjects": [id] }));
    }

    /// A client that publishes on `outputs`, and hears `commands`.
    fn client(&mut self, id: &str, certificate_name: &str, outputs: &[String], commands: Option<String>) {
        // A robot may be called `station`; its rules must not be those of the station.
        let id = format!("client-{id}");
        self.rule(&format!("{id}-publishes"), "ingress", "put", outputs);
        self.rule(&format!("{id}-sees-station"), "egress", "declare_subscriber", outputs);
        if let Some(commands) = commands {
            let commands = [commands];
            self.rule(&format!("{id}-subscribes"), "ingress", "declare_subscriber", &commands);
            self.rule(&format!("{id}-hears"), "egress", "put", &commands);
        }
        self.subject(&id, certificate_name);
    }
}

/// The configuration of a robot or another source. Its certificate lies beside the file.
#[must_use]
pub fn client_config(router: &str) -> Value {
    let mut tls = tls_files("connect");
    tls["enable_mtls"] = json!(true);
    tls["verify_name_on_connect"] = json!(true);
    tls["close_link_on_expiration"] = json!(true);
    json!({
        "mode": "client",
        "connect": { "endpoints": [router] },
        "scouting": { "multicast": { "enabled": false }, "gossip": { "enabled": false } },
        "transport": { "link": { "tls": tls } },
    })
}

/// The keys of a camera's pictures and of what a detector finds in them.
fn picture_keys(camera: &Camera) -> impl Iterator<Item = String> {
    [camera.key.clone()].into_iter().chain(camera.detections.as_ref().map(|detections| detections.key.clone()))
}

fn tls_files(side: &str) -> Value {
    json!({
        "root_ca_certificate": "ca.pem",
        format!("{side}_certificate"): "certificate.pem",
        format!("{side}_private_key"): "key.pem",
    })
}

#[cfg(test)]
mod tests;
