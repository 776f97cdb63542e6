//! The operating system's keychain, which may wait for a person, for ever.

use keyring::{Entry, Error as KeychainError};
use secrecy::zeroize::Zeroizing;
use tokio::sync::oneshot;

use super::{KEYCHAIN_WAIT, SecretError};

/// Under this name the keychain shows our entries.
const SERVICE: &str = "quarterdeck";
/// The reason where nothing keeps secrets.
const NO_SERVICE: &str = "no keychain service answers on this computer";

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
    let (answer, answered) = oneshot::channel();
    let asking = std::thread::Builder::new().name("keychain".into());
    let asked = asking.spawn(move || {
        if let Err(unheard) = answer.send(question()) {
            undo(unheard);
        }
    });
    asked.map_err(|error| SecretError::Keychain(error.to_string()))?;
    match tokio::time::timeout(KEYCHAIN_WAIT, answered).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err(SecretError::Keychain("asking it failed".into())),
        Err(_) => Err(SecretError::Silent),
    }
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
    use super::*;
    use crate::error::OpError;

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
