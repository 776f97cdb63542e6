//! Tokens: `qd_<id>_<secret>`. The secret is shown once; the station keeps its hash, salted with its own id, so that a
//! token of another station is none here.

use std::collections::BTreeMap;
use std::sync::RwLock;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use memory::{MemoryError, StationDb, StoredToken};
use robot::{Role, SessionKind, SharedCode, StationId};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::code::StationCode;
use runtime::error::OpError;
use runtime::lock::{read, write};
use runtime::session::Session;
use runtime::wire::TokenRow;

/// First part of every token; its id and its secret follow, each after an underscore.
const PREFIX: &str = "qd_";
/// Random bytes of a secret.
const SECRET_BYTES: usize = 32;
/// Random bytes of an id.
const ID_BYTES: usize = 6;
/// Tokens of one station.
const TOKENS_MAX: usize = 100;
/// Longest name of a holder, in characters.
const LABEL_CHARS_MAX: usize = 60;
/// Life of a token, days: usual and longest.
const DAYS: u32 = 30;
const DAYS_MAX: u32 = 365;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// Names that the station gives itself and its own sessions: a record must not seem to be theirs.
const OWN_NAMES: [&str; 7] = ["desk", "admin", "agent", "station", "supervision", "stranger", "system"];

/// A fresh token called `id`, which has no underscore.
pub fn fresh_token(id: &str) -> String {
    format!("{PREFIX}{id}_{}", URL_SAFE_NO_PAD.encode(rand::random::<[u8; SECRET_BYTES]>()))
}

/// A token to be made.
pub(crate) struct NewToken {
    /// Its holder.
    pub label: String,
    pub kind: SessionKind,
    pub role: Role,
    /// Its session may look and stop, and nothing else.
    pub only_stops: bool,
    /// Days until it expires; `DAYS` if not given.
    pub days: Option<u32>,
}

struct Known {
    token: StoredToken,
    /// One from the first request to the last: what it locks stays locked.
    session: Session,
    used_ms: Option<i64>,
    /// Its session was ended because it has expired.
    is_ended: bool,
}

impl Known {
    fn of(token: StoredToken) -> Self {
        Self { session: Session::of_token(&token), token, used_ms: None, is_ended: false }
    }

    fn row(&self, now_ms: i64) -> TokenRow {
        let StoredToken { id, hash: _, label, kind, role, only_stops, made_by, made_ms, expires_ms } =
            self.token.clone();
        let (expired, used_ms) = (now_ms >= expires_ms, self.used_ms);
        TokenRow { id, label, kind, role, only_stops, made_by, made_ms, expires_ms, expired, used_ms }
    }
}

/// The tokens of a station, as they are on disk.
pub(crate) struct Tokens {
    station: StationId,
    known: RwLock<BTreeMap<String, Known>>,
    /// The database. Its lock lets tokens be made and revoked one at a time, so that no two get the same name.
    stored: tokio::sync::Mutex<StationDb>,
}

impl Tokens {
    /// Reads those in `db`.
    pub async fn load(db: StationDb, station: &StationId) -> Result<Self, MemoryError> {
        let known = db.tokens().await?.into_iter().map(|token| (token.id.clone(), Known::of(token))).collect();
        Ok(Self { station: station.clone(), known: RwLock::new(known), stored: tokio::sync::Mutex::new(db) })
    }

    /// Makes a token: its row, and the token itself, which nobody can read again.
    pub async fn create(&self, new: NewToken, by: &Session, now_ms: i64) -> Result<(TokenRow, String), OpError> {
        let db = self.stored.lock().await;
        let (label, days) = self.check(&new)?;
        let id = hex::encode(rand::random::<[u8; ID_BYTES]>());
        let text = fresh_token(&id);
        let token = StoredToken {
            // Split as at sign-in, so that both hash the same characters. A fresh token always splits.
            hash: self.hash(secret_of(&text).map_or("", |(_, secret)| secret)),
            id: id.clone(),
            label,
            kind: new.kind,
            role: new.role,
            only_stops: new.only_stops,
            made_by: by.actor().to_owned(),
            made_ms: now_ms,
            expires_ms: now_ms.saturating_add(i64::from(days) * DAY_MS),
        };
        // On disk before it is handed out: the next start would not know it otherwise.
        db.add_token(&token).await?;
        let known = Known::of(token);
        let row = known.row(now_ms);
        write(&self.known).insert(id, known);
        Ok((row, text))
    }

