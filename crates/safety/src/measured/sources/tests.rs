use robot::{FrameId, Reason};

use super::*;
use crate::Limits;
use crate::fixtures::*;
use crate::machine::{Act, Action, CauseSet, Inputs, RobotSafety, State, StopKind, Times, step};
use crate::monitor::{Expected, History, PoseSource, StateSample};
use crate::{JointPositions, MovingTransform, Overall, Pose, RobotState, Speeds};

/// Every source that can be declared, in the order of the manifest of [`watched`], with the cause of its silence.
const SOURCES: [(&str, SafetyCause); 6] = [
    ("pose", SafetyCause::PoseStale),
    ("second pose", SafetyCause::SourceStale),
    ("velocity", SafetyCause::SourceStale),
    ("joints", SafetyCause::SourceStale),
    ("force", SafetyCause::SourceStale),
    ("transform", SafetyCause::TransformStale),
];
const STATES: [State; 6] = [State::Disarmed, State::Arming, State::Armed, State::Hold, State::SafeStop, State::Lockout];
/// Every source may be so old, milliseconds.
const AGE_MS_MAX: u64 = 500;
/// Period of each source, milliseconds.
const PERIOD_MS: u64 = 100;

/// A way in which a source gives no current values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Silence {
    /// It has spoken, and does so no longer.
    Falls,
    /// It has never spoken.
    Never,
    /// It goes on, always with the same stamp.
    RepeatsOneStamp,
}

/// A robot with a source of every kind, and a second one of its pose.
fn watched() -> Scene {
    let source = |kind: &str, key: &str| {
        format!("{{ kind = \"{kind}\", key = \"lab/arm-1/out/state/{key}\", codec = \"json\", max_age_ms = 500 }}")
    };
    let second = source("pose", "odometry").replace(" }", ", disagreement_m_max = 0.5 }");
    let kinds = [("velocity", "velocity"), ("joints", "joints"), ("force", "force"), ("frame", "odom")];
    let rest: Vec<String> = kinds.iter().map(|(kind, key)| source(kind, key)).collect();
    let all = format!("{}, {second}, {}", source("pose", "pose"), rest.join(", "));
    scene().of(manifest_with(&[(&source("pose", "pose"), &all)])).with(crate::ConstraintKind::MaxForce(50.0))
}

/// A robot as the station runs it, step by step.
struct Run {
    scene: Scene,
    limits: Limits,
    history: History,
    safety: RobotSafety,
    silent: Option<(usize, Silence)>,
    since: Instant,
}

impl Run {
    fn new(silent: Option<(usize, Silence)>) -> Self {
        let scene = watched();
        let mut run = Self {
            limits: scene.limits(),
            scene,
            history: History::default(),
            safety: RobotSafety::new(Instant::default()),
            silent: silent.filter(|(_, silence)| *silence == Silence::Never),
            since: Instant::default(),
        };
        run.scene.state = RobotState { armed: false, epoch: 1, ..RobotState::default() };
        run
    }

    /// When what a source says at `now` was true; `None` if it says nothing.
    fn observed(&self, place: usize, now: Instant) -> Option<Instant> {
        match self.silent.filter(|(silent, _)| *silent == place) {
            None => Some(now),
            Some((_, Silence::Falls | Silence::Never)) => None,
            Some((_, Silence::RepeatsOneStamp)) => Some(self.since),
        }
    }

    /// Lets every source speak, and steps the machine.
    fn step(&mut self, ms: u64, act: Option<Act>, events: &[SafetyCause]) -> Vec<Action> {
        let now = Instant::from_millis(ms);
        for place in 0..SOURCES.len() {
            if let Some(observed) = self.observed(place, now) {
                self.scene.state.heard.note(place, observed);
                self.speak(place, observed, now);
            }
        }
        let found = self.history.found().union(self.history.silent(&self.limits, &self.scene.state.heard, now));
        let present = found.union(events.iter().copied().collect::<CauseSet>());
        let inputs = Inputs { present, healthy: true, still: true, epoch: 1, act, times: Times::default() };
        let (next, actions) = step(&self.safety, &inputs, now);
        self.safety = next;
        self.scene.state.armed = self.safety.is_armed();
        actions.to_vec()
    }

