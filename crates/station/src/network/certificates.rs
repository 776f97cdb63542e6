//! The site's authority and the certificates that it signs: keys of the curve P-256, one certificate for each end
//! of a link.

use std::net::IpAddr;

use memory::StoredCertificate;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose,
    PKCS_ECDSA_P256_SHA256, SanType,
};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret as _, SecretSlice, SecretString};
use time::OffsetDateTime;

/// Life of a certificate, days: as long as browsers accept one, and a yearly round of renewals fits in.
const DAYS: i64 = 397;
/// Life of the authority, days.
const AUTHORITY_DAYS: i64 = 3_650;
/// It is valid from a little earlier on, for clocks that are behind.
const CLOCK_TOLERANCE_MS: i64 = 60 * 60 * 1_000;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// One end of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// It is connected to.
    Router,
    /// It connects.
    Client,
}

/// A certificate with its key, to be handed out.
pub(super) struct Signed {
    /// Certificate, PEM.
    pub pem: String,
    /// Key, PKCS#8 in PEM.
    pub key: SecretString,
    pub stored: StoredCertificate,
}

/// The authority of a site.
pub(super) struct Authority {
    key: KeyPair,
    pub stored: StoredCertificate,
    pem: String,
}

impl Authority {
    /// Makes the certificate of a new authority over `key`.
    pub fn new(key: KeyPair, site: &str, now_ms: i64) -> Result<Self, rcgen::Error> {
        let name = format!("Quarterdeck authority of {site}");
        let mut params = CertificateParams::default();
        // A path of length 0: nothing that this authority signs can sign in turn.
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let not_after_ms = set_life(&mut params, &name, now_ms, AUTHORITY_DAYS);
        let pem = params.self_signed(&key)?.pem();
        let stored = StoredCertificate { name, not_after_ms, made_ms: now_ms, pem: Some(pem.clone()) };
        Ok(Self { key, stored, pem })
    }

    /// The authority that has made `stored`; none if the key is another's.
    pub fn of(key: KeyPair, stored: StoredCertificate) -> Result<Option<Self>, rcgen::Error> {
        let Some(pem) = stored.pem.clone() else { return Ok(None) };
        let (_, block) =
            x509_parser::pem::parse_x509_pem(pem.as_bytes()).map_err(|_| rcgen::Error::CouldNotParseCertificate)?;
        let parsed = block.parse_x509().map_err(|_| rcgen::Error::CouldNotParseCertificate)?;
        // Only the public half proves the key; the name of an authority is the same after every renewal.
        let is_own = parsed.public_key().subject_public_key.data.as_ref() == key.public_key_raw();
        Ok(is_own.then_some(Self { key, stored, pem }))
    }

    /// Its certificate, PEM.
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// A certificate with a key of its own. `address` is where a router is connected to, as clients write it.
    pub fn sign(&self, name: &str, end: End, address: Option<&str>, now_ms: i64) -> Result<Signed, rcgen::Error> {
        self.sign_for(&new_key()?, name, end, address, now_ms)
    }

    /// The same for a key that is there already.
    pub fn sign_for(
        &self,
        key: &KeyPair,
        name: &str,
        end: End,
        address: Option<&str>,
        now_ms: i64,
    ) -> Result<Signed, rcgen::Error> {
        let mut params = CertificateParams::default();
        // A TLS client compares the host of its endpoint with these names, so a router's address is one of them.
        params.subject_alt_names = [Some(name), address.filter(|address| *address != name)]
            .into_iter()
            .flatten()
            .map(alternative)
            .collect::<Result<_, _>>()?;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        // Usable on one side alone: the stolen key of a robot cannot pose as the router.
        params.extended_key_usages = vec![match end {
            End::Router => ExtendedKeyUsagePurpose::ServerAuth,
            End::Client => ExtendedKeyUsagePurpose::ClientAuth,
        }];
        params.use_authority_key_identifier_extension = true;
        let not_after_ms = set_life(&mut params, name, now_ms, DAYS);
        let pem = params.signed_by(key, &Issuer::from_ca_cert_pem(&self.pem, &self.key)?)?.pem();
        // Of a certificate that is handed out the name and the dates suffice: the station never presents it.
        let stored = StoredCertificate { name: name.to_owned(), not_after_ms, made_ms: now_ms, pem: None };
        Ok(Signed { pem, key: pem_of(key), stored })
    }
}

