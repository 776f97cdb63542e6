//! The pairing with the gate of a robot that an Admin has opened: one at a time, for five minutes and three tries.

use std::sync::{Arc, Mutex};

use bridge::pairing::{Introduction, PAIR_PUT_EVERY, PAIR_WITHIN, PairFault, PairMessage, PairSide, Pairing, pair_key};
use bridge::{BridgeError, SamplePublisher};
use fleet::Fleet;
use robot::{Codec, Instant, Manifest, RobotId, Sample};
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::wire::{ManifestMeaning, PairingState, PairingView, Tag};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::code::StationCode;
use crate::manifests;

/// Tries of one pairing.
const TRIES: u32 = 3;
/// Messages of gates that wait.
const HEARD_MAX: usize = 16;

/// The pairing that is open, if one is.
#[derive(Default)]
pub struct Pairings {
    open: Mutex<Option<Open>>,
}

struct Open {
    until: Instant,
    tries_left: u32,
    /// The reason why the last try failed.
    problem: Option<String>,
    run: Option<Run>,
    /// Ends the task that speaks for it.
    ended: CancellationToken,
}

/// A try with one gate.
struct Run {
    site: String,
    robot: RobotId,
    pairing: Pairing,
    publisher: SamplePublisher,
    /// The manifest that the gate has sent, and its meaning.
    sent: Option<(String, ManifestMeaning)>,
    is_paired: bool,
}

impl Pairings {
    /// Opens a pairing in the place of one that is open.
    pub async fn open(self: &Arc<Self>, fleet: &Arc<Fleet>) -> Result<(), OpError> {
        let (put, heard) = mpsc::channel(HEARD_MAX);
        let hear = move |sample: Sample| {
            // What is dropped comes again.
            let _ = put.try_send(sample);
        };
        let key = pair_key("*", "*", PairSide::Gate);
        let subscription = fleet.runtime.link.subscribe(&key, hear).await.map_err(not_open)?;
        let ended = fleet.runtime.ended.child_token();
        let until = fleet.runtime.clock.now().station.plus(PAIR_WITHIN);
        let open = Open { until, tries_left: TRIES, problem: None, run: None, ended: ended.clone() };
        if let Some(before) = lock(&self.open).replace(open) {
            before.ended.cancel();
        }
        let (speaking, fleet) = (Arc::clone(self), Arc::clone(fleet));
        Arc::clone(&fleet.runtime).spawn(async move {
            speaking.speak(&fleet, heard, &ended).await;
            drop(subscription);
        });
        Ok(())
    }

    /// Closes it.
    pub fn close(&self) {
        if let Some(open) = lock(&self.open).take() {
            if let Some(run) = open.run.filter(|run| !run.is_paired) {
                run.put(&run.pairing.farewell());
            }
            open.ended.cancel();
        }
    }

    /// The person here has found these digits at the gate too.
    pub fn confirm(&self, digits: &str) -> Result<(), OpError> {
        let mut held = lock(&self.open);
        let run = held.as_mut().and_then(|open| open.run.as_mut());
        match run.filter(|run| run.sent.is_some() && run.pairing.digits().as_deref() == Some(digits)) {
            Some(run) => {
                run.pairing.confirm();
                Ok(())
            }
            None => Err(OpError::new(
                StationCode::PairingNotComparing,
                "These digits are not the ones that are compared now.",
            )),
        }
    }

    /// The pairing as a person sees it.
    pub fn view(&self, now: Instant) -> PairingView {
        let held = lock(&self.open);
        let Some(open) = held.as_ref() else {
            return PairingView {
                state: PairingState::Closed,
                robot: None,
                digits: None,
                meaning: None,
                closes_in_ms: None,
                tries_left: 0,
                problem: None,
            };
        };
        let compared = open.run.as_ref().filter(|run| run.sent.is_some());
        PairingView {
            state: match compared {
                Some(run) => run.state(),
                None if open.tries_left == 0 => PairingState::Closed,
                None => PairingState::Waiting,
            },
            robot: compared.map(|run| run.robot.clone()),
            digits: compared.and_then(|run| run.pairing.digits()),
            meaning: compared.and_then(|run| run.sent.as_ref()).map(|(_, meaning)| meaning.clone()),
            closes_in_ms: Some(open.until.since(now).as_millis().try_into().unwrap_or(u64::MAX)),
            tries_left: open.tries_left,
            problem: open.problem.clone(),
        }
    }
}

