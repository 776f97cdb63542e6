//! Pairing of a station with the gate of a robot: each learns the other's key, and a person compares six digits.
//!
//! Pure: messages come in and go out. While a pairing runs, the gate puts its message on `S/pair/R/gate` and the
//! station its own on `S/pair/R/station`, again and again, JSON as in [`PairMessage`]; whatever is lost comes again.
//! Nobody signs them, because nobody is known yet.
//!
//! 1. Both put the SHA-256 of what they will say, with 32 random bytes in it, and keep to the first one they hear.
//! 2. With the other's hash each says it. A text that does not have that hash ends the pairing. Both show the six
//!    digits of the hash of everything that was said, so a stranger in between has one guess in a million.
//! 3. A person at either side confirms that the digits are equal. Each side then signs the whole with its new key, and
//!    takes the other's key up once it has both its own person's word and the other's signature.
//!
//! In a sealed pairing, of a robot behind a router, each reveals an X25519 key too, which the digits cover. After both
//! persons have confirmed, and not before, the station adds the robot's credentials, sealed to the gate's key. It takes
//! the gate's key up once the gate says that it has kept them.

mod sealing;

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use robot::{RobotId, StationId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::BridgeError;
use crate::envelope::encode;
use crate::keys::PAIR_MESSAGE_BYTES_MAX;
pub use crate::keys::{PairSide, pair_key};
use crate::signing::{KeyError, PublicKey, SigningKey};
pub use sealing::RobotBundle;
use sealing::{Seal, SealKey};

/// Period of the messages of each side.
pub const PAIR_PUT_EVERY: Duration = Duration::from_millis(250);
/// A pairing takes no longer.
pub const PAIR_WITHIN: Duration = Duration::from_secs(300);
/// The longest manifest that a gate sends, bytes.
pub const PAIR_MANIFEST_BYTES_MAX: usize = 64 * 1024;
/// Prefixes of what is hashed and signed, so that none of it means anything elsewhere.
const COMMITMENT: &[u8] = b"quarterdeck-pair-1 commitment\0";
const DIGITS: &[u8] = b"quarterdeck-pair-1 digits\0";
const CONFIRMATION: &str = "quarterdeck-pair-1 confirmation";

/// The introduction of one side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Introduction {
    /// A gate, with its key in the manifest of its robot.
    Gate {
        /// Text of the manifest, with the gate's `public_key`.
        manifest: String,
    },
    /// A station.
    Station {
        /// Its id.
        station: StationId,
    },
}

/// The word of one side, revealed once it has heard the other's commitment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Revealed {
    introduction: Introduction,
    /// `ed25519:BASE64`.
    public_key: String,
    /// 32 random bytes, Base64.
    nonce: String,
    /// `x25519:BASE64`; only in a sealed pairing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seal_key: Option<String>,
}

/// A message of one side: everything that it may say by now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairMessage {
    /// SHA-256 of what it will reveal, Base64.
    pub commitment: String,
    /// Null before it has heard the other's commitment.
    pub revealed: Option<Revealed>,
    /// Its signature of the whole, Base64; null before its person has confirmed the digits.
    pub confirmation: Option<String>,
    /// The robot's credentials, sealed to the gate's key, Base64; only the station has any, once both have confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sealed: Option<String>,
    /// True once it has taken up the other's key.
    pub done: bool,
    /// True if its person has ended the pairing.
    pub given_up: bool,
}

impl PairMessage {
    /// Reads a message.
    ///
    /// # Errors
    /// It is too long, or no such message.
    pub fn parse(payload: &[u8]) -> Result<Self, PairFault> {
        if payload.len() > PAIR_MESSAGE_BYTES_MAX {
            return Err(PairFault::Unreadable);
        }
        serde_json::from_slice(payload).map_err(|_| PairFault::Unreadable)
    }

    /// Writes it.
    ///
    /// # Errors
    /// It cannot be encoded.
    pub fn encode(&self) -> Result<Vec<u8>, BridgeError> {
        encode(self)
    }
}

