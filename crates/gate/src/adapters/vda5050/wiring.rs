//! Table `[vda5050]` of the wiring.

use std::path::PathBuf;

use serde::Deserialize;
use url::Url;

use crate::adapter::Means;
use crate::code::GateCode;
use crate::error::GateError;

/// Table `[vda5050]` of the wiring.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vda5050Wiring {
    /// `mqtt://host` or `mqtts://host`, with a port if it is not the usual one.
    pub broker: String,
    /// The first part of its topics, as in `uagv`.
    pub interface: String,
    /// The vehicle's manufacturer, as it stands in its topics.
    pub manufacturer: String,
    /// Its serial number, as it stands in its topics.
    pub serial: String,
    /// The map that its poses are on; the name of the manifest's default frame if left out.
    #[serde(default)]
    pub map: Option<String>,
    /// Name by which the gate is known to the broker.
    #[serde(default)]
    pub user: Option<String>,
    /// File with the password that belongs to it.
    #[serde(default)]
    pub password_file: Option<PathBuf>,
    /// File with the certificates that the broker's is held against; those of this computer if left out.
    #[serde(default)]
    pub ca: Option<PathBuf>,
}

/// The way to a broker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broker {
    /// Name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Over TLS.
    pub is_encrypted: bool,
}

impl Vda5050Wiring {
    /// Properties of every vehicle that commissioning needs to know.
    #[must_use]
    pub fn means() -> Means {
        Means { stops: Vec::new(), base_timeout: None, takes_velocities: false, takes_joints: false }
    }

    /// The broker.
    ///
    /// # Errors
    /// Says that it is none.
    pub fn broker(&self) -> Result<Broker, GateError> {
        let bad = || {
            let message = format!("`broker` is {:?}, and must be mqtt://host or mqtts://host", self.broker);
            GateError::new(GateCode::BadVda5050, message)
        };
        let url = Url::parse(&self.broker).map_err(|_| bad())?;
        let is_encrypted = match url.scheme() {
            "mqtt" => false,
            "mqtts" => true,
            _ => return Err(bad()),
        };
        let is_plain = matches!(url.path(), "" | "/") && url.username().is_empty() && url.password().is_none();
        let host =
            url.host_str().filter(|host| !host.is_empty() && is_plain && url.query().is_none()).ok_or_else(bad)?;
        let port = url.port().unwrap_or(if is_encrypted { 8883 } else { 1883 });
        Ok(Broker { host: host.to_owned(), port, is_encrypted })
    }

    /// Everything in the table that cannot be used.
    #[must_use]
    pub fn misfits(&self) -> Vec<GateError> {
        let bad = |message: String| GateError::new(GateCode::BadVda5050, message);
        // With a wildcard the gate would hear other vehicles too.
        let is_topic = |part: &str| !part.is_empty() && !part.contains(['/', '+', '#', '$', '\0']);
        let parts = [("interface", &self.interface), ("manufacturer", &self.manufacturer), ("serial", &self.serial)];
        let mut misfits: Vec<GateError> = self.broker().err().into_iter().collect();
        misfits.extend(
            parts
                .into_iter()
                .filter(|(_, part)| !is_topic(part))
                .map(|(name, part)| bad(format!("`{name}` is {part:?}, which is no part of a topic"))),
        );
        if self.user.is_some() != self.password_file.is_some() {
            misfits.push(bad("`user` and `password_file` belong together".to_owned()));
        }
        misfits
    }

    /// The topics of the vehicle, whatever its version.
    #[must_use]
    pub fn topics(&self) -> [String; 3] {
        let Self { interface, manufacturer, serial, .. } = self;
        ["connection", "state", "visualization"].map(|topic| format!("{interface}/+/{manufacturer}/{serial}/{topic}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wiring(more: &str) -> Vda5050Wiring {
        let usual =
            "broker = \"mqtts://fleet.lab\"\ninterface = \"uagv\"\nmanufacturer = \"ACME\"\nserial = \"agv-1\"\n";
        let name = more.split(' ').next().unwrap();
        let others: String = usual
            .lines()
            .filter(|line| !line.starts_with(name) || name.is_empty())
            .map(|line| format!("{line}\n"))
            .collect();
        toml::from_str(&format!("{others}{more}")).unwrap()
    }

    #[test]
    fn rg_51_a_broker_is_reached_at_its_usual_port_and_nothing_else_is_one() {
        let broker = |url: &str| wiring(&format!("broker = {url:?}")).broker();
        assert_eq!(
            broker("mqtts://fleet.lab").unwrap(),
            Broker { host: "fleet.lab".to_owned(), port: 8883, is_encrypted: true }
        );
        assert_eq!((broker("mqtt://10.0.0.7").unwrap().port, broker("mqtt://[::1]:99").unwrap().port), (1883, 99));
        for url in ["fleet.lab", "http://fleet.lab", "mqtt://", "mqtt://me:secret@fleet.lab", "mqtt://fleet.lab/agv"] {
            assert_eq!(broker(url).unwrap_err().code.to_string(), "bad_vda5050", "{url}");
        }
    }

    #[test]
    fn rg_51_a_name_that_would_hear_other_vehicles_is_refused() {
        assert!(wiring("").misfits().is_empty());
        for more in ["serial = \"+\"", "manufacturer = \"A/B\"", "interface = \"\"", "user = \"gate\""] {
            assert_eq!(wiring(more).misfits().len(), 1, "{more}");
        }
        assert_eq!(wiring("").topics()[1], "uagv/+/ACME/agv-1/state");
    }
}
