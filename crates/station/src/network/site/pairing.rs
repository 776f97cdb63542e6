//! Credentials that a gate gets in its pairing, and the address at which it is awaited.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use bridge::PAIRING_PORT;
use bridge::pairing::RobotBundle;
use memory::StationDb;
use robot::Manifest;
use runtime::error::OpError;
use secrecy::ExposeSecret as _;
use tokio::net::{UdpSocket, lookup_host};

use super::super::certificates::End;
use super::{Network, certificate_name, failed, not_revoked, refused, router_address, shown_address, source_name};
use crate::code::StationCode;

/// Time for the name of the router to be looked up.
const LOOK_UP_WITHIN: Duration = Duration::from_secs(2);

impl Network {
    /// The refusal to pair while the site has no authority that could sign, or no router to send a gate to.
    pub async fn check_can_certify(&self) -> Result<(), OpError> {
        let stored = self.stored.lock().await;
        if stored.authority.is_some() && stored.station.is_some() && stored.router_address.is_some() {
            return Ok(());
        }
        let message = "The site has no certificates yet that a gate's could belong to.";
        Err(OpError::new(StationCode::PairingUncertified, message))
    }

    /// Refuses a manifest whose gate could get no certificate, or one that another robot or source bears.
    pub fn check_certifiable<'a>(
        &self,
        robot: &Manifest,
        others: impl IntoIterator<Item = &'a Manifest>,
    ) -> Result<(), OpError> {
        let name = certificate_name(robot, &self.site)?;
        // A robot that is paired again keeps its name.
        let mut others = others.into_iter().filter(|other| other.id != robot.id);
        let is_taken = others.any(|other| other.certificate_name.as_deref() == Some(name))
            || self.settings.sources.iter().any(|id| source_name(id, &self.site) == name);
        if is_taken {
            let message = format!(
                "The certificate_name of {}, {name}, is that of another robot or source. A pairing gives it to one alone.",
                robot.id
            );
            return Err(OpError::new(StationCode::BadCertificateName, message));
        }
        Ok(())
    }

    /// Makes the credentials of one robot. The router's rules have it from the next export on.
    pub async fn certify(&self, db: &StationDb, robot: &Manifest, now_ms: i64) -> Result<RobotBundle, OpError> {
        // It takes the same lock, so it comes before that is held.
        self.check_can_certify().await?;
        let mut stored = self.stored.lock().await;
        let mut next = stored.clone();
        let (host, port) = router_address(next.router_address.as_deref())?;
        let name = certificate_name(robot, &self.site)?;
        not_revoked(name, &next).map_err(|hindrance| refused(&hindrance, &robot.id))?;
        let authority = self.authority(&mut next, &self.site, now_ms).await?;
        let signed = authority.sign(name, End::Client, None, now_ms).map_err(failed)?;
        self.redaction.learn(signed.key.expose_secret().as_bytes());
        next.clients.retain(|client| client.name != signed.stored.name);
        next.clients.push(signed.stored);
        // Remembered before it is handed over: a certificate that nobody remembers cannot be revoked.
        db.save_network(&next).await?;
        *stored = next;
        Ok(RobotBundle {
            robot: robot.id.clone(),
            router: format!("tls/{}", shown_address(&host, port)),
            authority: authority.pem().to_owned(),
            certificate: signed.pem,
            key: signed.key,
        })
    }

    /// The address at which a gate is awaited: the one that a person names, else the one from which this computer
    /// reaches its router.
    pub async fn pairing_address(&self, named: Option<&str>) -> Result<SocketAddr, OpError> {
        let refused = |message: String| OpError::bad_input(StationCode::PairingAddress, "address", message);
        let Some(text) = named.map(str::trim).filter(|text| !text.is_empty()) else {
            let found = self.own_address().await;
            let unknown =
                || refused("The router's name is not found, so neither is this computer's address.".to_owned());
            return found.map(|ip| SocketAddr::new(ip, PAIRING_PORT)).ok_or_else(unknown);
        };
        let bare = text.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        let address = text.parse().or_else(|_| bare.map(|ip| SocketAddr::new(ip, PAIRING_PORT)));
        address.map_err(|_| refused(format!("{text:?} is no address: expected IP or IP:PORT, such as 192.168.7.1.")))
    }

    /// The address from which this computer reaches its router. Connecting a UDP socket sends nothing: the system
    /// only chooses the route, and with it the address.
    async fn own_address(&self) -> Option<IpAddr> {
        let router = self.settings.routers.first()?.strip_prefix("tls/")?;
        let found = tokio::time::timeout(LOOK_UP_WITHIN, lookup_host(router)).await.ok()?.ok()?;
        for address in found {
            let any = match address {
                SocketAddr::V4(_) => IpAddr::from(Ipv4Addr::UNSPECIFIED),
                SocketAddr::V6(_) => IpAddr::from(Ipv6Addr::UNSPECIFIED),
            };
            let Ok(socket) = UdpSocket::bind((any, 0)).await else { continue };
            if let (Ok(()), Ok(own)) = (socket.connect(address).await, socket.local_addr()) {
                return Some(own.ip());
            }
        }
        None
    }
}
