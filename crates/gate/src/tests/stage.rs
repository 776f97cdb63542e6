//! A gate, a robot and a station whose messages are made here, in simulated time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bridge::envelope::{Ack, Beat, Claim, CommandEnvelope, GateFault, HoldMessage, Release, Status, StopMessage};
use bridge::envelope::{StoppedBy, Subject};
use bridge::robot_gate::{Credentials, Reply, RobotGate, Volatile};
use bridge::signing::{SignedSample, SigningKey};
use bridge::{ClockFn, Link, LinkConfig, RobotKeys};
use robot::{CommandId, FrameId, Instant, Manifest, Now, RawMotion, RawPoseGoal, RawVelocity, Sample, StationId};
use robot::{CommissioningState, CommissioningStep, StepOutcome, StepResult};
use serde::Serialize;

use super::bench::{Behaviour, Bench, Robot, Said, Sent};
use crate::adapter::Watcher as _;
use crate::commission::Commission;
use crate::decide::GateRunner;

/// Simulated time begins here, milliseconds.
const BEGIN_MS: u64 = 1_000_000;
const STEP_MS: u64 = 20;

/// Everything on the stage.
pub struct Stage<B: Bench> {
    bench: B,
    runner: Option<GateRunner<B::Adapter>>,
    robot: Robot,
    pub ms: Arc<AtomicU64>,
    keys: RobotKeys,
    act_key: String,
    manifest: Manifest,
    key: SigningKey,
    beats: u64,
    seq: u64,
    stops: u64,
    said: Vec<Said>,
    sent: Vec<Sent>,
    acks: Vec<Ack>,
    account: Option<CommissioningState>,
    pub wishes: u64,
    _folder: tempfile::TempDir,
    _runtime: tokio::runtime::Runtime,
}

pub fn drive_at(x_mps: f64) -> RawMotion {
    RawMotion::Velocity(RawVelocity { linear_mps: vec![x_mps, 0.0, 0.0], angular_radps: vec![0.0; 3] })
}

pub fn goal_at(x_m: f64, speed_mps: f64) -> RawMotion {
    let position_m = vec![x_m, 0.0, 0.0];
    RawMotion::PoseGoal(RawPoseGoal { position_m, orientation: None, speed_mps: Some(speed_mps), duration_s: None })
}

/// Results of steps that went as they should.
pub fn passed(steps: &[CommissioningStep]) -> Vec<StepResult> {
    let result = |step: &CommissioningStep| StepResult {
        step: *step,
        outcome: StepOutcome::Passed,
        time_ms: Some(500),
        distance_m: None,
        time_ms_max: None,
        distance_m_max: None,
        speeds: Vec::new(),
        joints: Vec::new(),
        means: Vec::new(),
        person: "Ada".to_owned(),
        at_ms: 0,
    };
    steps.iter().map(result).collect()
}

pub fn station() -> StationId {
    "desk".parse().unwrap()
}

impl<B: Bench> Stage<B> {
    /// A gate that has just been started.
    pub fn open(behaviour: Behaviour) -> Self {
        let manifest = B::manifest();
        Self::open_with(behaviour, &passed(&CommissioningStep::needed(&manifest, true, B::TAKES_VELOCITIES, true)))
    }

    /// The same with these steps of commissioning.
    fn open_with(behaviour: Behaviour, steps: &[StepResult]) -> Self {
        let ms = Arc::new(AtomicU64::new(BEGIN_MS));
        let shown = Arc::clone(&ms);
        let clock: ClockFn = Arc::new(move || {
            let ms = shown.load(Ordering::SeqCst);
            Now { station: Instant::from_millis(ms), wall_ms: i64::try_from(ms).unwrap() }
        });
        let manifest = B::manifest();
        let key = SigningKey::from_seed(&[7; 32]);
        let credentials =
            Credentials { key: SigningKey::from_seed(&[8; 32]), stations: [(station(), key.public())].into() };
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let gate = runtime.block_on(async {
            let link = Link::open(LinkConfig::default(), ClockFn::clone(&clock)).await.unwrap();
            RobotGate::open(&link, &manifest, credentials, Box::new(Volatile), |_| {}).await.unwrap()
        });
        let (bench, adapter) = B::open(&clock);
        let act_key = manifest.actuators[0].key.clone();
        let folder = tempfile::tempdir().unwrap();
        let commission = Commission::with(&manifest, &adapter.facts(), adapter.means(), folder.path(), steps);
        let mut stage = Self {
            bench,
            keys: RobotKeys::new(&manifest),
            runner: Some(GateRunner::new(gate, manifest.clone(), adapter, commission, clock)),
            robot: Robot::new(behaviour),
            ms,
            act_key,
            manifest,
            key,
            beats: 0,
            seq: 0,
            stops: 0,
            said: Vec::new(),
            sent: Vec::new(),
            acks: Vec::new(),
            account: None,
            wishes: 0,
            _folder: folder,
            _runtime: runtime,
        };
        stage.step();
        stage
    }

