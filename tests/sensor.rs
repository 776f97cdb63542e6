//! A session that holds the key of a simulated robot: a test says with it what a sensor of that robot would say.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use bridge::signing::SigningKey;
use bridge::{BridgeError, Link, LinkConfig, SamplePublisher};
use robot::{Codec, Now};
use serde_json::Value;

use crate::Site;

/// A sensor of a simulated robot.
pub struct Sensor {
    link: Link,
    publisher: SamplePublisher,
}

impl Sensor {
    /// The sensor of `robot` at `site` that speaks on `key_expr`, beside the one that the simulator has.
    pub async fn open(site: &Site, robot: &str, key_expr: &str) -> anyhow::Result<Self> {
        let config = LinkConfig { connect: vec![site.endpoint().await?], ..LinkConfig::default() };
        let link = Link::open(config, Arc::new(Now::default)).await?;
        let seed = std::fs::read(site.data_dir().join(format!("simulator/{robot}.key")))?;
        let key = Arc::new(SigningKey::from_seed(seed.as_slice().try_into()?));
        let publisher = link.signed_sample_publisher(key_expr, Codec::Json, &key)?;
        Ok(Self { link, publisher })
    }

    /// Says `payload`, stamped with the time of now and signed.
    #[expect(clippy::disallowed_methods, reason = "a sensor has a clock of its own")]
    pub fn put(&self, payload: &Value) -> Result<(), BridgeError> {
        let mut payload = payload.clone();
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        payload["stamp_ms"] = u64::try_from(since_1970.as_millis()).unwrap_or_default().into();
        self.publisher.put(payload.to_string().into_bytes())
    }

    /// Says exactly `payload`, signed.
    pub fn put_unstamped(&self, payload: &Value) -> Result<(), BridgeError> {
        self.publisher.put(payload.to_string().into_bytes())
    }

    /// Ends its session.
    pub async fn close(self) {
        self.link.close().await;
    }
}
