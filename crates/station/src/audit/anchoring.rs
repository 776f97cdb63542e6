//! When the end of the chain is signed and kept outside the database, and what is known about the key.

use std::sync::Arc;
use std::time::Duration;

use ed25519_dalek::SigningKey;
use memory::{AnchorLine as StoredAnchor, MemoryError, StationDb};
use tokio::time::MissedTickBehavior;

use super::anchor::{Anchor, AnchorLine, public_key};
use super::{Audit, Happening};
use crate::lock::lock;
use crate::secrets::{AUDIT_SIGNING_KEY, KeyStore};
use crate::wire::AuditSigning;

/// The most records that stand without an anchor.
const ANCHOR_RECORDS: u64 = 256;
/// The longest that a record stands without an anchor.
const ANCHOR_EVERY: Duration = Duration::from_secs(60);

/// The key that signs anchors, or why there is none.
pub(super) enum Signing {
    Unsigned(String),
    Signed(SigningKey),
}

impl Default for Signing {
    fn default() -> Self {
        Self::Unsigned("the key is being looked up".into())
    }
}

impl Audit {
    /// Looks up the key, signs from then on, and keeps the mark outside the database, until the audit ends.
    pub(crate) fn start_anchoring(self: &Arc<Self>, db: StationDb, keys: KeyStore) {
        let audit = Arc::clone(self);
        self.tasks.spawn(async move {
            let found = tokio::select! {
                found = keys.signing_key(AUDIT_SIGNING_KEY) => found,
                () = audit.ended.cancelled() => return,
            };
            match found {
                Ok(key) => {
                    *lock(&audit.signing) = Signing::Signed(key);
                    let used = Happening::by_station("secret_use", "ok");
                    audit.note_done(used.about(format!("name={AUDIT_SIGNING_KEY}")));
                }
                Err(error) => {
                    tracing::warn!(%error, "the audit is not signed");
                    *lock(&audit.signing) = Signing::Unsigned(error.to_string());
                }
            }
            audit.anchor_in_time(&db).await;
        });
    }

    async fn anchor_in_time(&self, db: &StationDb) {
        let mut committed = self.committed.subscribe();
        let mut ticks = tokio::time::interval(ANCHOR_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut anchored = 0;
        loop {
            let (is_due, is_time) = tokio::select! {
                () = self.ended.cancelled() => return,
                _ = ticks.tick() => (true, true),
                () = self.anchor_asked.notified() => (true, false),
                changed = committed.changed() =>
                    (changed.is_ok() && self.last_seq() >= anchored + ANCHOR_RECORDS, false),
            };
            if !is_due {
                continue;
            }
            match self.anchor(db).await {
                Ok(seq) => anchored = seq,
                Err(error) => tracing::error!(error = &error as &dyn std::error::Error, "no anchor"),
            }
            if is_time {
                self.keep_mark(true).await;
            }
        }
    }

    /// Signs the end of the chain, if there is a key, keeps it outside the database, and gives its number.
    pub(crate) async fn anchor(&self, db: &StationDb) -> Result<u64, MemoryError> {
        let head = self.head().clone();
        let signed = match &*lock(&self.signing) {
            Signing::Signed(key) if head.seq > 0 => {
                Some(Anchor::sign(key, self.station.clone(), head.seq, head.hash().to_owned()))
            }
            Signing::Signed(_) | Signing::Unsigned(_) => None,
        };
        if let Some(anchor) = signed {
            let anchor = serde_json::to_string(&AnchorLine { anchor }).unwrap_or_default();
            db.append_anchor(&StoredAnchor { seq: head.seq, anchor }).await?;
        }
        self.keep_mark(false).await;
        Ok(head.seq)
    }

    /// Whether anchors are made, and with which key.
    pub(crate) fn signing(&self) -> AuditSigning {
        match &*lock(&self.signing) {
            Signing::Signed(key) => {
                AuditSigning { signed: true, public_key: Some(public_key(key)), unsigned_because: None }
            }
            Signing::Unsigned(why) => {
                AuditSigning { signed: false, public_key: None, unsigned_because: Some(why.clone()) }
            }
        }
    }
}