/// The end of a pairing that failed. Nothing was taken up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PairFault {
    /// A message that is none.
    #[error("the other side says something that is no message of a pairing")]
    Unreadable,
    /// Two speak in the other's name, or the other has begun anew.
    #[error("another one speaks in the place of the other side, or it has begun again")]
    AnotherSpeaks,
    /// The other side's word is not the one that it has promised.
    #[error("the other side reveals something else than it has promised")]
    NotAsPromised,
    /// The person at the other side has ended it.
    #[error("the pairing was ended at the other side")]
    GivenUp,
    /// The confirmation is not signed by the key that is being exchanged.
    #[error("the other side's confirmation is not signed by its key")]
    BadConfirmation,
    /// One of them pairs through the network, and the other on one computer.
    #[error("only one of the two sides expects the robot behind a router")]
    OtherProfile,
    /// The credentials were not sealed for this pairing, or are none.
    #[error("the credentials cannot be opened: they were not sealed for this pairing")]
    BadBundle,
    /// The credentials are for another robot.
    #[error("the credentials are those of another robot")]
    OtherRobot,
}

/// The other side, once it is known: its introduction and its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// Its introduction.
    pub introduction: Introduction,
    /// Its key.
    pub public_key: PublicKey,
}

/// One run of a pairing, at one of the two sides.
pub struct Pairing {
    side: PairSide,
    key: Arc<SigningKey>,
    own: Revealed,
    commitment: String,
    theirs: Theirs,
    /// Only in a sealed pairing.
    seal_key: Option<SealKey>,
    /// Own credentials for the other side.
    sealed: Option<String>,
    confirmed: bool,
    done: bool,
}

/// The other side, as far as it is known.
enum Theirs {
    Nothing,
    Committed { commitment: String },
    Revealed(Box<Known>),
}

/// The other side once it has revealed itself.
struct Known {
    commitment: String,
    revealed: Revealed,
    peer: Peer,
    /// Only in a sealed pairing.
    seal: Option<Seal>,
    sealed: Option<String>,
    confirmed: bool,
    done: bool,
}

impl Pairing {
    /// Begins a run with a fresh nonce, between a station and a gate on its computer.
    ///
    /// # Errors
    /// The operating system gives no random numbers.
    pub fn begin(key: Arc<SigningKey>, introduction: Introduction) -> Result<Self, KeyError> {
        Self::begin_with(key, introduction, None)
    }

    /// Begins a sealed run, in which the gate gets its credentials for the site's router.
    ///
    /// # Errors
    /// The operating system gives no random numbers.
    pub fn begin_sealed(key: Arc<SigningKey>, introduction: Introduction) -> Result<Self, KeyError> {
        Self::begin_with(key, introduction, Some(SealKey::generate()?))
    }

    fn begin_with(
        key: Arc<SigningKey>,
        introduction: Introduction,
        seal_key: Option<SealKey>,
    ) -> Result<Self, KeyError> {
        // Without it the hash of a known key and manifest could be computed in advance, and would promise nothing.
        let mut nonce = [0; 32];
        getrandom::fill(&mut nonce).map_err(|source| KeyError::NoRandomness { source })?;
        let side = match introduction {
            Introduction::Gate { .. } => PairSide::Gate,
            Introduction::Station { .. } => PairSide::Station,
        };
        let own = Revealed {
            introduction,
            public_key: key.public().to_string(),
            nonce: BASE64.encode(nonce),
            seal_key: seal_key.as_ref().map(|key| key.public().to_owned()),
        };
        let (commitment, theirs) = (commitment_of(side, &own), Theirs::Nothing);
        Ok(Self { side, key, own, commitment, theirs, seal_key, sealed: None, confirmed: false, done: false })
    }

    /// The message that is to be put now.
    #[must_use]
    pub fn message(&self) -> PairMessage {
        let is_heard = !matches!(self.theirs, Theirs::Nothing);
        let confirmation = self.transcript().filter(|_| self.confirmed);
        PairMessage {
            commitment: self.commitment.clone(),
            // Never before the other has committed itself, or it
            // could search for a word that gives the same digits.
            revealed: is_heard.then(|| self.own.clone()),
            confirmation: confirmation.map(|whole| BASE64.encode(self.key.sign(CONFIRMATION, &whole))),
            sealed: self.sealed.clone(),
            done: self.done,
            given_up: false,
        }
    }

    /// The last message of a side whose person ends the pairing.
    #[must_use]
    pub fn farewell(&self) -> PairMessage {
        PairMessage { given_up: true, ..self.message() }
    }

