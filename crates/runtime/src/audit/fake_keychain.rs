//! A keychain of a test: one entry, which can be locked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;

use crate::secrets::SecretError;

/// One entry; clones are the same keychain.
#[derive(Debug, Clone, Default)]
pub(super) struct FakeKeychain {
    pub text: Arc<watch::Sender<Option<String>>>,
    is_locked: Arc<AtomicBool>,
}

impl FakeKeychain {
    pub fn lock(&self, is_locked: bool) {
        self.is_locked.store(is_locked, Ordering::Release);
    }

    /// The entry, locked or not.
    pub fn entry(&self) -> Option<String> {
        self.text.borrow().clone()
    }

    pub fn read(&self) -> Result<Option<String>, SecretError> {
        self.unlocked().map(|()| self.entry())
    }

    pub fn write(&self, text: String) -> Result<(), SecretError> {
        self.unlocked().map(|()| drop(self.text.send_replace(Some(text))))
    }

    fn unlocked(&self) -> Result<(), SecretError> {
        if self.is_locked.load(Ordering::Acquire) {
            return Err(SecretError::Keychain("it is locked".to_owned()));
        }
        Ok(())
    }
}
