//! A minimal robot behind the reference gate: one axis that goes where commands send it, and stops when told to.
//!
//! ```text
//! cargo run -p bridge --example robot_gate -- MANIFEST KEY_FILE STATE_FILE ENDPOINT STATION_ID STATION_KEY
//! ```
//!
//! `MANIFEST` is the file the station has too, with `gate = "reference"`. `KEY_FILE` holds the 32 bytes of the robot's
//! private key; if it does not exist it is made, and the public half for the manifest is printed. `STATE_FILE` keeps
//! epoch and latch. `ENDPOINT` is where the station listens, for example `tcp/127.0.0.1:7447`. The operation
//! `session_info` of the station names `STATION_ID` and `STATION_KEY`.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bridge::envelope::{Failure, Status, Subject};
use bridge::robot_gate::{Admit, Credentials, GateFile, Inbox, Lapse, MeasuredSpeed, OwnState, RobotGate};
use bridge::signing::{SignedSample, SigningKey};
use bridge::{ClockFn, Link, LinkConfig};
use robot::{Instant, Manifest, Motion, Now};
use safety::{Measured, Pose};

/// Period at which the robot moves and the gate looks for messages that are overdue; at most 50 ms.
const TICK: Duration = Duration::from_millis(20);

type Failed = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Failed> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [manifest, key_file, state_file, endpoint, station_id, station_key] = args.as_slice() else {
        return Err("expected MANIFEST KEY_FILE STATE_FILE ENDPOINT STATION_ID STATION_KEY".into());
    };
    let key = key_of(Path::new(key_file))?;
    let stem = Path::new(manifest).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let manifest = Manifest::parse(&std::fs::read_to_string(manifest)?, stem)?;
    if manifest.public_key.as_deref() != Some(key.public().to_string().as_str()) {
        return Err(format!("write public_key = \"{}\" into the manifest", key.public()).into());
    }

    let clock = clock();
    let config = LinkConfig { connect: vec![endpoint.clone()], ..LinkConfig::default() };
    let link = Link::open(config, Arc::clone(&clock)).await?;
    // Zenoh's own thread only hands messages over: whoever moves the robot decides when to read them.
    let inbox = Inbox::new(&manifest, Arc::clone(&clock));
    let incoming = Arc::clone(&inbox);
    let hand_over = move |message| incoming.put(message);
    let credentials = Credentials { key, stations: [(station_id.parse()?, station_key.parse()?)].into() };
    let store = Box::new(GateFile::new(state_file.into()));
    let gate = RobotGate::open(&link, &manifest, credentials, store, hand_over).await?;
    Axis { gate, manifest, clock, position_m: [0.0; 3], speed: None, goal: None }.run(&inbox)
}

/// The robot. A real one has drives in place of `position_m`.
struct Axis {
    gate: RobotGate,
    manifest: Manifest,
    clock: ClockFn,
    position_m: [f64; 3],
    /// The speed that was last measured.
    speed: Option<Measured<MeasuredSpeed>>,
    goal: Option<Goal>,
}

struct Goal {
    command: Subject,
    position_m: [f64; 3],
    speed_mps: f64,
}

impl Axis {
    /// Goes on until the process ends. The ticks have their own time: no flood of messages puts them off.
    fn run(mut self, inbox: &Inbox) -> ! {
        let mut tick_at = self.now();
        loop {
            match inbox.next(tick_at) {
                Some(message) => self.hear(&message),
                None => {
                    self.tick();
                    tick_at = self.now().plus(TICK);
                }
            }
        }
    }

    fn now(&self) -> Instant {
        (self.clock)().station
    }

