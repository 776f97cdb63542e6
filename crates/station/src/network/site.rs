//! The certificates of a site: made once, exported once, remembered by name and end.

mod pairing;

use std::path::{Path, PathBuf};

use bridge::{ROUTER_PORT, RouterRules, SourceCertificate, client_config};
use memory::{StationDb, StoredCertificate, StoredNetwork};
use robot::{Manifest, RobotId, StationId};
use runtime::config::{Settings, ZenohSettings};
use runtime::disk;
use runtime::error::OpError;
use runtime::secrets::redaction::Redaction;
use runtime::secrets::{KeyStore, SITE_AUTHORITY_KEY, STATION_TLS_KEY};
use runtime::wire::{CertificateHindrance, LinkProblem};
use secrecy::ExposeSecret as _;

use super::bundles::{self, Client, Files};
use super::certificates::{Authority, End, bytes_of, key_of, new_key};
use crate::code::StationCode;
use crate::export;

/// Longest common name.
const NAME_CHARS_MAX: usize = 64;

/// A station as robots know it.
pub(crate) struct StationKey {
    pub id: StationId,
    /// `ed25519:BASE64`.
    pub public: String,
}

/// The site as the settings and the manifests describe it.
pub(crate) struct Wanted {
    /// First part of the site's keys.
    pub site: String,
    /// The station, and the key that its signatures are tested with.
    pub station: StationKey,
    /// Robots that are no simulation, with the texts of their manifests.
    pub robots: Vec<(Manifest, PathBuf)>,
}

/// An export that is asked for.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    /// Robots that get a certificate; everybody if none are named.
    pub robots: Option<&'a [RobotId]>,
    /// Address of the router, which gets a certificate then.
    pub router: Option<&'a str>,
    /// The folder of the export.
    pub folder: &'a Path,
}

/// An export that was made.
pub(crate) struct Exported {
    /// Its files, by their paths in the folder.
    pub files: Vec<String>,
    /// Names of the certificates in it.
    pub certificates: Vec<String>,
    /// Robots that it leaves out, with the reason.
    pub left_out: Vec<(RobotId, CertificateHindrance)>,
}

/// The site's certificates.
pub(crate) struct Network {
    site: String,
    store: KeyStore,
    redaction: Redaction,
    settings: ZenohSettings,
    /// The reason why the link reaches nobody.
    problem: Option<LinkProblem>,
    /// When the link was opened, Unix milliseconds.
    began_ms: i64,
    /// Locked while certificates are made, so that two exports do not overwrite each other's.
    stored: tokio::sync::Mutex<StoredNetwork>,
}

impl Network {
    /// The certificates of earlier runs, and a link that was opened with them.
    pub fn new(
        stored: StoredNetwork,
        settings: &Settings,
        problem: Option<LinkProblem>,
        redaction: Redaction,
        began_ms: i64,
    ) -> Self {
        let (site, store) = (settings.site.as_str().to_owned(), settings.secrets.store);
        Self {
            site,
            store,
            redaction,
            settings: settings.zenoh.clone(),
            problem,
            began_ms,
            stored: tokio::sync::Mutex::new(stored),
        }
    }

    /// When the link was opened, Unix milliseconds.
    pub fn began_ms(&self) -> i64 {
        self.began_ms
    }

    /// First part of the site's keys.
    pub fn site(&self) -> &str {
        &self.site
    }

    /// Routers of the settings.
    pub fn routers(&self) -> &[String] {
        &self.settings.routers
    }

    /// The reason why the link reaches nobody, if there is one.
    pub fn problem(&self) -> Option<&LinkProblem> {
        self.problem.as_ref()
    }

    /// Everything that is remembered.
    pub async fn stored(&self) -> StoredNetwork {
        self.stored.lock().await.clone()
    }

    /// Common name of the station's certificate.
    pub fn station_name(site: &str) -> String {
        format!("station.{site}")
    }

