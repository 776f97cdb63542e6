//! The address of a station in a network, as people write it.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

/// The port of `quarterdeck-server` where an address names none.
pub const PORT: u16 = 8420;
/// The longest name of a host.
const HOST_CHARS_MAX: usize = 253;

/// A host and a port. Two that are written differently and mean the same are equal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address {
    host: String,
    port: u16,
}

/// A text that is no address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an address is HOST or HOST:PORT, for example lab.local:{PORT} or 10.0.0.5")]
pub struct NoAddress;

impl Address {
    /// The host, without the brackets of IPv6.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    fn of_ip(ip: IpAddr, port: u16) -> Self {
        Self { host: ip.to_string(), port }
    }
}

impl FromStr for Address {
    type Err = NoAddress;

    fn from_str(text: &str) -> Result<Self, NoAddress> {
        let text = text.trim().to_ascii_lowercase();
        let text = text.strip_prefix("https://").unwrap_or(&text);
        let text = text.strip_suffix('/').unwrap_or(text);
        // An address of IPv6 has colons of its own, so that numbers are tried before a port is split off.
        if let Ok(address) = text.parse::<SocketAddr>() {
            return if address.port() == 0 { Err(NoAddress) } else { Ok(Self::of_ip(address.ip(), address.port())) };
        }
        let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
        if let Ok(ip) = bare.parse::<IpAddr>() {
            return Ok(Self::of_ip(ip, PORT));
        }
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().map_err(|_| NoAddress)?),
            None => (text, PORT),
        };
        let is_named = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
        if !is_named || host.is_empty() || host.len() > HOST_CHARS_MAX || port == 0 {
            return Err(NoAddress);
        }
        Ok(Self { host: host.to_owned(), port })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { host, port } = self;
        if host.contains(':') { write!(f, "[{host}]:{port}") } else { write!(f, "{host}:{port}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rd_02_an_address_is_a_host_with_or_without_a_port_and_nothing_else() {
        for (written, meant) in [
            ("lab.local", "lab.local:8420"),
            (" https://Lab.local:9000/ ", "lab.local:9000"),
            ("10.0.0.5", "10.0.0.5:8420"),
            ("10.0.0.5:443", "10.0.0.5:443"),
            ("::1", "[::1]:8420"),
            ("[::1]:9000", "[::1]:9000"),
        ] {
            assert_eq!(written.parse::<Address>().map(|address| address.to_string()).as_deref(), Ok(meant));
        }
        for written in [
            "",
            "http://lab",
            "lab/path",
            "lab:0",
            "10.0.0.5:0",
            "[::1]:0",
            "lab:99999",
            "user@lab",
            "lab local",
            "a:b:c",
        ] {
            assert_eq!(written.parse::<Address>(), Err(NoAddress), "{written}");
        }
    }
}