    fn speak(&mut self, place: usize, observed: Instant, now: Instant) {
        let (state, expected) = (&mut self.scene.state, Expected::default());
        let at_rest = Measured { value: pose("base_link", [0.0; 3]), observed };
        let mut watch = |sample: StateSample<'_>| self.history.observe(&self.limits, sample, expected, now);
        match place {
            0 => {
                state.pose.renew(at_rest.clone());
                watch(StateSample::Pose(PoseSource::First, &at_rest, &[]));
            }
            1 => {
                watch(StateSample::Pose(PoseSource::Second, &at_rest, &[]));
            }
            2 => {
                state.speeds.velocity.renew(Measured { value: 0.0, observed });
                watch(StateSample::Velocity(&Measured { value: [0.0; 3], observed }));
            }
            3 => {
                let joints = Measured { value: JointPositions::default(), observed };
                watch(StateSample::Joints(&joints));
                state.joints.renew(joints);
            }
            4 => {
                watch(StateSample::Force(&Measured { value: 1.0, observed }));
            }
            _ => state.transforms = vec![Measured { value: odometry(), observed }],
        }
    }

    /// Steps every [`PERIOD_MS`] from `from_ms` to `to_ms`; what that asks for.
    fn go(&mut self, from_ms: u64, to_ms: u64) -> Vec<Action> {
        let steps = (from_ms..=to_ms).step_by(usize::try_from(PERIOD_MS).unwrap());
        steps.flat_map(|ms| self.step(ms, None, &[])).collect()
    }

    /// Leads the robot to `state`, at 10 s of the clock.
    fn lead(&mut self, state: State) {
        self.go(0, 7_900);
        let begin = if state == State::Disarmed { None } else { Some(Act::Arm) };
        self.step(if state == State::Arming { 10_000 } else { 8_000 }, begin, &[]);
        if !matches!(state, State::Disarmed | State::Arming) {
            self.go(8_100, 9_900);
            let cause = match state {
                State::Hold => &[SafetyCause::HoldRequested][..],
                State::SafeStop => &[SafetyCause::OverSpeed],
                State::Lockout => &[SafetyCause::StateFault],
                State::Disarmed | State::Arming | State::Armed => &[],
            };
            self.step(10_000, None, cause);
        }
        assert_eq!(self.safety.state(), state);
    }

    /// The verdict on a slow goal nearby.
    fn verdict(&self, ms: u64) -> crate::Verdict {
        let mut command = self.scene.command(with_force(1.0, goal([0.1, 0.0, 0.0], 0.05)));
        command.issued_at = Instant::from_millis(ms);
        crate::judge(&self.limits, &self.scene.state, command, Instant::from_millis(ms))
    }
}

fn odometry() -> MovingTransform {
    let frame = |id: &str| FrameId::new(id).unwrap();
    let parent_from_child = robot::Isometry::IDENTITY;
    MovingTransform { parent: frame("base_link"), child: frame("odom"), parent_from_child, max_age_ms: AGE_MS_MAX }
}

/// The state that a silence of half a second leads to, and how the robot is told.
fn expected(state: State) -> (State, Option<StopKind>) {
    match state {
        // Nothing moves, and nothing will: it may be switched off.
        State::Disarmed => (State::Disarmed, None),
        State::Arming => (State::Disarmed, None),
        State::Armed => (State::Hold, Some(StopKind::Hold)),
        State::Hold => (State::Hold, None),
        State::SafeStop => (State::SafeStop, None),
        State::Lockout => (State::Lockout, None),
    }
}