    /// Makes certificates and rules, and exports them into `folder`. Without an address the router keeps its
    /// certificate, and gets new rules only.
    pub async fn issue(
        &self,
        db: &StationDb,
        wanted: &Wanted,
        request: Request<'_>,
        now_ms: i64,
    ) -> Result<Exported, OpError> {
        let Request { robots, router, folder } = request;
        let mut stored = self.stored.lock().await;
        // Changed in a copy: if a step fails, what is remembered stays what is on disk.
        let mut next = stored.clone();
        let (host, port) = router_address(router.or(next.router_address.as_deref()))?;
        let Named { robots: named, left_out } = self.named(wanted, robots, &next)?;
        let authority = self.authority(&mut next, &wanted.site, now_ms).await?;
        self.certify_station(&mut next, &authority, &wanted.site, now_ms).await?;
        let mut export = Export {
            authority: &authority,
            endpoint: format!("tls/{}", shown_address(&host, port)),
            now_ms,
            files: Vec::new(),
            made: Vec::new(),
        };
        if router.is_some() {
            export.router(&format!("router.{}", wanted.site), &host)?;
            next.router = export.made.last().cloned();
            next.router_address = Some(shown_address(&host, port));
        }
        for (manifest, path) in &named {
            export.robot(manifest, path, wanted).await?;
        }
        // An export for single robots leaves the certificates of sources as they are.
        for source in self.settings.sources.iter().filter(|_| robots.is_none()) {
            export.source(source, &wanted.site)?;
        }
        // The router's was made first, and is remembered apart: the rules let in clients alone.
        let clients = export.made.iter().skip(usize::from(router.is_some()));
        next.clients.retain(|old| !export.made.iter().any(|new| new.name == old.name));
        next.clients.extend(clients.cloned());
        // After the clients: the rules know only those who have a certificate.
        export.files.extend(bundles::router_rules(&self.rules(wanted, &next, port)));
        let exported = write(folder, export.files, export.made, left_out).await?;
        // Saved only now: a certificate whose bundle was not written must not count as issued.
        db.save_network(&next).await?;
        *stored = next;
        Ok(exported)
    }

    /// Takes the robot out of the router's rules for good, and exports them.
    pub async fn revoke(
        &self,
        db: &StationDb,
        wanted: &Wanted,
        robot: &Manifest,
        folder: &Path,
    ) -> Result<Exported, OpError> {
        let mut stored = self.stored.lock().await;
        let mut next = stored.clone();
        let (_, port) = router_address(next.router_address.as_deref())?;
        let name = certificate_name(robot, &wanted.site)?;
        next.revoked.insert(name.to_owned());
        next.clients.retain(|client| client.name != name);
        let files = bundles::router_rules(&self.rules(wanted, &next, port));
        // The record first: if this export fails, the next one leaves the robot out all the same.
        db.save_network(&next).await?;
        *stored = next;
        write(folder, files, Vec::new(), Vec::new()).await
    }

    /// The router's configuration: rules for everybody who has a certificate that is not revoked.
    fn rules(&self, wanted: &Wanted, stored: &StoredNetwork, port: u16) -> serde_json::Value {
        let is_known =
            |name: &str| !stored.revoked.contains(name) && stored.clients.iter().any(|client| client.name == name);
        let robots: Vec<&Manifest> = wanted
            .robots
            .iter()
            .map(|(manifest, _)| manifest)
            .filter(|manifest| legal_name(manifest, &wanted.site).is_ok_and(is_known))
            .collect();
        let sources = self
            .settings
            .sources
            .iter()
            .map(|id| SourceCertificate { id: id.clone(), certificate_name: source_name(id, &wanted.site) });
        let sources: Vec<SourceCertificate> = sources.filter(|source| is_known(&source.certificate_name)).collect();
        let station = Self::station_name(&wanted.site);
        RouterRules { site: &wanted.site, station: &station, robots: &robots, sources: &sources, port }.config()
    }

