//! The PIN of Admins. It is kept as an Argon2id hash; after five wrong ones in a row none is taken for a minute,
//! and for twice as long after each further one.

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use memory::{AdminPin, StationDb};
use robot::SharedCode;
use serde_json::json;

use crate::code::StationCode;
use runtime::error::OpError;

/// Characters of a PIN.
const CHARS_MIN: usize = 6;
const CHARS_MAX: usize = 64;
/// Wrong PINs in a row that bring the first lock.
const TRIES: u32 = 5;
const LOCK_MS: i64 = 60_000;
/// The lock is doubled this often: to about a day.
const DOUBLED_MAX: u32 = 10;

/// The PIN of a station.
pub(crate) struct Pin {
    /// The database that holds it, for one check or change after the other.
    stored: tokio::sync::Mutex<StationDb>,
}

impl Pin {
    /// The one in `db`.
    pub fn stored_in(db: StationDb) -> Self {
        Self { stored: tokio::sync::Mutex::new(db) }
    }

    /// True if somebody has set one. A PIN that cannot be read counts as set, and nothing matches it. Waits for no
    /// check.
    pub async fn is_set(db: &StationDb) -> bool {
        !matches!(db.admin_pin().await, Ok(None))
    }

    /// Refuses a wrong PIN; takes any while none is set.
    pub async fn check(&self, given: Option<&str>, now_ms: i64) -> Result<(), OpError> {
        // Held until the result is saved: checks side by side would each read the same count and share one try.
        let db = self.stored.lock().await;
        let Some(pin) = db.admin_pin().await? else { return Ok(()) };
        let wait_ms = pin.locked_until_ms.saturating_sub(now_ms).min(lock_ms(pin.wrong));
        if wait_ms > 0 {
            // Longer than any lock: the clock was ahead when it was written, and was set back since.
            if pin.locked_until_ms > now_ms + wait_ms {
                let locked_until_ms = now_ms + wait_ms;
                db.save_admin_pin(Some(&AdminPin { locked_until_ms, ..pin })).await?;
            }
            let seconds = wait_ms.div_euclid(1_000) + 1;
            let message = format!("Too many wrong PINs. Try again in {seconds} s.");
            return Err(OpError::new(StationCode::PinLocked, message).with(json!({ "wait_ms": wait_ms })));
        }
        // A missing PIN is how a window learns that one is set; it costs no try.
        let Some(given) = given else {
            return Err(OpError::new(StationCode::PinNeeded, "Give the Admin PIN of this station."));
        };
        // Counted as wrong before it is looked at: a station that is killed meanwhile gives no free try.
        let wrong = pin.wrong.saturating_add(1);
        // The shift is bounded: an unbounded count would push the time out of its 64 bits.
        let locked_until_ms = now_ms + lock_ms(wrong);
        db.save_admin_pin(Some(&AdminPin { wrong, locked_until_ms, ..pin.clone() })).await?;
        if !matches(pin.hash.clone(), given.to_owned()).await? {
            let left = TRIES.saturating_sub(wrong);
            let message = match left {
                0 => "This is not the Admin PIN. No other is taken for a while.".to_owned(),
                left => format!("This is not the Admin PIN. {left} more tries before none is taken for a while."),
            };
            return Err(OpError::new(StationCode::PinWrong, message).with(json!({ "left": left })));
        }
        Ok(db.save_admin_pin(Some(&AdminPin { wrong: 0, locked_until_ms: 0, ..pin })).await?)
    }

    /// Has no PIN asked for any more.
    pub async fn remove(&self) -> Result<(), OpError> {
        let db = self.stored.lock().await;
        Ok(db.save_admin_pin(None).await?)
    }

    /// Sets the PIN.
    pub async fn set(&self, pin: &str) -> Result<(), OpError> {
        let db = self.stored.lock().await;
        if !(CHARS_MIN..=CHARS_MAX).contains(&pin.chars().count()) {
            let message = format!("A PIN has {CHARS_MIN} to {CHARS_MAX} characters.");
            return Err(OpError::bad_input(SharedCode::InvalidInput, "pin", message));
        }
        let hash = hash_of(pin.to_owned()).await?;
        Ok(db.save_admin_pin(Some(&AdminPin { hash, wrong: 0, locked_until_ms: 0 })).await?)
    }
}

