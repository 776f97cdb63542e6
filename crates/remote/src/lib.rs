//! A station elsewhere, as the app's window shows it: the certificate it must show, calls and frames over TLS, STOP ALL
//! that is tried until it is delivered, and the stations that this desk remembers.
//!
//! In the order of the data: [`Address`] and [`Fingerprint`] say who is meant, [`dial()`] lets nobody else answer,
//! [`Client`] calls operations, [`RemoteStation`] follows the frames and delivers stops, [`Stations`] keeps what outlives
//! a run. Invariant: a token leaves this computer only towards the pinned certificate, and no file ever holds it.

mod address;
mod book;
mod client;
mod dial;
mod fingerprint;
mod station;
mod stations;
mod stop;

pub use address::{Address, NoAddress, PORT};
pub use client::{CallError, Client};
pub use dial::{DialError, dial, look};
pub use fingerprint::{Fingerprint, NoFingerprint};
pub use station::{FeedItem, RemoteStation};
pub use stations::Stations;
