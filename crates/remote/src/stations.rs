//! The acts of a person about stations elsewhere: look, connect, open, leave, forget.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use api::{
    DeskAct, DeskStatus, ErrorBody, HostCode, KeyStore, Looked, RememberedStation, RemoteView, SecretValue, lock,
};
use secrecy::SecretString;

use crate::book::Book;
use crate::client::Client;
use crate::dial::look;
use crate::{Address, Fingerprint, RemoteStation};

/// Characters of a name for people.
const NAME_CHARS_MAX: usize = 60;

/// The stations elsewhere that this desk knows, and the one it shows.
pub struct Stations {
    book: Book,
    keys: KeyStore,
    /// Tokens that no keychain took, until the process ends.
    of_session: Mutex<BTreeMap<String, SecretString>>,
    shown: Mutex<Option<SelectedStation>>,
    /// Choices of a station to show, counted.
    choices: AtomicU64,
}

/// The station that is shown.
#[derive(Clone)]
struct SelectedStation {
    station: Arc<RemoteStation>,
    token_kept: bool,
}

impl Stations {
    /// The stations remembered in `folder`; tokens are kept in `keys`.
    #[must_use]
    pub fn open(folder: &Path, keys: KeyStore) -> Self {
        let (of_session, shown) = (Mutex::default(), Mutex::default());
        Self { book: Book::open(folder), keys, of_session, shown, choices: AtomicU64::new(0) }
    }

    /// The station elsewhere that is shown; none while this computer's own is.
    #[must_use]
    pub fn shown(&self) -> Option<Arc<RemoteStation>> {
        lock(&self.shown).as_ref().map(|shown| Arc::clone(&shown.station))
    }

    /// Carries out an act. `is_locked` tells of a desk whose screen is locked.
    ///
    /// # Errors
    /// Says what keeps the desk from it; nothing has changed then.
    pub async fn act(&self, act: DeskAct, is_locked: bool) -> Result<DeskStatus, ErrorBody> {
        match act {
            DeskAct::Status {} => {}
            DeskAct::Leave {} => {
                self.choose();
                self.replace(None, || Ok(()))?;
            }
            DeskAct::WithdrawStop {} => {
                if let Some(station) = self.shown() {
                    station.withdraw_stop();
                }
            }
            DeskAct::Look { .. } | DeskAct::Connect { .. } | DeskAct::Open { .. } | DeskAct::Forget { .. }
                if is_locked =>
            {
                return Err(ErrorBody::new(HostCode::DeskLocked, "This desk is locked. Unlock it first."));
            }
            DeskAct::Look { address } => return self.look(&address).await,
            DeskAct::Connect { name, address, fingerprint, token } => {
                self.connect(name.trim(), &address, &fingerprint, &token).await?;
            }
            DeskAct::Open { address } => self.open_again(&address).await?,
            DeskAct::Forget { address } => self.forget(&address).await?,
        }
        Ok(self.status(None))
    }

    fn status(&self, looked: Option<Looked>) -> DeskStatus {
        let shown = lock(&self.shown).clone();
        let stop = shown.as_ref().and_then(|shown| shown.station.stop_delivery());
        let remote = shown.map(|SelectedStation { station, token_kept }| {
            let (station, link) = (station.station().clone(), station.link());
            RemoteView { station, token_kept, link }
        });
        DeskStatus { remote, stations: self.book.list(), stop, looked }
    }

    async fn look(&self, address: &str) -> Result<DeskStatus, ErrorBody> {
        let address: Address = address.parse().map_err(|error| bad_input(&error))?;
        let shown = look(&address).await.map_err(|error| {
            ErrorBody::new(HostCode::StationUnreachable, format!("{}.", error.to_string().trim_end_matches('.')))
        })?;
        let address = address.to_string();
        let pinned = self.book.find(&address).map(|station| station.fingerprint);
        Ok(self.status(Some(Looked { address, shown: shown.to_string(), pinned })))
    }

    async fn connect(
        &self,
        name: &str,
        address: &str,
        fingerprint: &str,
        token: &SecretValue,
    ) -> Result<(), ErrorBody> {
        self.check_no_stop()?;
        let choice = self.choose();
        let address: Address = address.parse().map_err(|error| bad_input(&error))?;
        let pin: Fingerprint = fingerprint.parse().map_err(|error| bad_input(&error))?;
        let name: String = if name.is_empty() { address.host() } else { name }.chars().take(NAME_CHARS_MAX).collect();
        let station = RememberedStation { name, address: address.to_string(), fingerprint: pin.to_string() };
        let token = SecretString::from(token.expose());
        // Remembered only after the station has let the token in.
        let remote = RemoteStation::new(station.clone(), Client::new(address, pin, token.clone()));
        if !self.show(choice, remote, || self.book.put(station.clone())).await? {
            return Ok(());
        }
        let is_kept = match self.keys.keep_text(key_name(&station.address), token.clone()).await {
            Ok(is_kept) => is_kept,
            Err(error) => {
                tracing::warn!(%error, "the token of a station elsewhere is kept until the app ends");
                false
            }
        };
        self.note_kept(&station.address, is_kept);
        if is_kept {
            lock(&self.of_session).remove(&station.address);
        } else {
            lock(&self.of_session).insert(station.address, token);
        }
        Ok(())
    }

