//! The pairing with the gate of a robot that an Admin has opened: one at a time, for five minutes and three tries.
//! A gate on this computer is heard on the station's own session; one beyond it on another, which is open with the
//! pairing and closed with it.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use bridge::pairing::{
    Introduction, PAIR_PUT_EVERY, PAIR_WITHIN, PairFault, PairMessage, PairSide, Pairing, RobotBundle, pair_key,
};
use bridge::{BridgeError, Link, SamplePublisher};
use fleet::Fleet;
use robot::{Codec, Instant, Manifest, RobotId, Sample};
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::wire::{ManifestMeaning, PairingProblem, PairingState, PairingView, Tag};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::code::StationCode;
use crate::manifests;
use crate::network::Network;

/// Tries of one pairing.
const TRIES: u32 = 3;
/// Messages of gates that wait.
const HEARD_MAX: usize = 16;

/// The pairing that is open, if one is.
#[derive(Default)]
pub struct Pairings {
    open: Mutex<Option<Open>>,
    /// Ends with the task that speaks for the newest pairing, and with its session.
    speaking: Mutex<Option<CancellationToken>>,
}

/// A pairing with a gate beyond this computer.
pub(crate) struct Beyond {
    /// The address at which it is awaited.
    pub address: SocketAddr,
    /// Maker of its credentials.
    pub network: Arc<Network>,
}

/// The session on which gates are heard.
struct Way {
    link: Link,
    /// Only for a gate beyond this computer.
    network: Option<Arc<Network>>,
    /// The endpoint for the command at such a gate.
    endpoint: Option<String>,
}

struct Open {
    way: Arc<Way>,
    until: Instant,
    tries_left: u32,
    /// The reason why the last try failed.
    problem: Option<PairingProblem>,
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
    pub async fn open(self: &Arc<Self>, fleet: &Arc<Fleet>, beyond: Option<Beyond>) -> Result<(), OpError> {
        self.close();
        // Cloned: the lock must not be held across the await.
        let before = lock(&self.speaking).clone();
        if let Some(before) = before {
            // The next session may want the same address, which the last one holds until its task has ended.
            before.cancelled().await;
        }
        let way = Arc::new(Way::open(fleet, beyond).await?);
        let (put, heard) = mpsc::channel(HEARD_MAX);
        let hear = move |sample: Sample| {
            // A gate repeats its messages, so one that finds no room is not lost.
            let _ = put.try_send(sample);
        };
        let subscription = way.link.subscribe(&way.heard(), hear).await.map_err(not_open)?;
        let (ended, left) = (fleet.runtime.ended.child_token(), CancellationToken::new());
        let until = fleet.runtime.clock.now().station.plus(PAIR_WITHIN);
        let (problem, run, spoken) = (None, None, Arc::clone(&way));
        let open = Open { way, until, tries_left: TRIES, problem, run, ended: ended.clone() };
        if let Some(before) = lock(&self.open).replace(open) {
            before.ended.cancel();
        }
        *lock(&self.speaking) = Some(left.clone());
        let (speaking, fleet) = (Arc::clone(self), Arc::clone(fleet));
        Arc::clone(&fleet.runtime).spawn(async move {
            // Cancelled however the task ends: the next pairing waits for it.
            let _left = left.drop_guard();
            speaking.speak(&fleet, &spoken, heard, &ended).await;
            drop(subscription);
            if spoken.is_own() {
                spoken.link.clone().close().await;
            }
        });
        Ok(())
    }