    fn check(&self, new: &NewToken) -> Result<(String, u32), OpError> {
        let bad = |path: &str, message: String| Err(OpError::bad_input(SharedCode::InvalidInput, path, message));
        let label = new.label.trim();
        if label.is_empty() || label.chars().count() > LABEL_CHARS_MAX || label.chars().any(char::is_control) {
            return bad("label", format!("Name the holder of the token in 1 to {LABEL_CHARS_MAX} characters."));
        }
        if OWN_NAMES.iter().any(|own| own.eq_ignore_ascii_case(label)) {
            return bad("label", format!("{label} is a name of the station itself; choose another."));
        }
        if new.only_stops && new.role != Role::Viewer {
            return bad("role", "A token that only stops has the role viewer.".into());
        }
        let days = new.days.unwrap_or(DAYS);
        if !(1..=DAYS_MAX).contains(&days) {
            return bad("days", format!("A token is valid for 1 to {DAYS_MAX} days."));
        }
        let known = read(&self.known);
        if known.values().any(|known| known.token.label == label) {
            return bad("label", format!("There is a token of {label}; revoke it, or choose another name."));
        }
        if known.len() >= TOKENS_MAX {
            return Err(OpError::limit_reached(TOKENS_MAX, format!("A station has at most {TOKENS_MAX} tokens.")));
        }
        Ok((label.to_owned(), days))
    }

    /// Revokes a token: from here it signs nobody in. Gives the session that ends with it.
    pub async fn revoke(&self, id: &str) -> Result<Session, OpError> {
        let not_found = || OpError::not_found(StationCode::TokenNotFound, "token", id);
        let db = self.stored.lock().await;
        if !read(&self.known).contains_key(id) {
            return Err(not_found());
        }
        // The disk first: a row that stays there would sign its holder in again at the next start.
        db.remove_token(id).await?;
        write(&self.known).remove(id).map(|known| known.session).ok_or_else(not_found)
    }

    /// Every token, oldest first.
    pub fn list(&self, now_ms: i64) -> Vec<TokenRow> {
        let mut rows: Vec<TokenRow> = read(&self.known).values().map(|known| known.row(now_ms)).collect();
        rows.sort_by(|one, other| (one.made_ms, &one.id).cmp(&(other.made_ms, &other.id)));
        rows
    }

    /// The session of a token's bearer; none if it is no token of ours, or has expired.
    pub fn sign_in(&self, text: &str, now_ms: i64) -> Option<Session> {
        let (id, secret) = secret_of(text)?;
        let mut known = write(&self.known);
        let known = known.get_mut(id)?;
        // In constant time: the time of a comparison must not tell how many bytes were right.
        let is_right: bool = self.hash(secret).ct_eq(&known.token.hash).into();
        if !is_right || now_ms >= known.token.expires_ms {
            return None;
        }
        known.used_ms = Some(now_ms);
        Some(known.session.clone())
    }

    /// The sessions of tokens that have expired since this was asked last.
    pub fn take_expired(&self, now_ms: i64) -> Vec<Session> {
        let is_due = |known: &Known| !known.is_ended && now_ms >= known.token.expires_ms;
        // The sweep asks ten times a second and almost always in vain; readers do not hold up each other.
        if !read(&self.known).values().any(is_due) {
            return Vec::new();
        }
        let mut known = write(&self.known);
        let due = known.values_mut().filter(|known| is_due(known));
        due.map(|known| {
            known.is_ended = true;
            known.session.clone()
        })
        .collect()
    }

    /// False for the session of a token that was revoked or has expired.
    pub fn is_signed_in(&self, session: &Session, now_ms: i64) -> bool {
        let lasts = |known: &Known| known.session.id() == session.id() && now_ms < known.token.expires_ms;
        !session.has_token() || read(&self.known).values().any(lasts)
    }

    fn hash(&self, secret: &str) -> [u8; 32] {
        // Every request pays for this hash, and nobody guesses 32 random bytes from a fast one.
        Sha256::new().chain_update(self.station.as_str()).chain_update([0]).chain_update(secret).finalize().into()
    }
}

