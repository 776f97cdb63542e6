//! `pair`: this gate and a station learn each other's keys, and a person compares six digits at both.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bridge::pairing::{
    Introduction, PAIR_MANIFEST_BYTES_MAX, PAIR_PUT_EVERY, PAIR_WITHIN, PairFault, PairMessage, PairSide, Pairing,
    pair_key,
};
use bridge::{BridgeError, Link, SamplePublisher, Subscription};
use robot::{Codec, Manifest, RobotId, StationId};
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::code::GateCode;
use crate::error::GateError;
use crate::host;
use crate::setup::{Setup, read_manifest};
use crate::state::{StateFolder, paired_bundle};
use crate::wiring::{Mode, Reach, Wiring, manifest_path};

/// Time for the station to say that it has taken up the gate's key.
const FAREWELL: Duration = Duration::from_secs(10);
/// Messages of the other side that wait.
const HEARD_MAX: usize = 16;

/// Pairs the gate of the wiring at `config` with the station that has a pairing open, and keeps the station's id and
/// key in the gate's own folder. A gate on the robot's computer finds the station at `station`, an endpoint that the
/// window shows, and keeps its credentials for the site's router too. The person at this terminal reads from `says`
/// and answers on standard input.
///
/// # Errors
/// Nothing was kept.
pub async fn pair(
    config: &Path,
    state: Option<&Path>,
    station: Option<&str>,
    says: &mut impl Write,
) -> Result<StationId, GateError> {
    let wiring = Wiring::read(config)?;
    if wiring.mode == Mode::Shadow {
        let message = "a gate that only watches (`mode = \"shadow\"`) is not paired; it takes a `bundle`";
        return Err(failed(message));
    }
    let beyond = beyond(&wiring, station)?;
    let folder = StateFolder::open(&Setup::state_folder(config, &wiring, state))?;
    // Before the manifest is checked: one of a reference gate is refused without the gate's key.
    let manifest = name_key(&manifest_path(config, &wiring.robot), &folder, says)?;
    let setup = Setup::read(config, state)?;
    if let Some(misfit) = setup.misfits().into_iter().next() {
        return Err(misfit);
    }
    let key = Arc::new(folder.key()?);
    let introduction = Introduction::Gate { manifest };
    let pairing = match beyond {
        Some(_) => Pairing::begin_sealed(key, introduction),
        None => Pairing::begin(key, introduction),
    };
    let pairing = pairing.map_err(|error| failed(error.to_string()))?;
    let link = match beyond {
        Some(endpoint) => {
            let (site, robot) = (setup.manifest.site.as_str(), setup.manifest.id.as_str());
            let link = Link::open_to_pairing(endpoint, site, robot, host::clock()).await;
            link.map_err(|error| failed(error.to_string()))?
        }
        None => setup.open_link(host::clock()).await?,
    };
    let mut talk = Talk::open(&link, &setup.manifest, pairing).await.map_err(|error| failed(error.to_string()))?;
    let agreed = tokio::time::timeout(PAIR_WITHIN, talk.agree(&folder, says)).await;
    let agreed = agreed.unwrap_or_else(|_| Err(failed("nobody has paired within five minutes")));
    if agreed.is_ok() {
        talk.part(says).await;
    }
    drop(talk);
    link.close().await;
    let station = agreed?;
    if beyond.is_some() {
        let bundle = paired_bundle(folder.path());
        let kept = format!("{}: the way to the router, and the robot's certificate.", bundle.display());
        say(says, &kept)?;
    }
    Ok(station)
}

