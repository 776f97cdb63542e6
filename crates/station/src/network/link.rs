//! Opening the station's link in the profile of its settings.

use std::sync::Arc;

use bridge::{BridgeError, ClockFn, Link, LinkConfig, RouterLink};
use memory::StoredNetwork;
use runtime::clock::Clock;
use runtime::config::{Config, Settings};
use runtime::secrets::{KeyStore, STATION_TLS_KEY};
use runtime::wire::LinkProblem;

use super::certificates::{key_of, pem_of};

/// A link, and why it reaches nobody if it does not.
pub(crate) struct Opened {
    pub link: Link,
    pub problem: Option<LinkProblem>,
}

/// Opens the link where the settings say. Without the keys of its profile it reaches nobody: beyond this computer nothing runs
/// without TLS, and the station shows why.
pub(crate) async fn open_link(
    config: &Config,
    settings: &Settings,
    stored: &StoredNetwork,
    clock: Clock,
) -> Result<Opened, BridgeError> {
    let clock_fn: ClockFn = Arc::new(move || clock.now());
    if config.zenoh_config.is_some() {
        let file = LinkConfig { file: config.zenoh_config.clone(), ..LinkConfig::default() };
        return Ok(Opened { link: Link::open(file, clock_fn).await?, problem: None });
    }
    if !settings.zenoh.has_router() {
        return Ok(Opened { link: open_local(settings, clock_fn).await?, problem: None });
    }
    match to_router(settings, stored).await {
        Ok(router) => Ok(Opened { link: Link::open_to_router(&router, clock_fn).await?, problem: None }),
        Err(problem) => {
            tracing::error!(%problem, "no robot is connected");
            Ok(Opened { link: Link::open(LinkConfig::default(), clock_fn).await?, problem: Some(problem) })
        }
    }
}

async fn to_router(settings: &Settings, stored: &StoredNetwork) -> Result<RouterLink, LinkProblem> {
    let pem = |certificate: &Option<memory::StoredCertificate>| {
        certificate.as_ref().and_then(|certificate| certificate.pem.clone()).ok_or(LinkProblem::NoCertificate)
    };
    let (authority, certificate) = (pem(&stored.authority)?, pem(&stored.station)?);
    let key = kept_key(settings.secrets.store).await?;
    Ok(RouterLink { routers: settings.zenoh.routers.clone(), authority, certificate, key })
}

async fn kept_key(store: KeyStore) -> Result<secrecy::SecretString, LinkProblem> {
    match store.tls_key(STATION_TLS_KEY).await {
        Ok(Some(key)) => key_of(&key).map(|key| pem_of(&key)).ok_or(LinkProblem::KeyUnusable),
        Ok(None) => Err(LinkProblem::KeyGone),
        Err(error) => Err(LinkProblem::KeyUnread { message: error.to_string() }),
    }
}

/// On this computer alone; if the preferred port is taken by another station, on a free one.
async fn open_local(settings: &Settings, clock_fn: ClockFn) -> Result<Link, BridgeError> {
    let connect = settings.zenoh.connect.clone();
    let preferred = LinkConfig { listen: settings.zenoh.listen.clone(), connect: connect.clone(), file: None };
    match Link::open(preferred, Arc::clone(&clock_fn)).await {
        Err(BridgeError::Open { source }) => {
            tracing::warn!(error = %source, "the configured endpoints are taken; using a free port on loopback");
            let free = LinkConfig { listen: vec!["tcp/127.0.0.1:0".into()], connect, file: None };
            Link::open(free, clock_fn).await
        }
        opened => opened,
    }
}