/// Id and secret of a token.
fn secret_of(text: &str) -> Option<(&str, &str)> {
    // The first underscore ends the id: an id is hexadecimal, but the base64url of a secret may hold underscores.
    text.strip_prefix(PREFIX)?.split_once('_')
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn tokens(folder: &std::path::Path, station: &str) -> Tokens {
        let db = StationDb::open(&folder.join("station.db")).await.unwrap();
        Tokens::load(db, &StationId::new(station).unwrap()).await.unwrap()
    }

    fn new(label: &str, role: Role) -> NewToken {
        NewToken { label: label.into(), kind: SessionKind::Person, role, only_stops: false, days: Some(2) }
    }

    #[tokio::test]
    async fn att_11_a_token_signs_in_until_it_expires_or_is_revoked_and_at_its_own_station_alone() {
        let folder = tempfile::tempdir().unwrap();
        let ours = tokens(folder.path(), "st-a").await;
        let by = Session::bootstrap();
        let (row, text) = ours.create(new("Tablet of Kim", Role::Operator), &by, 1_000).await.unwrap();
        let until = 1_000 + 2 * DAY_MS;
        assert_eq!((row.made_by.as_str(), row.expires_ms), ("admin", until));
        let session = ours.sign_in(&text, 2_000).unwrap();
        assert_eq!((session.actor(), session.recorded_role()), ("Tablet of Kim", Role::Operator));
        assert!(ours.sign_in(&text, until - 1).is_some() && ours.sign_in(&text, until).is_none());
        assert!(ours.is_signed_in(&session, until - 1) && !ours.is_signed_in(&session, until));
        let expired = |now_ms| ours.take_expired(now_ms).iter().map(|session| session.id().clone()).collect::<Vec<_>>();
        assert!(expired(until - 1).is_empty());
        assert_eq!((expired(until), expired(until + 1)), (vec![session.id().clone()], vec![]), "once");
        for wrong in ["", "qd_", &text[..text.len() - 1], &text.replace("qd_", "qd"), &format!("{text}A")] {
            assert!(ours.sign_in(wrong, 2_000).is_none(), "{wrong}");
        }
        let again = tokens(folder.path(), "st-a").await;
        assert!(again.sign_in(&text, 2_000).is_some(), "it outlives a restart");
        let elsewhere = tokens(folder.path(), "st-b").await;
        assert!(elsewhere.sign_in(&text, 2_000).is_none(), "a copied database of another station signs nobody in");
        let bytes = std::fs::read(folder.path().join("station.db-wal")).unwrap();
        let secret = secret_of(&text).unwrap().1.as_bytes();
        assert!(!bytes.windows(secret.len()).any(|part| part == secret), "the secret is not on disk");
        ours.revoke(&row.id).await.unwrap();
        assert!(ours.sign_in(&text, 2_000).is_none() && !ours.is_signed_in(&session, 2_000));
        assert_eq!(ours.revoke(&row.id).await.unwrap_err().code, "token_not_found");
    }

    #[tokio::test]
    async fn att_11_a_token_that_nobody_could_tell_from_another_is_not_made() {
        let folder = tempfile::tempdir().unwrap();
        let ours = tokens(folder.path(), "st-a").await;
        let by = Session::bootstrap();
        ours.create(new(" Gate ", Role::Viewer), &by, 0).await.unwrap();
        let refused = [
            (new("Gate", Role::Viewer), "label"),
            (new("  ", Role::Viewer), "label"),
            (new("Supervision", Role::Viewer), "label"),
            (new("a\nb", Role::Viewer), "label"),
            (NewToken { days: Some(366), ..new("c", Role::Viewer) }, "days"),
            (NewToken { days: Some(0), ..new("d", Role::Viewer) }, "days"),
            (NewToken { only_stops: true, ..new("e", Role::Operator) }, "role"),
        ];
        for (new, path) in refused {
            let error = ours.create(new, &by, 0).await.unwrap_err();
            assert_eq!((error.code.as_str(), error.details["path"].as_str()), ("invalid_input", Some(path)));
        }
        assert_eq!(ours.list(0).iter().map(|row| row.label.as_str()).collect::<Vec<_>>(), ["Gate"]);
    }
}