    /// Takes in a message of the other side.
    ///
    /// # Errors
    /// The pairing has failed and must not go on.
    pub fn hear(&mut self, message: PairMessage) -> Result<(), PairFault> {
        let PairMessage { commitment, revealed, confirmation, sealed, done, given_up } = message;
        // The first one binds: a later one could be chosen to fit what this side has revealed.
        if self.commitment_heard().is_some_and(|first| first != commitment) {
            return Err(PairFault::AnotherSpeaks);
        }
        // Nothing is signed yet, so anybody can end a pairing; completing one takes both persons.
        if given_up {
            return Err(PairFault::GivenUp);
        }
        let revealed = match (&self.theirs, revealed) {
            (Theirs::Nothing, _) => {
                // The rest of this message is dropped: the other side repeats it once it has heard our commitment.
                self.theirs = Theirs::Committed { commitment };
                return Ok(());
            }
            (Theirs::Committed { .. }, None) => return Ok(()),
            (Theirs::Committed { .. }, Some(revealed)) => revealed,
            (Theirs::Revealed(known), revealed) => {
                if revealed.is_some_and(|now| now != known.revealed) {
                    return Err(PairFault::NotAsPromised);
                }
                return self.hear_confirmation(confirmation.as_deref(), sealed, done);
            }
        };
        let peer = self.peer_of(&commitment, &revealed)?;
        let known = Known { commitment, revealed, peer, seal: None, sealed: None, confirmed: false, done: false };
        self.theirs = Theirs::Revealed(Box::new(known));
        self.agree_on_seal()?;
        self.hear_confirmation(confirmation.as_deref(), sealed, done)
    }

    /// Makes the key of a sealed pairing, once both halves are there.
    fn agree_on_seal(&mut self) -> Result<(), PairFault> {
        let Some(transcript) = self.transcript() else { return Ok(()) };
        let Theirs::Revealed(known) = &mut self.theirs else { return Ok(()) };
        known.seal = match (&mut self.seal_key, &known.revealed.seal_key) {
            (None, None) => None,
            (Some(own), Some(theirs)) => Some(own.agree(theirs, &transcript).ok_or(PairFault::NotAsPromised)?),
            (Some(_), None) | (None, Some(_)) => return Err(PairFault::OtherProfile),
        };
        Ok(())
    }

    fn commitment_heard(&self) -> Option<&str> {
        match &self.theirs {
            Theirs::Nothing => None,
            Theirs::Committed { commitment } => Some(commitment),
            Theirs::Revealed(known) => Some(&known.commitment),
        }
    }

    fn peer_of(&self, commitment: &str, revealed: &Revealed) -> Result<Peer, PairFault> {
        let is_other_side = match revealed.introduction {
            Introduction::Gate { .. } => self.side == PairSide::Station,
            Introduction::Station { .. } => self.side == PairSide::Gate,
        };
        if !is_other_side || commitment_of(self.side.other(), revealed) != commitment {
            return Err(PairFault::NotAsPromised);
        }
        let public_key = revealed.public_key.parse().map_err(|_| PairFault::NotAsPromised)?;
        Ok(Peer { introduction: revealed.introduction.clone(), public_key })
    }

    fn hear_confirmation(
        &mut self,
        confirmation: Option<&str>,
        sealed: Option<String>,
        is_done: bool,
    ) -> Result<(), PairFault> {
        let Some(confirmation) = confirmation else { return Ok(()) };
        let signature = BASE64.decode(confirmation).ok().and_then(|bytes| <[u8; 64]>::try_from(bytes).ok());
        let whole = self.transcript();
        let (Theirs::Revealed(known), Some(signature), Some(whole)) = (&mut self.theirs, signature, whole) else {
            return Err(PairFault::BadConfirmation);
        };
        if !known.peer.public_key.has_signed(CONFIRMATION, &whole, &signature) {
            return Err(PairFault::BadConfirmation);
        }
        (known.confirmed, known.done) = (true, is_done);
        // A message from before the handover carries none, and must not take them away again.
        known.sealed = sealed.or(known.sealed.take());
        Ok(())
    }

    /// The other side, once it has revealed itself. Nothing of it is to be believed before [`Pairing::agreed`].
    #[must_use]
    pub fn peer(&self) -> Option<&Peer> {
        match &self.theirs {
            Theirs::Revealed(known) => Some(&known.peer),
            Theirs::Nothing | Theirs::Committed { .. } => None,
        }
    }