#[test]
fn f23_each_declared_source_that_falls_silent_in_each_state_is_a_cause_a_stop_and_a_denial() {
    for silence in [Silence::Falls, Silence::RepeatsOneStamp] {
        for ((place, (name, cause)), state) in
            SOURCES.iter().enumerate().flat_map(|one| STATES.map(|state| (one, state)))
        {
            let what = format!("{name} {silence:?} while {state:?}");
            let mut run = Run::new(None);
            run.lead(state);
            if state == State::Armed {
                assert_eq!(run.verdict(10_000).overall, Overall::Allow, "{what}: everything is heard");
            }
            (run.silent, run.since) = (Some((place, silence)), Instant::from_millis(10_000));
            let before = run.go(10_100, 10_500);
            assert!(!before.iter().any(|action| matches!(action, Action::SendStop(_))), "{what}: {before:?}");
            let actions = run.step(10_600, None, &[]);
            let (after, told) = expected(state);
            assert_eq!(run.safety.state(), after, "{what}");
            let stop =
                actions.iter().find_map(|action| if let Action::SendStop(kind) = action { Some(*kind) } else { None });
            assert_eq!(stop, told, "{what}: {actions:?}");
            let is_cause = run.safety.causes().iter().any(|active| active.cause == *cause);
            assert_eq!(is_cause, after == State::Hold, "{what}: a cause from arming on");
            check_kept_from_moving(&mut run, (place, 10_600), &what);
            if after == State::Hold {
                let escalated = run.go(10_700, 15_600);
                assert_eq!(run.safety.state(), State::SafeStop, "{what}: it lasts five seconds");
                assert!(escalated.contains(&Action::SendStop(StopKind::Stop)), "{what}");
            }
        }
    }
}

/// It is not armed, cannot be armed, which names the source in `place`, and nothing passes, for the silence as well as
/// for that.
fn check_kept_from_moving(run: &mut Run, (place, ms): (usize, u64), what: &str) {
    let now = Instant::from_millis(ms);
    assert!(!run.safety.is_armed(), "{what}");
    let problems: Vec<String> =
        run.limits.arming_problems(&run.scene.state, now).map(|problem| problem.to_string()).collect();
    let key = &run.scene.manifest.state[place].key;
    assert!(problems.len() == 1 && problems[0].contains(key), "{what}: {problems:?}");
    let before = run.safety.state();
    run.step(ms, Some(Act::Arm), &[]);
    assert_eq!(run.safety.state(), before, "{what}: arming is refused");
    run.scene.state.armed = true;
    let verdict = run.verdict(ms);
    assert_eq!(verdict.overall, Overall::Deny, "{what}: denied even if it were armed");
}

#[test]
fn f23_a_declared_source_that_never_spoke_refuses_arming_and_denies() {
    for (place, (name, cause)) in SOURCES.iter().enumerate() {
        let mut run = Run::new(Some((place, Silence::Never)));
        run.go(0, 3_000);
        let silent = run.history.silent(&run.limits, &run.scene.state.heard, Instant::from_millis(3_000));
        assert_eq!(silent.iter().collect::<Vec<_>>(), [*cause], "{name}");
        check_kept_from_moving(&mut run, (place, 3_000), name);
    }
}

#[test]
fn f23_a_source_that_is_back_lets_the_hold_end_by_itself() {
    let mut run = Run::new(None);
    run.lead(State::Armed);
    run.silent = Some((2, Silence::Falls));
    run.go(10_100, 10_700);
    assert_eq!(run.safety.state(), State::Hold);
    run.silent = None;
    run.go(10_800, 11_900);
    assert_eq!(run.safety.state(), State::Armed);
    assert_eq!(run.verdict(11_900).overall, Overall::Allow);
}