/// The endpoint of a station beyond this computer; none if the wiring has it here. Each wiring has one way to be
/// paired.
fn beyond<'a>(wiring: &Wiring, station: Option<&'a str>) -> Result<Option<&'a str>, GateError> {
    match (wiring.reach()?, station) {
        (Reach::Here(_), None) => Ok(None),
        (Reach::Paired, Some(endpoint)) => Ok(Some(endpoint)),
        (Reach::Here(endpoint), Some(_)) => Err(failed(format!(
            "the wiring names {endpoint} as its station, so `--station` is too much; a gate on the robot's computer has \
             `placement = \"onboard\"` and no `station` in its wiring"
        ))),
        (Reach::Paired, None) => {
            Err(failed("the station is on another computer: type the command that the window shows, with `--station`"))
        }
        (Reach::Router(_), _) => Err(failed(
            "the wiring names a bundle, which a pairing would leave as it is; take `station` out of the wiring first",
        )),
    }
}

/// Forgets the station that the gate was paired with; false if there is none. A gate that runs must be ended first.
///
/// # Errors
/// The gate runs, or its folder cannot be used.
pub fn unpair(config: &Path, state: Option<&Path>) -> Result<bool, GateError> {
    let wiring = Wiring::read(config)?;
    StateFolder::open(&Setup::state_folder(config, &wiring, state))?.forget_station()
}

/// Writes the gate's key into the manifest at `path` if another one or none stands there; everything else stays as it
/// is.
fn name_key(path: &Path, folder: &StateFolder, says: &mut impl Write) -> Result<String, GateError> {
    let text = read_manifest(path)?;
    let bad = |message: String| GateError::new(GateCode::BadManifest, format!("{}: {message}", path.display()));
    if text.len() > PAIR_MANIFEST_BYTES_MAX {
        return Err(bad(format!("it is longer than {PAIR_MANIFEST_BYTES_MAX} bytes")));
    }
    let key = folder.key()?.public().to_string();
    let mut document: toml_edit::DocumentMut = text.parse().map_err(|error| bad(format!("{error}")))?;
    if document.get("public_key").and_then(|item| item.as_str()) == Some(&key) {
        return Ok(text);
    }
    match document.get_mut("public_key").and_then(|item| item.as_value_mut()) {
        Some(value) => {
            let decor = value.decor().clone();
            *value = key.into();
            *value.decor_mut() = decor;
        }
        None => {
            document.insert("public_key", toml_edit::value(key));
        }
    }
    let text = document.to_string();
    files::replace(path, text.as_bytes()).map_err(|error| bad(error.to_string()))?;
    say(says, &format!("{}: the gate's key stands in it now.", path.display()))?;
    Ok(text)
}

/// A pairing over Zenoh.
struct Talk {
    robot: RobotId,
    pairing: Pairing,
    publisher: SamplePublisher,
    heard: mpsc::Receiver<Arc<[u8]>>,
    _subscription: Subscription,
}

impl Talk {
    async fn open(link: &Link, manifest: &Manifest, pairing: Pairing) -> Result<Self, BridgeError> {
        let (site, robot) = (manifest.site.as_str(), manifest.id.as_str());
        let (put, heard) = mpsc::channel(HEARD_MAX);
        let hear = move |sample: robot::Sample| {
            // The station repeats its messages, so that one without room is not missed.
            let _ = put.try_send(sample.payload);
        };
        let _subscription = link.subscribe(&pair_key(site, robot, PairSide::Station), hear).await?;
        let publisher = link.sample_publisher(&pair_key(site, robot, PairSide::Gate), Codec::Json)?;
        Ok(Self { robot: manifest.id.clone(), pairing, publisher, heard, _subscription })
    }