/// Whole days until a certificate ends; below 0 once it has.
pub(crate) fn days_left(certificate: &StoredCertificate, now_ms: i64) -> i64 {
    (certificate.not_after_ms - now_ms).div_euclid(DAY_MS)
}

/// A fresh key.
pub(super) fn new_key() -> Result<KeyPair, rcgen::Error> {
    KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)
}

/// The key whose PKCS#8 form is `bytes`; none if it is of another curve, or none at all.
pub(super) fn key_of(bytes: &SecretSlice<u8>) -> Option<KeyPair> {
    KeyPair::from_pkcs8_der_and_sign_algo(&bytes.expose_secret().into(), &PKCS_ECDSA_P256_SHA256).ok()
}

/// The PKCS#8 form of `key`, to be kept.
pub(super) fn bytes_of(key: &KeyPair) -> SecretSlice<u8> {
    key.serialize_der().into()
}

/// The PEM form of `key`, to be handed over.
pub(super) fn pem_of(key: &KeyPair) -> SecretString {
    // The text in between is a copy of the key too, and is wiped.
    Zeroizing::new(key.serialize_pem()).as_str().into()
}

fn alternative(name: &str) -> Result<SanType, rcgen::Error> {
    Ok(match name.parse::<IpAddr>() {
        Ok(address) => SanType::IpAddress(address),
        Err(_) => SanType::DnsName(name.try_into()?),
    })
}

/// Names the holder, and gives the end of its life, Unix milliseconds.
fn set_life(params: &mut CertificateParams, name: &str, now_ms: i64, days: i64) -> i64 {
    // A time that no date can show becomes 1970, so that the certificate is void.
    let at = |unix_ms: i64| OffsetDateTime::from_unix_timestamp(unix_ms / 1_000).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let not_before_ms = now_ms - CLOCK_TOLERANCE_MS;
    let not_after_ms = not_before_ms + days * DAY_MS;
    params.distinguished_name.push(DnType::CommonName, name);
    (params.not_before, params.not_after) = (at(not_before_ms), at(not_after_ms));
    not_after_ms
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_MS: i64 = 1_900_000_000_000;

    fn shown(pem: &str) -> String {
        let (_, block) = x509_parser::pem::parse_x509_pem(pem.as_bytes()).unwrap();
        let parsed = block.parse_x509().unwrap();
        let life_days = (parsed.validity().not_after.timestamp() - parsed.validity().not_before.timestamp()) / 86_400;
        let alternatives = parsed.subject_alternative_name().unwrap();
        let alternatives = alternatives.map(|names| format!("{:?}", names.value.general_names)).unwrap_or_default();
        let usage =
            parsed.extended_key_usage().unwrap().map(|usage| (usage.value.server_auth, usage.value.client_auth));
        format!("{} by {}: {life_days} days, {alternatives}, {usage:?}", parsed.subject(), parsed.issuer())
    }

    #[test]
    fn att_15_each_end_gets_a_certificate_of_the_sites_authority_for_its_own_side_of_a_link() {
        let authority = Authority::new(new_key().unwrap(), "lab", NOW_MS).unwrap();
        let router = authority.sign("router.lab", End::Router, Some("192.168.7.2"), NOW_MS).unwrap();
        let robot = authority.sign("arm-1.lab", End::Client, None, NOW_MS).unwrap();
        assert_eq!(
            shown(&router.pem),
            "CN=router.lab by CN=Quarterdeck authority of lab: 397 days, \
             [DNSName(\"router.lab\"), IPAddress([192, 168, 7, 2])], Some((true, false))"
        );
        assert_eq!(
            shown(&robot.pem),
            "CN=arm-1.lab by CN=Quarterdeck authority of lab: 397 days, [DNSName(\"arm-1.lab\")], Some((false, true))"
        );
        assert_eq!(robot.stored.not_after_ms, NOW_MS - CLOCK_TOLERANCE_MS + 397 * DAY_MS);
        assert!(robot.key.expose_secret().starts_with("-----BEGIN PRIVATE KEY-----"));
    }

    #[test]
    fn att_15_an_authority_is_known_again_by_its_key_alone() {
        let key = bytes_of(&new_key().unwrap());
        let made = Authority::new(key_of(&key).unwrap(), "lab", NOW_MS).unwrap();
        assert!(Authority::of(key_of(&key).unwrap(), made.stored.clone()).unwrap().is_some());
        assert!(Authority::of(new_key().unwrap(), made.stored).unwrap().is_none(), "the key of another");
        assert!(key_of(&SecretSlice::from(vec![1, 2, 3])).is_none());
    }
}