    /// The robots that get a certificate. One that was asked for by name and cannot have one is an error.
    fn named<'a>(
        &self,
        wanted: &'a Wanted,
        robots: Option<&[RobotId]>,
        stored: &StoredNetwork,
    ) -> Result<Named<'a>, OpError> {
        let mut named = Named { robots: Vec::new(), left_out: Vec::new() };
        for robot in &wanted.robots {
            let id = &robot.0.id;
            if robots.is_some_and(|robots| !robots.contains(id)) {
                continue;
            }
            match legal_name(&robot.0, &wanted.site).and_then(|name| not_revoked(name, stored)) {
                Ok(()) => named.robots.push(robot),
                Err(hindrance) if robots.is_some() => return Err(refused(&hindrance, id)),
                Err(hindrance) => named.left_out.push((id.clone(), hindrance)),
            }
        }
        Ok(named)
    }

    async fn authority(&self, next: &mut StoredNetwork, site: &str, now_ms: i64) -> Result<Authority, OpError> {
        let key = self.store.tls_key(SITE_AUTHORITY_KEY).await?;
        if let (Some(key), Some(stored)) = (&key, &next.authority) {
            // From here on a text that holds the key loses it before it reaches a record or a model.
            self.redaction.learn(key.expose_secret());
            let key = key_of(key).ok_or_else(|| key_changed("It is no key of the curve P-256."))?;
            let known = Authority::of(key, stored.clone()).map_err(failed)?;
            return known.ok_or_else(|| key_changed("The site's certificates were made with another one."));
        }
        // A second authority would make every certificate at the site void, so an Admin decides.
        if next.authority.is_some() {
            return Err(key_changed("It is gone from the keychain."));
        }
        let key = match key {
            // A key without a certificate is left by an export that failed after the key was kept.
            Some(kept) => key_of(&kept).ok_or_else(|| key_changed("It is no key of the curve P-256."))?,
            None => {
                let fresh = new_key().map_err(failed)?;
                // Kept before it signs: without its key nothing of the site could be renewed.
                self.store.keep_tls_key(SITE_AUTHORITY_KEY, &bytes_of(&fresh)).await?;
                fresh
            }
        };
        self.redaction.learn(bytes_of(&key).expose_secret());
        let authority = Authority::new(key, site, now_ms).map_err(failed)?;
        next.authority = Some(authority.stored.clone());
        Ok(authority)
    }

    /// The station's certificate is renewed with each export: its key stays where it is.
    async fn certify_station(
        &self,
        next: &mut StoredNetwork,
        authority: &Authority,
        site: &str,
        now_ms: i64,
    ) -> Result<(), OpError> {
        let key = match self.store.tls_key(STATION_TLS_KEY).await? {
            Some(kept) => {
                key_of(&kept).ok_or_else(|| key_changed("The station's TLS key is none of the curve P-256."))?
            }
            None => {
                let fresh = new_key().map_err(failed)?;
                self.store.keep_tls_key(STATION_TLS_KEY, &bytes_of(&fresh)).await?;
                fresh
            }
        };
        let signed = authority.sign_for(&key, &Self::station_name(site), End::Client, None, now_ms).map_err(failed)?;
        self.redaction.learn(signed.key.expose_secret().as_bytes());
        next.station = Some(StoredCertificate { pem: Some(signed.pem), ..signed.stored });
        Ok(())
    }
}

/// Robots that get a certificate, and those that do not.
struct Named<'a> {
    robots: Vec<&'a (Manifest, PathBuf)>,
    left_out: Vec<(RobotId, CertificateHindrance)>,
}

/// An export in the making.
struct Export<'a> {
    authority: &'a Authority,
    endpoint: String,
    now_ms: i64,
    files: Files,
    made: Vec<StoredCertificate>,
}

impl Export<'_> {
    fn router(&mut self, name: &str, host: &str) -> Result<(), OpError> {
        let signed = self.authority.sign(name, End::Router, Some(host), self.now_ms).map_err(failed)?;
        self.files.extend(bundles::router_keys(self.authority.pem(), &signed));
        self.made.push(signed.stored);
        Ok(())
    }

    async fn robot(&mut self, manifest: &Manifest, path: &Path, wanted: &Wanted) -> Result<(), OpError> {
        let name = certificate_name(manifest, &wanted.site)?;
        let path = path.to_owned();
        let read = disk::blocking(move || files::read_text(&path, Manifest::BYTES_MAX)).await;
        let text = read.map_err(|error| not_written(&format!("The manifest of {}: {error}.", manifest.id)))?;
        let signed = self.authority.sign(name, End::Client, None, self.now_ms).map_err(failed)?;
        let client =
            Client { config: &client_config(&self.endpoint), authority_pem: self.authority.pem(), signed: &signed };
        self.files.extend(bundles::robot(manifest, text, &wanted.station, client));
        // Robots behind one computer share a name.
        self.made.retain(|made| made.name != signed.stored.name);
        self.made.push(signed.stored);
        Ok(())
    }

    fn source(&mut self, id: &str, site: &str) -> Result<(), OpError> {
        let signed = self.authority.sign(&source_name(id, site), End::Client, None, self.now_ms).map_err(failed)?;
        let client =
            Client { config: &client_config(&self.endpoint), authority_pem: self.authority.pem(), signed: &signed };
        self.files.extend(bundles::source(id, client));
        self.made.push(signed.stored);
        Ok(())
    }
}