    /// The six digits that both sides show, once both have revealed themselves.
    #[must_use]
    pub fn digits(&self) -> Option<String> {
        let hash = Sha256::new().chain_update(DIGITS).chain_update(self.transcript()?).finalize();
        // Of 64 bits the remainder is as good as even: no digits are noticeably likelier than others.
        let number = hash.iter().take(8).fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
        Some(format!("{:06}", number % 1_000_000))
    }

    /// A person at this side has found the digits equal. Before there are any it changes nothing.
    pub fn confirm(&mut self) {
        self.confirmed |= self.peer().is_some();
    }

    /// True once the person at this side has confirmed.
    #[must_use]
    pub const fn is_confirmed(&self) -> bool {
        self.confirmed
    }

    /// The other side, once both persons have confirmed: its key may be taken up.
    #[must_use]
    pub fn agreed(&self) -> Option<&Peer> {
        match &self.theirs {
            Theirs::Revealed(known) if self.confirmed && known.confirmed => Some(&known.peer),
            Theirs::Revealed(_) | Theirs::Nothing | Theirs::Committed { .. } => None,
        }
    }

    /// True in a pairing in which the gate gets credentials.
    #[must_use]
    pub const fn is_sealed(&self) -> bool {
        self.seal_key.is_some()
    }

    /// True once the credentials were handed over.
    #[must_use]
    pub const fn has_handed_over(&self) -> bool {
        self.sealed.is_some()
    }

    /// Seals the robot's credentials for the gate, once both persons have confirmed; before that, and a second time, it
    /// changes nothing.
    ///
    /// # Errors
    /// They cannot be sealed.
    pub fn hand_over(&mut self, bundle: &RobotBundle) -> Result<(), BridgeError> {
        // Once: the key of the seal has one nonce.
        if self.side == PairSide::Station && self.sealed.is_none() && self.agreed().is_some() {
            let Theirs::Revealed(known) = &self.theirs else { return Ok(()) };
            self.sealed = known.seal.as_ref().map(|seal| seal.close(bundle)).transpose()?;
        }
        Ok(())
    }

    /// The credentials of `robot` that the station has handed over, once both persons have confirmed.
    ///
    /// # Errors
    /// The credentials were not sealed for this pairing, or are another robot's.
    pub fn bundle(&self, robot: &RobotId) -> Result<Option<RobotBundle>, PairFault> {
        let Theirs::Revealed(known) = &self.theirs else { return Ok(None) };
        let (Some(_), Some(seal), Some(sealed)) = (self.agreed(), &known.seal, &known.sealed) else { return Ok(None) };
        let bundle = seal.open(sealed)?;
        if bundle.robot == *robot { Ok(Some(bundle)) } else { Err(PairFault::OtherRobot) }
    }

    /// Notes that the other side's key was taken up; the next message says so.
    pub fn take_up(&mut self) {
        self.done |= self.agreed().is_some();
    }

    /// True once the other side has taken up this side's key.
    #[must_use]
    pub fn other_is_done(&self) -> bool {
        matches!(&self.theirs, Theirs::Revealed(known) if known.done)
    }

    /// Everything that both have revealed, the gate's first.
    fn transcript(&self) -> Option<Vec<u8>> {
        let Theirs::Revealed(known) = &self.theirs else { return None };
        let (gate, station) = match self.side {
            PairSide::Gate => (&self.own, &known.revealed),
            PairSide::Station => (&known.revealed, &self.own),
        };
        Some([hash_of(PairSide::Gate, gate), hash_of(PairSide::Station, station)].concat())
    }
}

fn commitment_of(side: PairSide, revealed: &Revealed) -> String {
    BASE64.encode(hash_of(side, revealed))
}

/// Hash of one side's word. Every field goes in with its length, so that no two words read alike.
fn hash_of(side: PairSide, Revealed { introduction, public_key, nonce, seal_key }: &Revealed) -> [u8; 32] {
    let (kind, text) = match introduction {
        Introduction::Gate { manifest } => ("gate", manifest.as_str()),
        Introduction::Station { station } => ("station", station.as_str()),
    };
    let mut hash = Sha256::new().chain_update(COMMITMENT);
    for field in [side.name(), kind, text, public_key, nonce].into_iter().chain(seal_key.as_deref()) {
        hash.update((field.len() as u64).to_be_bytes());
        hash.update(field);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests;