impl Run {
    fn state(&self) -> PairingState {
        match (self.is_paired, self.pairing.is_confirmed()) {
            (true, _) => PairingState::Paired,
            (false, true) => PairingState::Confirmed,
            (false, false) => PairingState::Comparing,
        }
    }
}

/// Takes up the robot of the manifest, if it is not there already.
async fn add(fleet: &Arc<Fleet>, text: String) -> Result<(), OpError> {
    let manifest = manifests::read(&text)?;
    match fleet.unit(&manifest.id) {
        Ok(known) if *known.manifest == manifest => Ok(()),
        Ok(_) | Err(_) => manifests::add(fleet, text).await.map(drop),
    }
}

impl Pairings {
    /// Speaks for the pairing until it is closed, over, or has failed too often.
    async fn speak(&self, fleet: &Arc<Fleet>, mut heard: mpsc::Receiver<Sample>, ended: &CancellationToken) {
        let mut ticks = tokio::time::interval(PAIR_PUT_EVERY);
        loop {
            let shown = tokio::select! {
                () = ended.cancelled() => return,
                _ = ticks.tick() => self.put(fleet.runtime.clock.now().station),
                Some(sample) = heard.recv() => self.hear(fleet, &sample),
            };
            let agreed = self.agreed();
            if let Some(manifest) = &agreed {
                let added = add(fleet, manifest.clone()).await;
                self.settle(added);
            }
            if shown || agreed.is_some() {
                fleet.runtime.bus.changed(Tag::Connections);
            }
        }
    }

    /// Puts the station's message; true once the pairing has ended by itself.
    fn put(&self, now: Instant) -> bool {
        let mut held = lock(&self.open);
        let Some(open) = held.as_mut() else { return false };
        if now >= open.until {
            open.ended.cancel();
            *held = None;
            return true;
        }
        if let Some(run) = &open.run {
            run.put(&run.pairing.message());
        }
        false
    }

    /// Takes in a gate's message; true if there is something new to see.
    fn hear(&self, fleet: &Arc<Fleet>, sample: &Sample) -> bool {
        let Some((site, robot)) = speaker(&sample.key_expr) else { return false };
        let mut held = lock(&self.open);
        let Some(open) = held.as_mut() else { return false };
        if open.run.as_ref().is_some_and(|run| run.site != site || run.robot != robot) {
            return false;
        }
        let begun = match open.run.take() {
            Some(run) => Ok(run),
            None => Run::begin(fleet, site, robot),
        };
        let was_compared = begun.as_ref().is_ok_and(|run| run.sent.is_some());
        let heard = begun.and_then(|mut run| run.hear(fleet, sample).map(|()| run));
        match heard {
            Ok(run) => {
                let is_compared = run.sent.is_some();
                open.run = Some(run);
                is_compared != was_compared
            }
            // Nobody has compared anything: the gate has begun anew, and so does the station.
            Err(problem) if !was_compared && problem.is_anew => false,
            Err(problem) => {
                open.fail(problem.message);
                true
            }
        }
    }

    /// The manifest of a gate with which both persons have agreed, until it was taken up.
    fn agreed(&self) -> Option<String> {
        let held = lock(&self.open);
        let run = held.as_ref()?.run.as_ref().filter(|run| !run.is_paired)?;
        run.pairing.agreed()?;
        run.sent.as_ref().map(|(manifest, _)| manifest.clone())
    }