    /// Closes it.
    pub fn close(&self) {
        if let Some(open) = lock(&self.open).take() {
            // Without a farewell the gate would go on comparing until its own time is over.
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
        // A gate that has begun anew since the person looked shows other digits.
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
        // Its task may not have closed it yet.
        let Some(open) = held.as_ref().filter(|open| now < open.until) else {
            return PairingView {
                state: PairingState::Closed,
                endpoint: None,
                robot: None,
                digits: None,
                meaning: None,
                closes_in_ms: None,
                tries_left: 0,
                problem: None,
                problem_kind: None,
            };
        };
        let compared = open.run.as_ref().filter(|run| run.sent.is_some());
        PairingView {
            state: match compared {
                Some(run) => run.state(),
                None if open.tries_left == 0 => PairingState::Closed,
                None => PairingState::Waiting,
            },
            endpoint: open.way.endpoint.clone().filter(|_| open.tries_left > 0),
            robot: compared.map(|run| run.robot.clone()),
            digits: compared.and_then(|run| run.pairing.digits()),
            meaning: compared.and_then(|run| run.sent.as_ref()).map(|(_, meaning)| meaning.clone()),
            closes_in_ms: Some(open.until.since(now).as_millis().try_into().unwrap_or(u64::MAX)),
            tries_left: open.tries_left,
            problem: open.problem.as_ref().map(ToString::to_string),
            problem_kind: open.problem.clone(),
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

impl Way {
    async fn open(fleet: &Fleet, beyond: Option<Beyond>) -> Result<Self, OpError> {
        let Some(Beyond { address, network }) = beyond else {
            return Ok(Self { link: fleet.runtime.link.clone(), network: None, endpoint: None });
        };
        let clock = fleet.runtime.clock;
        let link = Link::open_for_pairing(address, network.site(), Arc::new(move || clock.now())).await;
        let taken = |error: BridgeError| {
            tracing::warn!(%address, error = &error as &dyn std::error::Error, "no gate is awaited");
            let message = if matches!(error, BridgeError::Open { .. }) {
                format!("{address} is in use, or is no address of the station's computer.")
            } else {
                robot::sentence_of(&error.to_string())
            };
            OpError::bad_input(StationCode::PairingAddress, "address", message)
        };
        let link = link.map_err(taken)?;
        let endpoint = link.endpoints().into_iter().next();
        Ok(Self { link, network: Some(network), endpoint })
    }

    /// Keys of the messages of gates; a session of its own carries those of its site alone.
    fn heard(&self) -> String {
        pair_key(self.network.as_ref().map_or("*", |network| network.site()), "*", PairSide::Gate)
    }

    /// True if it is open for this pairing alone.
    const fn is_own(&self) -> bool {
        self.network.is_some()
    }
}

/// Takes up the robot of a manifest whose gate both persons have agreed to, and gives the credentials that the
/// gate is to get.
async fn take_up(fleet: &Arc<Fleet>, way: &Way, text: String) -> Result<Option<RobotBundle>, OpError> {
    let Some(network) = &way.network else { return add(fleet, text).await.map(|()| None) };
    let (manifest, now_ms) = (manifests::read(&text)?, fleet.runtime.clock.now().wall_ms);
    // Before the robot is added: one that gets no certificate could never connect.
    let bundle = network.certify(&fleet.runtime.db, &manifest, now_ms).await?;
    add(fleet, text).await?;
    Ok(Some(bundle))
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
    async fn speak(&self, fleet: &Arc<Fleet>, way: &Way, mut heard: mpsc::Receiver<Sample>, ended: &CancellationToken) {
        let mut ticks = tokio::time::interval(PAIR_PUT_EVERY);
        loop {
            let shown = tokio::select! {
                () = ended.cancelled() => return,
                _ = ticks.tick() => self.put(fleet.runtime.clock.now().station),
                Some(sample) = heard.recv() => self.hear(fleet, &sample),
            };
            let agreed = self.agreed();
            if let Some(manifest) = &agreed {
                let taken = take_up(fleet, way, manifest.clone()).await;
                // Closed meanwhile: what is open by now is another pairing, whose run must not be touched.
                if ended.is_cancelled() {
                    return;
                }
                self.settle(taken);
            }
            if shown || agreed.is_some() {
                fleet.runtime.bus.changed(Tag::Connections);
            }
            if self.is_left() {
                return;
            }
        }
    }

    /// True once a gate beyond this computer was paired and has disconnected: no other one is awaited.
    fn is_left(&self) -> bool {
        let held = lock(&self.open);
        held.as_ref().is_some_and(|open| open.way.is_own() && open.is_paired() && open.way.link.peer_count() == 0)
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
        // One gate at a time: another one could take over while the digits are compared.
        if open.run.as_ref().is_some_and(|run| run.site != site || run.robot != robot) {
            return false;
        }
        let begun = match open.run.take() {
            Some(run) => Ok(run),
            None => Run::begin(fleet, &open.way, site, robot),
        };
        let was_compared = begun.as_ref().is_ok_and(|run| run.sent.is_some());
        let was_paired = begun.as_ref().is_ok_and(|run| run.is_paired);
        let heard = begun.and_then(|mut run| run.hear(fleet, &open.way, sample).map(|()| run));
        match heard {
            Ok(run) => {
                let is_new = run.sent.is_some() != was_compared || run.is_paired != was_paired;
                open.run = Some(run);
                is_new
            }
            // No digits were compared yet, so a gate that begins anew costs no try: the station begins anew too.
            Err(problem) if !was_compared && problem.is_anew => false,
            Err(problem) => {
                open.fail(problem.why);
                true
            }
        }
    }

    /// The manifest of a gate with which both persons have agreed, until it was taken up.
    fn agreed(&self) -> Option<String> {
        let held = lock(&self.open);
        let run = held.as_ref()?.run.as_ref().filter(|run| !run.is_paired && !run.pairing.has_handed_over())?;
        run.pairing.agreed()?;
        run.sent.as_ref().map(|(manifest, _)| manifest.clone())
    }

    /// Keeps the end of taking it up. A gate that gets credentials must have kept them before it counts as paired.
    fn settle(&self, taken: Result<Option<RobotBundle>, OpError>) {
        let mut held = lock(&self.open);
        let Some(open) = held.as_mut() else { return };
        let handed_over = match (taken, open.run.as_mut()) {
            (Ok(None), Some(run)) => {
                run.pair();
                Ok(())
            }
            (Ok(Some(bundle)), Some(run)) => run.pairing.hand_over(&bundle).map_err(|error| failed(&error)),
            (Ok(_), None) => Ok(()),
            (Err(error), _) => Err(refused(error)),
        };
        match handed_over {
            Ok(()) => open.problem = None,
            Err(problem) => open.fail(problem),
        }
    }
}

impl Open {
    fn is_paired(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.is_paired)
    }

    fn fail(&mut self, problem: PairingProblem) {
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
    why: PairingProblem,
    /// True if the gate has only begun again.
    is_anew: bool,
}

impl From<PairingProblem> for Failed {
    fn from(why: PairingProblem) -> Self {
        let is_anew = why == PairingProblem::AnotherSpeaks;
        Self { why, is_anew }
    }
}

/// The reason behind a fault of the gate's messages.
const fn reason_of(fault: PairFault) -> PairingProblem {
    match fault {
        PairFault::AnotherSpeaks => PairingProblem::AnotherSpeaks,
        PairFault::NotAsPromised => PairingProblem::NotAsPromised,
        PairFault::GivenUp => PairingProblem::GivenUp,
        PairFault::BadConfirmation => PairingProblem::BadConfirmation,
        PairFault::OtherProfile => PairingProblem::OtherProfile,
        // Only a gate opens credentials, so the last two cannot occur here.
        PairFault::Unreadable | PairFault::BadBundle | PairFault::OtherRobot => PairingProblem::Unreadable,
    }
}

fn refused(error: OpError) -> PairingProblem {
    PairingProblem::Refused { refusal: error.code.to_string(), message: error.message }
}

fn failed(error: &dyn std::error::Error) -> PairingProblem {
    PairingProblem::Failed { message: robot::sentence_of(&error.to_string()) }
}

impl Run {
    fn begin(fleet: &Fleet, way: &Way, site: String, robot: RobotId) -> Result<Self, Failed> {
        let introduction = Introduction::Station { station: fleet.runtime.id.clone() };
        let own_key = Arc::clone(&fleet.runtime.key);
        // Beyond this computer a private key is handed over, so the messages are sealed (decision 0194).
        let pairing = match way.is_own() {
            true => Pairing::begin_sealed(own_key, introduction),
            false => Pairing::begin(own_key, introduction),
        };
        let pairing = pairing.map_err(|error| failed(&error))?;
        let key = pair_key(&site, robot.as_str(), PairSide::Station);
        let publisher = way.link.sample_publisher(&key, Codec::Json).map_err(|error| failed(&error))?;
        Ok(Self { site, robot, pairing, publisher, sent: None, is_paired: false })
    }

    /// Marks the gate as paired, and tells it so.
    fn pair(&mut self) {
        self.pairing.take_up();
        self.is_paired = true;
    }

    fn put(&self, message: &PairMessage) {
        if let Err(error) = message.encode().and_then(|message| self.publisher.put(message)) {
            tracing::warn!(error = &error as &dyn std::error::Error, "a message of a pairing was not put");
        }
    }

    fn hear(&mut self, fleet: &Fleet, way: &Way, sample: &Sample) -> Result<(), Failed> {
        let heard = PairMessage::parse(&sample.payload).and_then(|message| self.pairing.hear(message));
        if self.is_paired {
            // A paired gate has nothing more to say, and another one needs a pairing of its own.
            return Ok(());
        }
        heard.map_err(reason_of)?;
        if self.sent.is_none()
            && let Some(peer) = self.pairing.peer()
            && let Introduction::Gate { manifest: text } = &peer.introduction
        {
            let manifest = manifests::read(text).map_err(refused)?;
            self.check(fleet, way, &manifest, &peer.public_key.to_string())?;
            let is_known = fleet.unit(&manifest.id).is_ok();
            self.sent = Some((text.clone(), ManifestMeaning::of(&manifest, is_known)));
        }
        if self.pairing.has_handed_over() && self.pairing.other_is_done() {
            self.pair();
        }
        Ok(())
    }

    /// A manifest that is not this gate's own is none to pair with.
    fn check(&self, fleet: &Fleet, way: &Way, manifest: &Manifest, key: &str) -> Result<(), Failed> {
        if manifest.id != self.robot || manifest.site.as_str() != self.site {
            let (robot, sent) = (self.robot.clone(), manifest.id.clone());
            return Err(PairingProblem::OtherManifest { robot, sent }.into());
        }
        // Whoever has only copied a manifest does not hold the key that it names.
        if manifest.public_key.as_deref() != Some(key) {
            return Err(PairingProblem::OtherKey { robot: self.robot.clone() }.into());
        }
        if let Some(network) = &way.network {
            let units = fleet.units();
            let others = units.iter().map(|unit| unit.manifest.as_ref());
            network.check_certifiable(manifest, others).map_err(refused)?;
        }
        match fleet.unit(&manifest.id) {
            Ok(known) if *known.manifest != *manifest => {
                Err(PairingProblem::KnownOtherwise { robot: self.robot.clone() }.into())
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