    /// The same, released by the station: the next command moves the robot.
    pub fn armed(behaviour: Behaviour) -> Self {
        Self::open(behaviour).released(false)
    }

    /// The same with these steps of commissioning, for work or for more steps.
    pub fn armed_with(behaviour: Behaviour, steps: &[StepResult], commissioning: bool) -> Self {
        Self::open_with(behaviour, steps).released(commissioning)
    }

    fn released(self, commissioning: bool) -> Self {
        let mut stage = self;
        stage.beats(5);
        let robot = stage.manifest.id.clone();
        let claim = Claim { robot, station: station(), epoch: 1, ttl_ms: 2_000, commissioning };
        stage.signed(&stage.keys.claim(), &claim);
        stage.release(1);
        stage.beats(5);
        assert!(stage.runner().gate().state().memory().stops.is_empty(), "{:?}", stage.acks);
        stage.taken();
        stage
    }

    /// Ends every open stop under this epoch.
    pub fn release(&mut self, epoch: u64) {
        let robot = self.manifest.id.clone();
        let stops = self.runner().gate().state().memory().stops.iter().cloned().collect();
        self.signed(&self.keys.release(), &Release { robot, station: station(), epoch, stops });
    }

    pub fn runner(&self) -> &GateRunner<B::Adapter> {
        self.runner.as_ref().unwrap()
    }

