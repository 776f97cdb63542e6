//! The station as the crates below it see it, through the traits that they define.

use std::sync::{Arc, Weak};

use super::Station;
use runtime::error::{OpError, RuntimeCode};

/// A station for its own parts. A station that is gone lets nothing move, believes no sample and refuses every
/// call.
pub(crate) struct StationHost(Weak<Station>);

impl StationHost {
    pub fn of(station: &Weak<Station>) -> Arc<Self> {
        Arc::new(Self(station.clone()))
    }

    pub fn station(&self) -> Option<Arc<Station>> {
        self.0.upgrade()
    }

    pub fn running(&self) -> Result<Arc<Station>, OpError> {
        self.station().ok_or_else(|| OpError::new(RuntimeCode::StationEnded, "The station ends."))
    }
}