    /// Keeps the end of taking it up.
    fn settle(&self, added: Result<(), OpError>) {
        let mut held = lock(&self.open);
        let Some(open) = held.as_mut() else { return };
        match (added, open.run.as_mut()) {
            (Ok(()), Some(run)) => {
                run.pairing.take_up();
                run.is_paired = true;
                open.problem = None;
            }
            (Ok(()), None) => {}
            (Err(error), _) => open.fail(error.message),
        }
    }
}

impl Open {
    fn fail(&mut self, problem: String) {
        self.run = None;
        self.tries_left = self.tries_left.saturating_sub(1);
        self.problem = Some(problem);
        if self.tries_left == 0 {
            self.ended.cancel();
        }
    }
}

/// The end of a try.
struct Failed {
    message: String,
    /// True if the gate has only begun again.
    is_anew: bool,
}

impl From<String> for Failed {
    fn from(message: String) -> Self {
        Self { message, is_anew: false }
    }
}

impl Run {
    fn begin(fleet: &Fleet, site: String, robot: RobotId) -> Result<Self, Failed> {
        let introduction = Introduction::Station { station: fleet.runtime.id.clone() };
        let pairing = Pairing::begin(Arc::clone(&fleet.runtime.key), introduction);
        let pairing = pairing.map_err(|error| error.to_string())?;
        let key = pair_key(&site, robot.as_str(), PairSide::Station);
        let publisher = fleet.runtime.link.sample_publisher(&key, Codec::Json).map_err(|error| error.to_string())?;
        Ok(Self { site, robot, pairing, publisher, sent: None, is_paired: false })
    }

    fn put(&self, message: &PairMessage) {
        if let Err(error) = message.encode().and_then(|message| self.publisher.put(message)) {
            tracing::warn!(error = &error as &dyn std::error::Error, "a message of a pairing was not put");
        }
    }

    fn hear(&mut self, fleet: &Fleet, sample: &Sample) -> Result<(), Failed> {
        let heard = PairMessage::parse(&sample.payload).and_then(|message| self.pairing.hear(message));
        if self.is_paired {
            // The gate ends once it has heard that; another one must be paired anew.
            return Ok(());
        }
        heard.map_err(|fault| Failed {
            message: robot::sentence_of(&fault.to_string()),
            is_anew: fault == PairFault::AnotherSpeaks,
        })?;
        if self.sent.is_none()
            && let Some(peer) = self.pairing.peer()
            && let Introduction::Gate { manifest: text } = &peer.introduction
        {
            let manifest = manifests::read(text).map_err(|error| error.message)?;
            self.check(fleet, &manifest, &peer.public_key.to_string())?;
            let is_known = fleet.unit(&manifest.id).is_ok();
            self.sent = Some((text.clone(), ManifestMeaning::of(&manifest, is_known)));
        }
        Ok(())
    }

    /// A manifest that is not this gate's own is none to pair with.
    fn check(&self, fleet: &Fleet, manifest: &Manifest, key: &str) -> Result<(), Failed> {
        if manifest.id != self.robot || manifest.site.as_str() != self.site {
            return Err(format!("The gate of {} has sent the manifest of {}.", self.robot, manifest.id).into());
        }
        if manifest.public_key.as_deref() != Some(key) {
            return Err(format!("The manifest of {} names another key than its gate has.", self.robot).into());
        }
        match fleet.unit(&manifest.id) {
            Ok(known) if *known.manifest != *manifest => {
                let robot = &self.robot;
                Err(format!("{robot} is known here with another manifest. Remove robots/{robot}.toml and start the station again.").into())
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }
}

/// Site and robot of the gate that speaks on `key_expr`.
fn speaker(key_expr: &str) -> Option<(String, RobotId)> {
    let mut chunks = key_expr.split('/');
    let (site, _, robot) = (chunks.next()?, chunks.next()?, chunks.next()?);
    Some((site.to_owned(), RobotId::new(robot).ok()?))
}

fn not_open(error: BridgeError) -> OpError {
    OpError::new(error.code(), error.to_string())
}