#[test]
fn f23_a_denial_names_the_source_and_its_age() {
    let sentence = |place: usize| {
        let mut scene = watched();
        scene.state.armed = true;
        scene.state.pose = Fresh::at(pose("base_link", [0.0; 3]), NOW);
        let mut heard = SourceTimes::default();
        (0..SOURCES.len()).filter(|other| *other != place).for_each(|other| heard.note(other, NOW));
        scene.state.heard = heard;
        let command = scene.command(with_force(1.0, goal([0.1, 0.0, 0.0], 0.05)));
        scene.judge(command).sentence()
    };
    let sentences: Vec<String> = (0..SOURCES.len()).map(sentence).collect();
    expect_test::expect![[r#"
        Denied: the robot's pose is not known.
        Denied: the motion cannot be shown to be safe: expected fresh samples of its second pose.
        Denied: the motion cannot be shown to be safe: expected fresh samples of its velocity.
        Denied: the motion cannot be shown to be safe: expected fresh samples of its joints.
        Denied: the motion cannot be shown to be safe: expected fresh samples of its force.
        Denied: the transform of a moving frame is too old."#]]
    .assert_eq(&sentences.join("\n"));
    let limits = watched().limits();
    let mut heard = SourceTimes::at_hand(&limits.manifest, NOW.minus(std::time::Duration::from_millis(501)));
    (0..SOURCES.len()).filter(|place| *place != 2).for_each(|place| heard.note(place, NOW));
    let silent: Vec<String> = heard.silent(&limits.manifest, NOW).map(|silent| silent.to_string()).collect();
    assert_eq!(silent, ["the velocity on lab/arm-1/out/state/velocity is 501 ms old, and may be 500 ms old at most"]);
    let mut long_ago = SourceTimes::at_hand(&limits.manifest, NOW.minus(std::time::Duration::from_secs(10)));
    (0..SOURCES.len()).filter(|place| *place != 2).for_each(|place| long_ago.note(place, NOW));
    let silent: Vec<String> = long_ago.silent(&limits.manifest, NOW).map(|silent| silent.to_string()).collect();
    assert_eq!(silent, ["the velocity on lab/arm-1/out/state/velocity is 10 s old, and may be 500 ms old at most"]);
    let silent: Vec<String> =
        SourceTimes::default().silent(&limits.manifest, NOW).map(|silent| silent.to_string()).collect();
    assert_eq!(silent[5], "the moving transform on lab/arm-1/out/state/odom has not been heard yet");
}

#[test]
fn f23_motion_is_denied_while_nobody_knows_the_speed_and_judged_by_the_larger_one_else() {
    // The zone leaves 0.4 m after the goal: room to stop from 0.7 m/s, and not from 0.9 m/s.
    let outcome = |speeds: &Speeds| -> Vec<Reason> {
        let scene = scene().with(zone([2.0, 0.0, 0.0], 0.5)).state(|state| state.speeds = speeds.clone());
        let verdict = scene.judge(scene.command(goal([1.1, 0.0, 0.0], 0.1)));
        verdict.items.iter().filter(|item| item.is_violated()).map(|item| item.reason.code).collect()
    };
    let speed = |mps| Fresh::at(mps, NOW);
    let slow = Speeds { velocity: speed(0.7), gate: speed(0.1), poses: speed(0.2) };
    assert_eq!(outcome(&slow), []);
    for fast in [
        Speeds { velocity: speed(0.9), ..slow.clone() },
        Speeds { gate: speed(0.9), ..slow.clone() },
        Speeds { poses: speed(0.9), ..slow.clone() },
    ] {
        assert_eq!(outcome(&fast), [Reason::StoppingDistance], "{fast:?}");
    }
    let old = Fresh::at(0.0, NOW.minus(std::time::Duration::from_millis(501)));
    let poses = Speeds { poses: speed(0.0), ..Speeds::default() };
    for unknown in [Speeds::default(), poses, Speeds { velocity: old.clone(), gate: old.clone(), poses: old }] {
        assert!(outcome(&unknown).contains(&Reason::NotProvable), "{unknown:?}");
    }
}

/// A pose of a frame that nobody knows is heard, and still tells nobody where the robot is.
#[test]
fn f23_a_pose_that_cannot_be_used_is_as_good_as_silent() {
    let limits = watched().limits();
    let lost =
        Measured { value: Pose { frame: FrameId::new("nowhere").unwrap(), ..pose("map", [0.0; 3]) }, observed: NOW };
    for (source, cause) in [(PoseSource::First, SafetyCause::PoseStale), (PoseSource::Second, SafetyCause::SourceStale)]
    {
        let mut history = History::default();
        let told = Measured { value: pose("base_link", [0.0; 3]), observed: NOW };
        for one in [PoseSource::First, PoseSource::Second] {
            let sample = if one == source { &lost } else { &told };
            history.observe(&limits, StateSample::Pose(one, sample, &[]), Expected::default(), NOW);
        }
        let silent = history.silent(&limits, &SourceTimes::at_hand(&limits.manifest, NOW), NOW);
        assert_eq!(silent.iter().collect::<Vec<_>>(), [cause]);
    }
}