    fn hear(&mut self, message: &SignedSample) {
        let now = self.now();
        let handled = self.gate.handle(message, &self.own_state(now), now);
        // First the motors, then the words.
        let ended = match handled.admitted {
            Some(Admit::Move(approved)) => {
                let command = approved.command();
                let subject = Subject::Command { station: command.lease.station.clone(), id: command.id };
                match &command.motion {
                    // Its frame is one the gate knows; this robot has only one.
                    Motion::PoseGoal { position_m, speed_mps, .. } => {
                        let speed_mps = speed_mps.unwrap_or(self.manifest.limits.speed_mps_max);
                        let goal = Goal { command: subject, position_m: *position_m, speed_mps };
                        self.goal.replace(goal).map(|goal| (goal.command, Status::Failed(Failure::Replaced)))
                    }
                    Motion::Path { .. }
                    | Motion::Velocity { .. }
                    | Motion::Joints { .. }
                    | Motion::Escape { .. }
                    | Motion::Gripper { .. }
                    | Motion::Switch { .. } => Some((subject, Status::Refused(robot::Reason::UnknownActuator))),
                }
            }
            Some(Admit::Stop) => self.halt(Failure::Stopped),
            Some(Admit::Hold) => self.halt(Failure::Held),
            Some(Admit::Claimed | Admit::Released | Admit::Beat | Admit::Commission(_)) | None => None,
        };
        if let Some(reply) = handled.reply {
            self.say(self.gate.put(&reply));
        }
        self.report(ended);
    }

    fn tick(&mut self) {
        let now = self.now();
        for lapse in self.gate.tick(now) {
            let ended = match lapse {
                Lapse::Held => self.halt(Failure::Held),
                // Here a real robot runs the stop behaviour of its manifest.
                Lapse::Stopped => self.halt(Failure::Stopped),
                Lapse::SetPoint(_) => None,
            };
            self.report(ended);
        }
        let before_m = self.position_m;
        let arrived = self.goal.as_ref().is_some_and(|goal| step(&mut self.position_m, goal));
        self.measure(before_m, now);
        let done = if arrived { self.goal.take() } else { None };
        self.report(done.map(|goal| (goal.command, Status::Done)));
    }

    fn halt(&mut self, because: Failure) -> Option<(Subject, Status)> {
        self.goal.take().map(|goal| (goal.command, Status::Failed(because)))
    }

    fn report(&self, ended: Option<(Subject, Status)>) {
        let now = self.now();
        if let Some((subject, status)) = ended {
            self.say(self.gate.put(&self.gate.ack(subject, status, &self.own_state(now), now)));
        }
    }

    /// A real robot measures this; a value of unknown age must not be given the time of now.
    fn own_state(&self, now: Instant) -> OwnState {
        let frame = self.manifest.default_frame.clone();
        let pose = Pose { frame, position_m: self.position_m, orientation: None };
        let pose = Some(Measured { value: pose, observed: now });
        OwnState { pose, joints: None, transforms: Vec::new(), speed: self.speed.clone(), local: false }
    }

    /// The way of the last tick, as an encoder would show it: never what the drives were told.
    fn measure(&mut self, before_m: [f64; 3], now: Instant) {
        let speed_mps = distance_m(before_m, self.position_m) / TICK.as_secs_f64();
        let standstill = speed_mps <= self.manifest.stop.standstill_mps;
        self.speed = Some(Measured { value: MeasuredSpeed { speed_mps, standstill }, observed: now });
    }

    fn say(&self, put: Result<(), bridge::BridgeError>) {
        if let Err(error) = put {
            eprintln!("{}: {error}", self.manifest.id);
        }
    }
}

/// Moves towards the goal; true once it is there.
fn step(position_m: &mut [f64; 3], goal: &Goal) -> bool {
    let left_m = distance_m(*position_m, goal.position_m);
    let part = (goal.speed_mps * TICK.as_secs_f64() / left_m).min(1.0);
    if !(part < 1.0) {
        *position_m = goal.position_m;
        return true;
    }
    for (at, to) in position_m.iter_mut().zip(goal.position_m) {
        *at += (to - *at) * part;
    }
    false
}

fn distance_m(from: [f64; 3], to: [f64; 3]) -> f64 {
    from.iter().zip(to).map(|(from, to)| (to - from).powi(2)).sum::<f64>().sqrt()
}

fn key_of(path: &Path) -> Result<SigningKey, Failed> {
    match std::fs::read(path) {
        Ok(bytes) => {
            let seed = bytes.as_slice().try_into().map_err(|_| "the key file does not hold 32 bytes")?;
            Ok(SigningKey::from_seed(seed))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let key = SigningKey::generate()?;
            files::make(path, key.seed())?;
            Ok(key)
        }
        Err(error) => Err(error.into()),
    }
}

#[expect(clippy::disallowed_methods, reason = "a robot has a clock of its own")]
fn clock() -> ClockFn {
    let start = std::time::Instant::now();
    Arc::new(move || Now { station: Instant(start.elapsed().as_nanos() as u64), wall_ms: 0 })
}