    pub fn robot_id(&self) -> robot::RobotId {
        self.manifest.id.clone()
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    pub fn keys(&self) -> RobotKeys {
        self.keys.clone()
    }

    /// The commissioning as the gate last told of it.
    pub fn account(&self) -> &CommissioningState {
        self.account.as_ref().unwrap()
    }

    /// A motion ahead, such as the adapter takes.
    pub fn ahead(mps: f64) -> RawMotion {
        if B::TAKES_VELOCITIES { drive_at(mps) } else { B::goal(8.0, mps) }
    }

    /// The command of one.
    pub fn ahead_at(&mut self, mps: f64) -> Option<Status> {
        self.command(Self::ahead(mps))
    }

    /// The adapter, to be hindered.
    pub fn adapter(&mut self) -> &mut B::Adapter {
        self.runner.as_mut().unwrap().adapter_mut()
    }

    /// The robot's end, to be changed.
    pub fn bench(&mut self) -> &mut B {
        &mut self.bench
    }

    pub fn robot_mps(&self) -> f64 {
        self.robot.mps
    }

    fn now(&self) -> Instant {
        Instant::from_millis(self.ms.load(Ordering::SeqCst))
    }

    /// 20 ms pass without a word of the station.
    pub fn step(&mut self) {
        self.ms.fetch_add(STEP_MS, Ordering::SeqCst);
        self.said.extend(self.robot.step());
        let (said, now) = (std::mem::take(&mut self.said), self.now());
        let runner = self.runner.as_mut().unwrap();
        self.bench.say(runner.adapter_mut(), said);
        let replies = runner.tick(now);
        self.note(replies);
    }

    pub fn wait_ms(&mut self, ms: u64) {
        (0..ms / STEP_MS).for_each(|_| self.step());
    }

    /// So many steps, with ten beats of the station in a second.
    pub fn beats(&mut self, steps: u64) {
        for step in 0..steps {
            if step % 5 == 0 {
                self.beats += 1;
                let robot = self.manifest.id.clone();
                let beat = Beat { robot, station: station(), n: self.beats, nonce: self.beats, epoch: 1 };
                self.signed(&self.keys.beat(), &beat);
            }
            self.step();
        }
    }

    fn note(&mut self, replies: Vec<Reply>) {
        for reply in replies {
            match reply {
                Reply::Ack(ack) => self.acks.push(ack),
                Reply::Report(report) => self.account = Some(report.account.commissioning),
                Reply::Beat(_) => {}
            }
        }
        let runner = self.runner.as_mut().unwrap();
        for sent in self.bench.sent(runner.adapter_mut()) {
            self.robot.hear(&sent);
            self.sent.push(sent);
        }
    }

    /// Everything that was sent to the robot since the last call.
    pub fn taken(&mut self) -> Vec<Sent> {
        std::mem::take(&mut self.sent)
    }

    pub fn signed(&mut self, key_expr: &str, message: &impl Serialize) {
        let payload = serde_json::to_vec(message).unwrap();
        let signature = self.key.sign(key_expr, &payload);
        self.put(key_expr, payload, Some(&signature));
    }

    fn put(&mut self, key_expr: &str, payload: Vec<u8>, signature: Option<&[u8]>) {
        let now = self.now();
        let sample = Sample {
            key_expr: key_expr.into(),
            encoding: "".into(),
            payload: payload.into(),
            stamp_ms: None,
            received: now,
            received_ms: 0,
            n: 0,
        };
        let message = SignedSample::new(sample, signature);
        let replies = self.runner.as_mut().unwrap().hear(&message, now);
        self.note(replies);
    }

    fn envelope(&mut self, motion: RawMotion) -> CommandEnvelope {
        self.seq += 1;
        CommandEnvelope {
            robot: self.manifest.id.clone(),
            actuator: self.manifest.actuators[0].id.clone(),
            id: CommandId(uuid::Uuid::from_u128(self.seq.into())),
            station: station(),
            epoch: 1,
            seq: self.seq,
            generation: 0,
            ttl_ms: if matches!(motion, RawMotion::Velocity(_)) { 500 } else { 2_000 },
            beat: self.beats,
            frame: self.manifest.default_frame.clone(),
            motion,
            force_n: None,
        }
    }

    /// A command of the station, and the last word on it.
    pub fn command(&mut self, motion: RawMotion) -> Option<Status> {
        let envelope = self.envelope(motion);
        self.signed(&self.act_key.clone(), &envelope);
        self.last_status()
    }

    /// The robot goes ahead at 0.4 m/s for so many steps, towards a goal so far away if its adapter takes goals.
    pub fn go(&mut self, x_m: f64, steps: u64) {
        if B::GOES_TO_GOALS {
            self.command(B::goal(x_m, 0.4));
            return self.beats(steps);
        }
        for step in 0..steps {
            if step % 10 == 0 {
                self.command(drive_at(0.4));
            }
            self.beats(1);
        }
        self.command(drive_at(0.4));
    }

    /// One that somebody else has written.
    pub fn forged(&mut self, motion: RawMotion) -> Option<Status> {
        let envelope = self.envelope(motion);
        self.put(&self.act_key.clone(), serde_json::to_vec(&envelope).unwrap(), Some(&[3; 64]));
        self.last_status()
    }

    /// One in a frame that the robot does not know.
    pub fn in_another_frame(&mut self, motion: RawMotion) -> Option<Status> {
        let envelope = CommandEnvelope { frame: FrameId::new("elsewhere").unwrap(), ..self.envelope(motion) };
        self.signed(&self.act_key.clone(), &envelope);
        self.last_status()
    }

    pub fn last_status(&self) -> Option<Status> {
        self.acks.last().map(|ack| ack.status)
    }

    pub fn stop(&mut self) {
        self.stops += 1;
        self.repeat_stop();
    }

    /// The newest stop once more, as a station repeats it.
    pub fn repeat_stop(&mut self) {
        let robot = self.manifest.id.clone();
        let stop = StopMessage { robot, station: station(), stop_id: self.stops, drill: false };
        self.signed(&self.keys.stop(), &stop);
    }

    pub fn hold(&mut self) {
        let hold = HoldMessage { robot: self.manifest.id.clone(), station: station(), hold_id: 1 };
        self.signed(&self.keys.hold(), &hold);
    }

    pub fn fail(&mut self, fault: GateFault) {
        let now = self.now();
        let replies = self.runner.as_mut().unwrap().fail(fault, now);
        self.note(replies);
    }

    pub fn foreign(&mut self, name: Option<&str>) {
        self.said.push(Said::Foreign(name.map(str::to_owned)));
    }

    pub fn statuses_of_stops(&self) -> Vec<Status> {
        let of_stop = |ack: &&Ack| matches!(ack.subject, Subject::Stop { .. });
        self.acks.iter().filter(of_stop).map(|ack| ack.status).collect()
    }

    pub fn has_fault(&self, fault: GateFault) -> bool {
        self.runner().gate().state().memory().stops.iter().any(|stop| stop.by == StoppedBy::Fault(fault))
    }
}