/// The time for which none is taken after so many wrong ones in a row.
fn lock_ms(wrong: u32) -> i64 {
    wrong.checked_sub(TRIES).map_or(0, |more| LOCK_MS << more.min(DOUBLED_MAX))
}

fn failed(error: impl std::fmt::Display) -> OpError {
    tracing::error!(%error, "a PIN was not hashed");
    OpError::new(StationCode::PinNotChecked, "The PIN could not be checked.")
}

async fn hash_of(pin: String) -> Result<String, OpError> {
    // Argon2 is slow by design; on an async thread it would hold up every other task.
    let hashing = tokio::task::spawn_blocking(move || {
        let salt = SaltString::encode_b64(&rand::random::<[u8; 16]>())?;
        Argon2::default().hash_password(pin.as_bytes(), &salt).map(|hash| hash.to_string())
    });
    hashing.await.map_err(failed)?.map_err(failed)
}

async fn matches(hash: String, pin: String) -> Result<bool, OpError> {
    let checking = tokio::task::spawn_blocking(move || {
        let hash = PasswordHash::new(&hash)?;
        Ok::<_, argon2::password_hash::Error>(Argon2::default().verify_password(pin.as_bytes(), &hash).is_ok())
    });
    checking.await.map_err(failed)?.map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn att_37_five_wrong_pins_lock_it_for_a_minute_and_each_further_one_for_twice_as_long() {
        let folder = tempfile::tempdir().unwrap();
        let db = StationDb::open(&folder.path().join("station.db")).await.unwrap();
        let pin = Pin::stored_in(db.clone());
        assert!(!Pin::is_set(&db).await);
        pin.check(None, 0).await.unwrap();
        assert_eq!(pin.set("12345").await.unwrap_err().code, "invalid_input");
        pin.set("123456").await.unwrap();
        assert!(Pin::is_set(&db).await);
        let code = async |given: Option<&str>, now_ms: i64| match pin.check(given, now_ms).await {
            Ok(()) => "right".to_owned(),
            Err(error) => error.code.to_string(),
        };
        assert_eq!(code(None, 0).await, "pin_needed");
        for _ in 0..4 {
            assert_eq!(code(Some("654321"), 0).await, "pin_wrong");
        }
        assert_eq!(code(Some("123456"), 0).await, "right", "a right one begins anew");
        for _ in 0..5 {
            assert_eq!(code(Some("654321"), 0).await, "pin_wrong");
        }
        assert_eq!(code(Some("123456"), 59_999).await, "pin_locked", "not even the right one");
        assert_eq!(code(Some("654321"), 60_000).await, "pin_wrong");
        assert_eq!(code(Some("123456"), 60_000 + 119_999).await, "pin_locked");
        assert_eq!(code(Some("123456"), 60_000 + 120_000).await, "right");
        let stored = db.admin_pin().await.unwrap().unwrap().hash;
        assert!(stored.starts_with("$argon2id$") && !stored.contains("123456"));
        pin.remove().await.unwrap();
        pin.check(None, 0).await.unwrap();
    }

    #[tokio::test]
    async fn a_lock_from_a_clock_that_was_years_ahead_is_over_in_its_own_time_once_the_clock_is_right() {
        const YEARS_MS: i64 = 94_608_000_000;
        let folder = tempfile::tempdir().unwrap();
        let db = StationDb::open(&folder.path().join("station.db")).await.unwrap();
        let pin = Pin::stored_in(db.clone());
        pin.set("123456").await.unwrap();
        for _ in 0..5 {
            pin.check(Some("654321"), YEARS_MS).await.unwrap_err();
        }
        let locked = pin.check(Some("123456"), 1_000).await.unwrap_err();
        assert_eq!((locked.code.as_str(), &locked.details["wait_ms"]), ("pin_locked", &json!(60_000)));
        assert_eq!(pin.check(Some("123456"), 60_999).await.unwrap_err().code, "pin_locked");
        pin.check(Some("123456"), 61_000).await.unwrap();
    }
}
