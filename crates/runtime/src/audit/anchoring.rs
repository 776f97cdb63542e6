//! The times at which the end of the chain is signed and kept outside the database, and the state of the key.

use std::sync::Arc;
use std::time::Duration;

use ed25519_dalek::SigningKey;
use memory::{AnchorLine as StoredAnchor, MemoryError, StationDb};
use tokio::time::MissedTickBehavior;

use super::anchor::{Anchor, AnchorLine, public_key};
use super::{Audit, AuditEntry};
use crate::secrets::{AUDIT_SIGNING_KEY, KeyStore, SecretError};
use crate::wire::{AuditSigning, UnsignedReason};

/// The most records that stand without an anchor.
const ANCHOR_RECORDS: u64 = 256;
/// The longest that a record stands without an anchor.
const ANCHOR_EVERY: Duration = Duration::from_secs(60);

/// The key that signs anchors and marks, or why there is none.
#[derive(Debug, Clone, Default)]
pub(super) enum Signing {
    /// It is being looked up.
    #[default]
    Awaited,
    Unsigned(Unsigned),
    Signed(SigningKey),
}

/// The reason why there is no key: its sentence, and its code.
#[derive(Debug, Clone)]
pub(super) struct Unsigned {
    pub(super) sentence: String,
    kind: UnsignedReason,
}

impl Unsigned {
    fn awaited() -> Self {
        Self { sentence: "the key is being looked up".to_owned(), kind: UnsignedReason::Awaited }
    }

    fn signing(self) -> AuditSigning {
        let Self { sentence, kind } = self;
        AuditSigning { signed: false, public_key: None, unsigned_because: Some(sentence), unsigned_kind: Some(kind) }
    }
}

impl From<&SecretError> for Unsigned {
    fn from(error: &SecretError) -> Self {
        Self { sentence: error.to_string(), kind: UnsignedReason::from(error) }
    }
}

impl Signing {
    /// The key, if there is one.
    pub(super) fn key(&self) -> Option<&SigningKey> {
        match self {
            Self::Signed(key) => Some(key),
            Self::Awaited | Self::Unsigned(_) => None,
        }
    }
}

impl Audit {
    /// Looks up the key, signs from then on, and keeps the mark outside the database, until the audit ends.
    pub fn start_anchoring(self: &Arc<Self>, db: StationDb, keys: KeyStore) {
        let audit = Arc::clone(self);
        self.tasks.spawn(async move {
            tokio::select! {
                () = audit.look_up_key(keys) => {}
                () = audit.ended.cancelled() => return,
            }
            audit.anchor_in_time(&db, keys).await;
        });
    }

    /// Asks for the key that signs.
    pub(super) async fn look_up_key(&self, keys: KeyStore) {
        match keys.signing_key(AUDIT_SIGNING_KEY).await {
            Ok(key) => {
                self.signing.send_replace(Signing::Signed(key));
                let used = AuditEntry::by_station("secret_use", "ok");
                self.note_done(used.about(format!("name={AUDIT_SIGNING_KEY}")));
            }
            Err(error) => {
                // Warned of once: a locked keychain is asked again every minute.
                if matches!(*self.signing.borrow(), Signing::Awaited) {
                    tracing::warn!(%error, "the audit is not signed");
                }
                self.signing.send_replace(Signing::Unsigned(Unsigned::from(&error)));
            }
        }
    }

    pub(super) async fn anchor_in_time(&self, db: &StationDb, keys: KeyStore) {
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
            // The keychain may wait for a person, for which the end of the station does not wait.
            if is_time {
                tokio::select! {
                    () = self.ask_again(db, keys) => {}
                    () = self.ended.cancelled() => return,
                }
            }
            match self.anchor(db).await {
                Ok(seq) => anchored = seq,
                Err(error) => tracing::error!(error = &error as &dyn std::error::Error, "no anchor"),
            }
        }
    }

    /// Keeps the end of the chain outside the database, signs it if there is a key, and gives its number. What is in
    /// doubt, or not checked yet, is not vouched for.
    pub async fn anchor(&self, db: &StationDb) -> Result<u64, MemoryError> {
        let head = self.head().clone();
        if head.seq == 0 || !self.is_sound() {
            return Ok(head.seq);
        }
        // The mark comes first: one that is unsigned beside an anchor looks like one whose signature was taken away.
        self.keep_mark().await;
        let key = self.signing.borrow().key().cloned();
        if let Some(key) = key {
            let anchor = Anchor::sign(&key, self.station.clone(), head.seq, head.hash().to_owned());
            let anchor = serde_json::to_string(&AnchorLine { anchor }).unwrap_or_default();
            db.append_anchor(&StoredAnchor { seq: head.seq, anchor }).await?;
        }
        Ok(head.seq)
    }

    /// The public key that anchors of this station must have; none as long as it has no key.
    pub fn signer(&self) -> Option<String> {
        self.signing.borrow().key().map(public_key)
    }

    /// The state of signing: the public key of anchors, or the reason why none are made.
    pub fn signing(&self) -> AuditSigning {
        match &*self.signing.borrow() {
            Signing::Signed(key) => {
                let public_key = Some(public_key(key));
                AuditSigning { signed: true, public_key, unsigned_because: None, unsigned_kind: None }
            }
            Signing::Unsigned(why) => why.clone().signing(),
            Signing::Awaited => Unsigned::awaited().signing(),
        }
    }
}
