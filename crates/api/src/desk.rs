//! The acts and the state of the app's own desk: the station that its window shows, here or elsewhere.

use std::fmt;

use runtime::secrets::SecretValue;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The name under which a host with a desk of its own takes these acts. No operation is called so.
pub const DESK: &str = "desk";

/// An act of the person at the app's desk.
#[derive(Debug, Deserialize, TS)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
pub enum DeskAct {
    // With braces: serde lets a unit variant carry unknown fields in spite of `deny_unknown_fields`.
    /// Changes nothing.
    Status {},
    /// Looks at the certificate at an address, for a person to compare. Sends nothing there.
    Look {
        /// HOST or HOST:PORT.
        address: String,
    },
    /// Shows a station elsewhere and remembers it, in the place of another one at the same address.
    Connect {
        /// A name for people.
        name: String,
        /// HOST or HOST:PORT.
        address: String,
        /// The fingerprint that the person has compared; it is pinned.
        fingerprint: String,
        /// A token of the station. It is kept in the keychain and not shown again.
        #[ts(type = "string")]
        token: SecretValue,
    },
    /// Shows a station that is remembered.
    Open {
        /// As remembered.
        address: String,
    },
    /// Shows this computer's own station again.
    Leave {},
    /// Forgets a station and its token.
    Forget {
        /// As remembered.
        address: String,
    },
    /// Tries no longer to deliver a stop, and takes the report of one that has ended off the screen.
    WithdrawStop {},
}

/// The answer of each act.
#[derive(Debug, Clone, Serialize, TS)]
pub struct DeskStatus {
    /// The station elsewhere that the window shows; null for this computer's own.
    pub remote: Option<RemoteView>,
    /// Stations that this desk remembers, by name.
    pub stations: Vec<RememberedStation>,
    /// The newest STOP ALL for a station elsewhere, until it is taken off the screen.
    pub stop: Option<StopDelivery>,
    /// The certificate that was looked at.
    pub looked: Option<Looked>,
}

/// A station that this desk remembers. Its token is in the keychain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RememberedStation {
    /// A name for people.
    pub name: String,
    /// HOST:PORT.
    pub address: String,
    /// The pinned certificate.
    pub fingerprint: String,
}

/// The certificate shown at an address.
#[derive(Debug, Clone, Serialize, TS)]
pub struct Looked {
    /// HOST:PORT.
    pub address: String,
    /// The fingerprint that was shown.
    pub shown: String,
    /// The fingerprint that is pinned for this address.
    pub pinned: Option<String>,
}

/// The station elsewhere that the window shows.
#[derive(Debug, Clone, Serialize, TS)]
pub struct RemoteView {
    /// The station as it is remembered.
    pub station: RememberedStation,
    /// False if no keychain took the token: it is asked for again after the app has ended.
    pub token_kept: bool,
    /// State of the link.
    pub link: RemoteLink,
}

/// State of the link to a station elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum RemoteLink {
    /// No frame has come yet.
    Connecting,
    /// Frames come.
    Up,
    /// Frames came and come no more; it is tried again.
    Lost {
        /// The reason of the last try.
        sentence: String,
    },
    /// The token signs nobody in any more: it was revoked, has expired, or the server has started anew.
    SignedOut,
    /// Another certificate is shown. Nothing is sent to who shows it.
    CertificateChanged {
        /// The pinned fingerprint.
        pinned: String,
        /// The one that is shown.
        shown: String,
    },
}

/// The way of one STOP ALL to a station elsewhere.
#[derive(Debug, Clone, Serialize, TS)]
pub struct StopDelivery {
    /// The station's name.
    pub station: String,
    /// Its state.
    pub state: StopDeliveryState,
    /// Time since the press, ms.
    #[ts(type = "number")]
    pub pressed_ago_ms: u64,
    /// Time from the press to its delivery, refusal or withdrawal, ms.
    #[ts(type = "number | null")]
    pub took_ms: Option<u64>,
    /// The reason of the last failure; empty before one.
    pub sentence: String,
}

/// State of a STOP ALL on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StopDeliveryState {
    /// Not delivered, and tried again and again.
    Trying,
    /// The station has answered that it stops.
    Delivered,
    /// The station has answered that it does not. It is tried no longer.
    Refused,
    /// A person has withdrawn it before it was delivered.
    Withdrawn,
}

impl fmt::Display for RememberedStation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.address)
    }
}