    /// Speaks with the station and the person here until the station is kept.
    async fn agree(&mut self, folder: &StateFolder, says: &mut impl Write) -> Result<StationId, GateError> {
        say(says, "Open the pairing in the window: Admin, Connections, Pair a gate.")?;
        let mut answers = None;
        let mut ticks = tokio::time::interval(PAIR_PUT_EVERY);
        loop {
            tokio::select! {
                _ = ticks.tick() => self.put(&self.pairing.message())?,
                Some(payload) = self.heard.recv() => self.hear(&payload)?,
                Some(yes) = answer(&mut answers) => {
                    if !yes {
                        // The station learns at once that this try is over, and need not wait for its end.
                        self.put(&self.pairing.farewell())?;
                        return Err(failed("the digits were not confirmed here"));
                    }
                    self.pairing.confirm();
                    say(says, "Confirm in the window too.")?;
                    self.put(&self.pairing.message())?;
                }
            }
            if let Some(digits) = self.pairing.digits().filter(|_| answers.is_none()) {
                let (first, last) = digits.split_at(3);
                say(says, &format!("Does the window show {first} {last}? Type yes if it does."))?;
                answers = Some(ask());
            }
            match self.keep(folder) {
                Ok(Some(station)) => return Ok(station),
                Ok(None) => {}
                Err(error) => {
                    self.put(&self.pairing.farewell())?;
                    return Err(error);
                }
            }
        }
    }

    fn put(&self, message: &PairMessage) -> Result<(), GateError> {
        message.encode().and_then(|message| self.publisher.put(message)).map_err(|error| failed(error.to_string()))
    }

    fn hear(&mut self, payload: &[u8]) -> Result<(), GateError> {
        let heard = PairMessage::parse(payload).and_then(|message| self.pairing.hear(message));
        heard.map_err(|fault: PairFault| failed(fault.to_string()))
    }

    /// Keeps the station, once both have confirmed and everything is there that it has to send.
    fn keep(&mut self, folder: &StateFolder) -> Result<Option<StationId>, GateError> {
        let Some(peer) = self.pairing.agreed() else { return Ok(None) };
        let Introduction::Station { station } = &peer.introduction else { return Ok(None) };
        let station = station.clone();
        if self.pairing.is_sealed() {
            let bundle = self.pairing.bundle(&self.robot).map_err(|fault| failed(fault.to_string()))?;
            // The sealed credentials may come later than the confirmation.
            let Some(bundle) = bundle else { return Ok(None) };
            folder.keep_bundle(&bundle, &station, &peer.public_key)?;
        } else {
            folder.keep_station(&station, &peer.public_key)?;
        }
        // Said once the disk has it: the station takes the robot up on this word.
        self.pairing.take_up();
        Ok(Some(station))
    }

    /// Goes on putting until the station has heard it. The station is kept whatever comes of that.
    async fn part(&mut self, says: &mut impl Write) {
        let (mut ticks, end) = (tokio::time::interval(PAIR_PUT_EVERY), Instant::now() + FAREWELL);
        while !self.pairing.other_is_done() && Instant::now() < end {
            tokio::select! {
                _ = ticks.tick() => {
                    if let Err(error) = self.put(&self.pairing.message()) {
                        tracing::warn!(%error, "the station is not told that it was kept");
                    }
                }
                // A station that says something else by now does not undo what both have confirmed.
                Some(payload) = self.heard.recv() => drop(self.hear(&payload)),
            }
        }
        if !self.pairing.other_is_done() {
            // A terminal that is gone changes nothing either.
            let _ = say(
                says,
                "The station has not said that it knows this robot now. Look at the window; if it does not, pair again.",
            );
        }
    }
}

/// One line of standard input, read on a thread that ends with the program.
fn ask() -> mpsc::Receiver<bool> {
    let (tell, answer) = mpsc::channel(1);
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line);
        // Nobody waits once the pairing has ended.
        let _ = tell.blocking_send(read.is_ok() && line.trim().eq_ignore_ascii_case("yes"));
    });
    answer
}

/// The answer, once; never before it was asked for.
async fn answer(asked: &mut Option<mpsc::Receiver<bool>>) -> Option<bool> {
    match asked {
        Some(answers) => answers.recv().await,
        None => std::future::pending().await,
    }
}

fn say(says: &mut impl Write, sentence: &str) -> Result<(), GateError> {
    writeln!(says, "{sentence}").and_then(|()| says.flush()).map_err(|error| failed(error.to_string()))
}

fn failed(message: impl Into<String>) -> GateError {
    GateError::new(GateCode::PairingFailed, message)
}