    async fn open_again(&self, address: &str) -> Result<(), ErrorBody> {
        self.check_no_stop()?;
        let choice = self.choose();
        let station = self.book.find(address).ok_or_else(no_such_station)?;
        let of_session = lock(&self.of_session).get(address).cloned();
        // A token of this run is there only if the keychain did not take it.
        let is_kept = of_session.is_none();
        let token = match of_session {
            Some(token) => Some(token),
            None => self.keys.text(key_name(address)).await.map_err(|error| {
                tracing::warn!(%error, "no token of a station elsewhere");
                // A keychain that is locked may well hold one.
                no_token(&format!("No token for {station} can be read: {error}."))
            })?,
        };
        let token = token.ok_or_else(|| no_token(&format!("No token for {station} is kept on this computer.")))?;
        let parsed: Address = station.address.parse().map_err(|error| bad_input(&error))?;
        let pin: Fingerprint = station.fingerprint.parse().map_err(|error| bad_input(&error))?;
        let remote = RemoteStation::new(station, Client::new(parsed, pin, token));
        if self.show(choice, remote, || Ok(())).await? {
            self.note_kept(address, is_kept);
        }
        Ok(())
    }

    /// Counts a choice of the person.
    fn choose(&self) -> u64 {
        self.choices.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Shows a station once it has let the token in, and `first` is done. False if the person has chosen another one since.
    async fn show(
        &self,
        choice: u64,
        remote: RemoteStation,
        first: impl FnOnce() -> Result<(), ErrorBody>,
    ) -> Result<bool, ErrorBody> {
        remote.check().await?;
        self.show_as_chosen(choice, remote, first)
    }

    /// Shows a station unless the person has chosen another one since: the stop in the window would be that of a station
    /// that they have left.
    fn show_as_chosen(
        &self,
        choice: u64,
        remote: RemoteStation,
        first: impl FnOnce() -> Result<(), ErrorBody>,
    ) -> Result<bool, ErrorBody> {
        let mut shown = lock(&self.shown);
        if self.choices.load(Ordering::SeqCst) != choice {
            return Ok(false);
        }
        Self::put(&mut shown, Some(SelectedStation { station: Arc::new(remote), token_kept: false }), first)?;
        Ok(true)
    }

    fn replace(
        &self,
        next: Option<SelectedStation>,
        first: impl FnOnce() -> Result<(), ErrorBody>,
    ) -> Result<(), ErrorBody> {
        Self::put(&mut lock(&self.shown), next, first)
    }

    /// Shows another station, or none. Nothing has changed if `first` fails, or a stop is on its way to the one before: it
    /// may have been pressed while the other was being asked, and would end with it.
    fn put(
        shown: &mut Option<SelectedStation>,
        next: Option<SelectedStation>,
        first: impl FnOnce() -> Result<(), ErrorBody>,
    ) -> Result<(), ErrorBody> {
        if shown.as_ref().is_some_and(|shown| shown.station.is_stopping()) {
            return Err(stop_pending());
        }
        first()?;
        *shown = next;
        Ok(())
    }

    fn note_kept(&self, address: &str, is_kept: bool) {
        // Asking the keychain takes a while: another station may be shown by now.
        if let Some(shown) = lock(&self.shown).as_mut().filter(|shown| shown.station.station().address == address) {
            shown.token_kept = is_kept;
        }
    }

    async fn forget(&self, address: &str) -> Result<(), ErrorBody> {
        self.book.find(address).ok_or_else(no_such_station)?;
        let is_shown = self.shown().is_some_and(|shown| shown.station().address == address);
        if is_shown {
            self.check_no_stop()?;
        }
        // The token first: a station that stays listed because its file cannot be written only asks for one again.
        self.keys.forget_text(key_name(address)).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "a token of a station elsewhere stays in the keychain");
        });
        lock(&self.of_session).remove(address);
        if is_shown { self.replace(None, || self.book.remove(address)) } else { self.book.remove(address) }
    }

    /// A stop that is on its way is not left behind unseen.
    fn check_no_stop(&self) -> Result<(), ErrorBody> {
        if self.shown().is_some_and(|station| station.is_stopping()) { Err(stop_pending()) } else { Ok(()) }
    }
}

fn no_token(why: &str) -> ErrorBody {
    ErrorBody::new(HostCode::NoStationToken, format!("{why} Connect to it with a token."))
}

fn stop_pending() -> ErrorBody {
    let message = "STOP ALL is still on its way to the station that is shown. Withdraw it first.";
    ErrorBody::new(HostCode::StopPending, message)
}

fn key_name(address: &str) -> String {
    format!("remote station {address}")
}

fn bad_input(error: &dyn std::fmt::Display) -> ErrorBody {
    ErrorBody::new(HostCode::BadRequest, format!("{error}."))
}

fn no_such_station() -> ErrorBody {
    ErrorBody::new(HostCode::NoSuchStation, "This desk remembers no station at that address.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn station(address: &str) -> RemoteStation {
        let pin = Fingerprint::of(b"a certificate");
        let remembered =
            RememberedStation { name: "lab".into(), address: address.into(), fingerprint: pin.to_string() };
        let token = SecretString::from("a token");
        RemoteStation::new(remembered, Client::new(address.parse().unwrap(), pin, token))
    }

    #[tokio::test]
    async fn a_station_that_answers_after_the_person_has_left_is_not_shown() {
        let folder = tempfile::tempdir().unwrap();
        let stations = Stations::open(folder.path(), KeyStore::Environment);
        let choice = stations.choose();
        assert!(stations.show_as_chosen(choice, station("10.0.0.5:8420"), || Ok(())).unwrap());
        let slow = stations.choose();
        stations.act(DeskAct::Leave {}, true).await.unwrap();
        let shown = stations.show_as_chosen(slow, station("10.0.0.6:8420"), || panic!("nothing is remembered"));
        assert!(!shown.unwrap());
        assert!(stations.shown().is_none(), "the person has gone back to their own station");
    }
}
