//! The operating system's keychain, which may wait for a person, for ever.

use std::time::Duration;

use keyring::{Entry, Error as KeychainError};
use secrecy::zeroize::Zeroizing;
use tokio::sync::{Semaphore, oneshot};

use super::{KEYCHAIN_WAIT, SecretError};

/// Under this name the keychain shows our entries.
const SERVICE: &str = "quarterdeck";
/// The reason where nothing keeps secrets.
const NO_SERVICE: &str = "no keychain service answers on this computer";
/// Questions that may wait for the keychain at a time, each on a thread of its own. Beyond them it is silent at once.
const QUESTIONS_MAX: usize = 8;
/// Their places. One is free again when the keychain has answered, not when its asker has given up.
static PLACES: Semaphore = Semaphore::const_new(QUESTIONS_MAX);

/// Asks the keychain, and gives up after a while. On a thread of its own: one that waits for a password must not keep
/// the process from ending, as the runtime's own threads would.
pub(super) async fn ask<T: Send + 'static>(
    question: impl FnOnce() -> Result<T, SecretError> + Send + 'static,
) -> Result<T, SecretError> {
    ask_or_undo(question, |_| {}).await
}

/// The same. If the answer comes when nobody waits for it any more, `undo` is told: what was reported as failed must
/// not have happened.
pub(super) async fn ask_or_undo<T: Send + 'static>(
    question: impl FnOnce() -> Result<T, SecretError> + Send + 'static,
    undo: impl FnOnce(Result<T, SecretError>) + Send + 'static,
) -> Result<T, SecretError> {
    ask_within(KEYCHAIN_WAIT, &PLACES, question, undo).await
}

async fn ask_within<T: Send + 'static>(
    wait: Duration,
    places: &'static Semaphore,
    question: impl FnOnce() -> Result<T, SecretError> + Send + 'static,
    undo: impl FnOnce(Result<T, SecretError>) + Send + 'static,
) -> Result<T, SecretError> {
    let failed = || SecretError::Keychain("asking it failed".into());
    let asked = async {
        let place = places.acquire().await.map_err(|_| failed())?;
        let (answer, answered) = oneshot::channel();
        let asking = std::thread::Builder::new().name("keychain".into());
        let asked = asking.spawn(move || {
            let _place = place;
            if let Err(unheard) = answer.send(question()) {
                undo(unheard);
            }
        });
        asked.map_err(|error| SecretError::Keychain(error.to_string()))?;
        answered.await.map_err(|_| failed())?
    };
    tokio::time::timeout(wait, asked).await.unwrap_or(Err(SecretError::Silent))
}

/// The text kept as `name`.
pub(super) fn read(name: &str) -> Result<Option<Zeroizing<String>>, SecretError> {
    match entry(name)?.get_password() {
        Ok(text) => Ok(Some(Zeroizing::new(text))),
        Err(KeychainError::NoEntry) => Ok(None),
        Err(error) => Err(failed(error)),
    }
}

/// Keeps `text` as `name`, in the place of an older one.
pub(super) fn write(name: &str, text: &str) -> Result<(), SecretError> {
    entry(name)?.set_password(text).map_err(failed)
}

/// Forgets what is kept as `name`, if anything is.
pub(super) fn delete(name: &str) -> Result<(), SecretError> {
    match entry(name)?.delete_credential() {
        Ok(()) | Err(KeychainError::NoEntry) => Ok(()),
        Err(error) => Err(failed(error)),
    }
}

fn entry(name: &str) -> Result<Entry, SecretError> {
    // Without a store of the operating system this is an error; there is none in memory behind it.
    if let Err(error) = Entry::store_status() {
        tracing::warn!(%error, "no keychain");
        return Err(SecretError::Keychain(NO_SERVICE.into()));
    }
    Entry::new(SERVICE, name).map_err(failed)
}

/// The reason in plain words. The words of the bus help whoever reads the log, and nobody on a screen.
fn failed(error: KeychainError) -> SecretError {
    let reason = if matches!(error, KeychainError::PlatformFailure(_) | KeychainError::NoDefaultStore) {
        NO_SERVICE
    } else if matches!(error, KeychainError::NoStorageAccess(_)) {
        "it is locked"
    } else {
        "it refused"
    };
    tracing::warn!(%error, reason, "the keychain cannot be used");
    SecretError::Keychain(reason.into())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc::sync_channel;

    use super::*;
    use crate::error::OpError;

    #[tokio::test]
    async fn a_silent_keychain_keeps_no_more_threads_than_it_has_places() {
        static PLACES: Semaphore = Semaphore::const_new(1);
        let (unlocks, locked) = sync_channel::<()>(1);
        let unheard = ask_within(Duration::ZERO, &PLACES, move || Ok(locked.recv().is_ok()), |_| {}).await;
        assert!(matches!(unheard, Err(SecretError::Silent)), "{unheard:?}");
        let asked = Arc::<AtomicBool>::default();
        let is_asked = Arc::clone(&asked);
        let ask = move || {
            is_asked.store(true, Ordering::SeqCst);
            Ok(())
        };
        let again = ask_within(Duration::ZERO, &PLACES, ask, |_| {}).await;
        assert!(matches!(again, Err(SecretError::Silent)), "{again:?}");
        drop(unlocks);
        drop(PLACES.acquire().await);
        assert!(!asked.load(Ordering::SeqCst));
        assert!(matches!(ask_within(Duration::from_secs(60), &PLACES, || Ok(7), |_| {}).await, Ok(7)));
    }

    #[test]
    fn fu_18_a_keychain_that_cannot_be_used_is_told_without_the_words_of_the_bus() {
        let bus = "org.freedesktop.DBus.Error.ServiceUnknown: The name org.freedesktop.secrets was not provided";
        let told = |error: KeychainError| OpError::from(failed(error)).message;
        let missing = told(KeychainError::PlatformFailure(bus.into()));
        let locked = told(KeychainError::NoStorageAccess(bus.into()));
        for message in [&missing, &locked] {
            assert!(!message.contains("freedesktop") && message.len() < 250, "{message}");
        }
        assert!(missing.contains("no keychain service answers"), "{missing}");
        assert!(locked.contains("it is locked"), "{locked}");
    }
}
