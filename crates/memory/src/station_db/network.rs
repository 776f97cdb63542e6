//! Certificates that the station has made. Their keys are in the keychain, or were handed out and not kept.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{StationDb, failed};
use crate::MemoryError;

/// A certificate that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredCertificate {
    /// Its common name.
    pub name: String,
    /// From then on it opens no link; Unix milliseconds.
    pub not_after_ms: i64,
    /// Unix milliseconds.
    pub made_ms: i64,
    /// The certificate itself, PEM, where the station needs it again.
    #[serde(default)]
    pub pem: Option<String>,
}

/// Everything the station remembers of its site's certificates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredNetwork {
    /// The site's authority, once there is one.
    #[serde(default)]
    pub authority: Option<StoredCertificate>,
    /// The station's own.
    #[serde(default)]
    pub station: Option<StoredCertificate>,
    /// The router's.
    #[serde(default)]
    pub router: Option<StoredCertificate>,
    /// Address of the router, `HOST:PORT`.
    #[serde(default)]
    pub router_address: Option<String>,
    /// The newest of each robot and source, by common name.
    #[serde(default)]
    pub clients: Vec<StoredCertificate>,
    /// Common names that no rule allows any more.
    #[serde(default)]
    pub revoked: BTreeSet<String>,
}

impl StationDb {
    /// The site's certificates. An error if the row cannot be read: a revoked name must not come back.
    pub async fn network(&self) -> Result<StoredNetwork, MemoryError> {
        let text: Option<String> = sqlx::query_scalar("SELECT value FROM station WHERE name = 'network'")
            .fetch_optional(&self.pool)
            .await
            .map_err(failed("read the site's certificates"))?;
        let read = |text: String| {
            serde_json::from_str(&text).map_err(|error| MemoryError::Unreadable {
                table: "station",
                row: "network".into(),
                message: error.to_string(),
            })
        };
        text.map_or_else(|| Ok(StoredNetwork::default()), read)
    }

    /// Saves the site's certificates.
    pub async fn save_network(&self, network: &StoredNetwork) -> Result<(), MemoryError> {
        self.save_named("network", network).await.map_err(failed("save the site's certificates"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn att_15_the_sites_certificates_are_kept_and_a_row_that_cannot_be_read_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let db = StationDb::open(&folder.path().join("station.db")).await.unwrap();
        assert_eq!(db.network().await.unwrap(), StoredNetwork::default());
        let network = StoredNetwork { revoked: ["arm-1.lab".to_owned()].into(), ..StoredNetwork::default() };
        db.save_network(&network).await.unwrap();
        assert_eq!(db.network().await.unwrap(), network);
        sqlx::query("UPDATE station SET value = '[1]' WHERE name = 'network'").execute(&db.pool).await.unwrap();
        assert!(db.network().await.is_err(), "it fails closed");
    }
}