fn source_name(id: &str, site: &str) -> String {
    format!("{id}.{site}")
}

async fn write(
    folder: &Path,
    files: Files,
    certificates: Vec<StoredCertificate>,
    left_out: Vec<(RobotId, CertificateHindrance)>,
) -> Result<Exported, OpError> {
    let names = files.iter().map(|(name, _)| name.clone()).collect();
    export::write_folder(folder, files).await?;
    let certificates = certificates.into_iter().map(|certificate| certificate.name).collect();
    Ok(Exported { files: names, certificates, left_out })
}

/// The name in the robot's manifest, if a certificate can bear it. Under the names of station and router a robot could
/// command.
fn legal_name<'a>(robot: &'a Manifest, site: &str) -> Result<&'a str, CertificateHindrance> {
    let of_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | b'_');
    let name = robot.certificate_name.as_deref().ok_or(CertificateHindrance::NoName)?;
    if !(1..=NAME_CHARS_MAX).contains(&name.len()) || !name.bytes().all(of_name) {
        return Err(CertificateHindrance::BadName { most: NAME_CHARS_MAX });
    }
    if name == Network::station_name(site) || name == format!("router.{site}") {
        return Err(CertificateHindrance::ReservedName);
    }
    Ok(name)
}

fn not_revoked(name: &str, stored: &StoredNetwork) -> Result<(), CertificateHindrance> {
    if stored.revoked.contains(name) {
        return Err(CertificateHindrance::Revoked { name: name.to_owned() });
    }
    Ok(())
}

/// The name of [`legal_name`], or the refusal of the robot.
fn certificate_name<'a>(robot: &'a Manifest, site: &str) -> Result<&'a str, OpError> {
    legal_name(robot, site).map_err(|hindrance| refused(&hindrance, &robot.id))
}

fn refused(hindrance: &CertificateHindrance, robot: &RobotId) -> OpError {
    let code = match hindrance {
        CertificateHindrance::NoName | CertificateHindrance::BadName { .. } | CertificateHindrance::ReservedName => {
            StationCode::BadCertificateName
        }
        CertificateHindrance::Revoked { .. } => StationCode::CertificateNameRevoked,
    };
    OpError::new(code, hindrance.sentence(robot))
}

/// Host and port of a router as a person writes them.
fn router_address(text: Option<&str>) -> Result<(String, u16), OpError> {
    let refused = |message: &str| OpError::new(StationCode::RouterUnknown, message.to_owned());
    let text =
        text.ok_or_else(|| refused("No router is known yet: give the address at which robots reach it."))?.trim();
    // The last colon of a bare IPv6 address begins no port.
    let is_bare = text.parse::<std::net::Ipv6Addr>().is_ok();
    let (host, port) = match text.rsplit_once(':').filter(|_| !is_bare) {
        Some((host, port)) => (host, port.parse().map_err(|_| refused("The port is 1 to 65535."))?),
        None => (text, ROUTER_PORT),
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let of_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':');
    // A name in DNS has at most 253 bytes, and in an endpoint of Zenoh `?` and `#` begin options.
    if host.is_empty() || host.len() > 253 || !host.chars().all(of_host) || port == 0 {
        return Err(refused("A router's address is HOST or HOST:PORT, for example router.lab:7447."));
    }
    Ok((host.to_owned(), port))
}

fn shown_address(host: &str, port: u16) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

fn key_changed(why: &str) -> OpError {
    OpError::new(StationCode::SiteKeyChanged, format!("The key of the site's authority cannot be used. {why}"))
}

fn failed(error: rcgen::Error) -> OpError {
    OpError::new(StationCode::NotCertified, format!("No certificate could be made: {error}."))
}

fn not_written(why: &str) -> OpError {
    OpError::new(StationCode::FolderNotWritten, format!("Nothing was exported. {why}"))
}
