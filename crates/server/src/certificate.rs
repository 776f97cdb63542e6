//! The certificate that a listener shows, and a self-signed one for a site without an authority of its own.

use std::net::IpAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair};
use remote::Fingerprint;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::version::TLS13;
use tokio_rustls::TlsAcceptor;
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::{FromDer as _, X509Certificate};

/// Mode bits that open a key to others than its owner and its group.
const OF_OTHERS: u32 = 0o007;

/// A certificate with its key, ready to be shown.
pub struct Certificate {
    acceptor: TlsAcceptor,
    fingerprint: Fingerprint,
    names: Vec<String>,
}

impl Certificate {
    /// Reads a certificate chain and its key from PEM files.
    ///
    /// # Errors
    /// Names the file that cannot be used and why; a key that everybody on this computer can read is refused.
    pub fn read(certificate: &Path, key: &Path) -> anyhow::Result<Self> {
        let rights = std::fs::metadata(key).with_context(|| format!("{} cannot be read", key.display()))?.permissions();
        if rights.mode() & OF_OTHERS != 0 {
            bail!("{} is open to everybody on this computer; run `chmod 600` on it", key.display());
        }
        let chain: Result<Vec<CertificateDer<'static>>, _> =
            CertificateDer::pem_file_iter(certificate).and_then(Iterator::collect);
        let chain = chain.with_context(|| format!("{} is no certificate in PEM", certificate.display()))?;
        let own = chain.first().with_context(|| format!("{} holds no certificate", certificate.display()))?;
        let (fingerprint, names) = (Fingerprint::of(own), names_of(own)?);
        let key_read = PrivateKeyDer::from_pem_file(key);
        let key_read = key_read.with_context(|| format!("{} is no private key in PEM", key.display()))?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_protocol_versions(&[&TLS13])?
            .with_no_client_auth()
            .with_single_cert(chain, key_read)
            .with_context(|| format!("{} and {} do not belong together", certificate.display(), key.display()))?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), fingerprint, names })
    }

    /// The SHA-256 fingerprint, which a person compares.
    #[must_use]
    pub const fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The hosts that the certificate is for, as they stand in an address.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        self.acceptor.clone()
    }
}

/// The hosts in a certificate. A wildcard is none: the server answers to names that it knows.
fn names_of(certificate: &CertificateDer<'_>) -> anyhow::Result<Vec<String>> {
    let (_, parsed) = X509Certificate::from_der(certificate).context("the certificate cannot be read")?;
    let names = parsed.subject_alternative_name().context("the names of the certificate cannot be read")?;
    let names = names.into_iter().flat_map(|names| &names.value.general_names);
    let in_address = names.filter_map(|name| {
        if let GeneralName::DNSName(name) = name {
            // Browsers send the name of a host in lower case.
            return (!name.contains('*')).then(|| name.to_ascii_lowercase());
        }
        let GeneralName::IPAddress(bytes) = name else { return None };
        let v4 = <[u8; 4]>::try_from(*bytes).map(IpAddr::from);
        let address = v4.or_else(|_| <[u8; 16]>::try_from(*bytes).map(IpAddr::from)).ok()?;
        Some(if address.is_ipv6() { format!("[{address}]") } else { address.to_string() })
    });
    Ok(in_address.collect())
}

/// Makes a self-signed certificate for `names`, hosts or IP addresses, and its key: two new files of which only
/// the owner may read the key. It has no end, because it is known by its fingerprint: a new one is compared anew.
///
/// # Errors
/// A name that is none, a file that exists already, or what the disk refused.
pub fn make_certificate(names: &[String], certificate: &Path, key: &Path) -> anyhow::Result<Fingerprint> {
    let mut params = CertificateParams::new(names.to_vec()).context("a name is no host and no address")?;
    params.distinguished_name.push(DnType::CommonName, "Quarterdeck station");
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let pair = KeyPair::generate().context("no key could be made")?;
    let made = params.self_signed(&pair).context("the certificate could not be signed")?;
    let put = |path: &Path, text: String| {
        files::make(path, text.as_bytes()).with_context(|| format!("{} cannot be made", path.display()))
    };
    put(key, pair.serialize_pem())?;
    put(certificate, made.pem()).inspect_err(|_| {
        // Left behind, it would keep the next try from its name. If it cannot be removed, that try says so.
        let _ = files::remove(key);
    })?;
    Ok(Fingerprint::of(made.der()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rd_01_a_certificate_is_made_with_a_private_key_and_read_back_with_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let (certificate, key) = (folder.path().join("server.pem"), folder.path().join("server.key"));
        let names = ["Lab.local", "10.0.0.5", "::1"].map(str::to_owned);
        let fingerprint = make_certificate(&names, &certificate, &key).unwrap();
        assert_eq!(std::fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
        let read = Certificate::read(&certificate, &key).unwrap();
        assert_eq!(
            (read.fingerprint(), read.names()),
            (fingerprint, &["lab.local", "10.0.0.5", "[::1]"].map(str::to_owned)[..])
        );
        assert!(make_certificate(&names, &certificate, &key).is_err(), "a certificate in use is not replaced");
        let other = folder.path().join("other.key");
        assert!(make_certificate(&names, &certificate, &other).is_err(), "its certificate has a name that is taken");
        assert!(!other.exists(), "a key without a certificate is left behind");
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
        let refused = Certificate::read(&certificate, &key).err().unwrap().to_string();
        assert!(refused.contains("chmod 600"), "{refused}");
    }
}
