//! The states of the world, what can happen next, and what must never happen.

use std::collections::BTreeSet;

use bridge::envelope::OpenStop;
use stateright::{Model, Property};

use crate::robot_side::Robot;
use crate::station_side::{Desk, Office};

/// Two stations: the least for a fight over the robot.
pub const STATIONS: usize = 2;
/// Bounds on each kind of event, all stations together. Without bounds the walk would never end.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// A station raises its epoch, by arming or by releasing.
    pub claims: u64,
    /// A command is judged.
    pub commands: u64,
    /// A person presses STOP ALL.
    pub stops: u64,
    /// Somebody whom the robot does not know stops it.
    pub strangers: u64,
    /// Nobody speaks for so long that the robot gives its claimant up.
    pub silences: u64,
    /// A station crashes; each at most once.
    pub crashes: u64,
    /// The robot crashes.
    pub restarts: u64,
}

/// A message on its way to the robot. It may arrive any number of times, at any time, or never.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Letter {
    /// The station wants to command under `epoch`.
    Claim { from: usize, epoch: u64 },
    /// The robot shall move.
    Command { from: usize, token: Token, generation: u64 },
    /// The robot shall stop.
    Stop { from: usize, stop_id: u64 },
    /// The robot shall stop, says a stranger.
    StrangersStop { n: u64 },
    /// These stops are over. Of strangers' stops so many had come when the list was made; only the witness looks at that.
    Release { from: usize, epoch: u64, stops: Vec<OpenStop>, strangers: u64 },
}

/// A command's place in the order of its station's commands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token {
    /// The claim.
    pub epoch: u64,
    /// The number under that claim.
    pub seq: u64,
}

/// Everything there is at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Moment {
    /// Long silences so far.
    pub silences: u64,
    /// Stops of strangers so far.
    pub strangers: u64,
    /// The stations.
    pub desks: [Desk; STATIONS],
    /// The robot with its gate.
    pub robot: Robot,
    /// Every message ever put.
    pub letters: BTreeSet<Letter>,
    /// The first rule that was broken.
    pub broken: Option<Rule>,
}

/// Reachable: a robot can be used again after a stop.
pub const CIRCLE: &str = "motion, stop, release, motion again";
/// Reachable: one station after the other.
pub const BOTH: &str = "both stations have moved the robot";
/// Reachable: a release that has to name two.
pub const TWO_STOPS: &str = "two stops are open at once";

/// A rule that must never be broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Nothing is put behind a fence that was engaged after the judgement.
    FenceHolds,
    /// A stop that arrives latches.
    StopLatches,
    /// No motion is accepted after a latch until its release.
    LatchHolds,
    /// A command judged before a stop arrived never moves the robot after it.
    StopVoids,
    /// A release never covers a stop it did not name.
    ReleaseIsExact,
    /// The robot takes commands of one station under one epoch, and never of an older one again.
    OneToken,
}

/// A possible next step.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// A beat's answer names open stops; the station ends motion and shows them.
    Look(usize),
    /// A person arms: the station raises its epoch and claims the robot.
    Claim(usize),
    /// A beat's answer confirms the claim; the station opens its fence.
    Open(usize),
    /// A command is judged.
    Judge(usize),
    /// A judged command is sent.
    Send(usize),
    /// A person presses STOP ALL.
    Stop(usize),
    /// A stranger puts a stop.
    Stranger,
    /// A person releases the stops that the station shows, which may be others by now.
    Release(usize),
    /// The station's process ends and starts again.
    Crash(usize),
    /// The robot loses its power, and its gate starts again.
    Restart,
    /// A message arrives; it stays on its way, and may arrive again.
    Arrive(Letter),
    /// Nobody speaks for longer than any claim, beat or command lives.
    Silence,
}

/// The world at its start: two stations nobody has armed, and a robot nobody has claimed.
pub struct Scene {
    office: Office,
    bounds: Bounds,
}

impl Scene {
    /// The scene on the simulated site's gate robot.
    pub fn new(bounds: Bounds) -> Self {
        Self { office: Office::new(), bounds }
    }

    /// Gives the robot a message, and checks that it then listens to one pair of station and epoch at most.
    fn arrive(&self, next: &mut Moment, letter: &Letter) -> Result<(), Rule> {
        let silences = next.silences;
        next.robot.hear(letter, &next.desks, &self.office, silences)?;
        let valid = next.robot.valid_tokens(&next.letters, &self.office, silences);
        if valid <= 1 { Ok(()) } else { Err(Rule::OneToken) }
    }
}

impl Model for Scene {
    type State = Moment;
    type Action = Step;

    fn init_states(&self) -> Vec<Moment> {
        vec![Moment {
            silences: 0,
            strangers: 0,
            desks: Default::default(),
            robot: Robot::new(&self.office),
            letters: BTreeSet::new(),
            broken: None,
        }]
    }

    fn actions(&self, moment: &Moment, steps: &mut Vec<Step>) {
        if moment.broken.is_some() {
            return;
        }
        let office = &self.office;
        let used = |count: fn(&Desk) -> u64| moment.desks.iter().map(count).sum::<u64>();
        let may_claim = used(|desk| desk.claims) < self.bounds.claims;
        let may_judge = used(|desk| desk.commands) < self.bounds.commands;
        let may_stop = used(|desk| desk.last_stop_id) < self.bounds.stops;
        let may_crash = used(|desk| u64::from(desk.crashed)) < self.bounds.crashes;
        for (at, desk) in moment.desks.iter().enumerate() {
            // The stations differ in name only, so the one that claims first is the first.
            let in_turn = at == 0 || moment.desks[0].claims > 0;
            let answer = moment.robot.answer(moment.silences);
            let can = [
                (!answer.stops.is_empty(), Step::Look(at)),
                (may_claim && in_turn && desk.may_claim(at, office, &answer), Step::Claim(at)),
                (desk.may_open(at, office, &answer), Step::Open(at)),
                (may_judge && desk.may_judge(), Step::Judge(at)),
                (desk.judged.is_some(), Step::Send(at)),
                (may_stop, Step::Stop(at)),
                (may_claim && in_turn && desk.may_release(), Step::Release(at)),
                (may_crash && !desk.crashed, Step::Crash(at)),
            ];
            steps.extend(can.into_iter().filter(|(can, _)| *can).map(|(_, step)| step));
        }
        steps.extend(moment.letters.iter().cloned().map(Step::Arrive));
        if moment.strangers < self.bounds.strangers {
            steps.push(Step::Stranger);
        }
        if moment.robot.restarts < self.bounds.restarts {
            steps.push(Step::Restart);
        }
        if moment.silences < self.bounds.silences {
            steps.push(Step::Silence);
        }
    }

    fn next_state(&self, before: &Moment, step: Step) -> Option<Moment> {
        let mut next = before.clone();
        let office = &self.office;
        let answer = before.robot.answer(before.silences);
        match step {
            Step::Look(at) => next.desks[at].look(&answer),
            Step::Claim(at) => next.letters.extend(next.desks[at].claim(at, &answer)),
            Step::Open(at) => {
                next.robot.beat(at, next.desks[at].newest_token().epoch, office, next.silences);
                next.desks[at].open();
            }
            Step::Judge(at) => next.desks[at].judge(),
            Step::Send(at) => match next.desks[at].send(at, office, next.silences) {
                Ok(letter) => next.letters.extend(letter),
                Err(rule) => next.broken = Some(rule),
            },
            Step::Stop(at) => next.letters.extend([next.desks[at].stop(at)]),
            Step::Stranger => {
                next.strangers += 1;
                next.letters.insert(Letter::StrangersStop { n: next.strangers });
            }
            Step::Release(at) => next.letters.extend(next.desks[at].release(at, &answer)),
            Step::Crash(at) => next.desks[at].crash(),
            Step::Restart => next.broken = next.robot.restart(&next.desks, office).err(),
            Step::Arrive(letter) => next.broken = self.arrive(&mut next, &letter).err(),
            Step::Silence => {
                next.silences += 1;
                next.robot.wait(&next.desks, next.silences);
                next.desks.iter_mut().for_each(Desk::miss_answers);
            }
        }
        (next != *before).then_some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("nothing is put behind an engaged fence", |_, it: &Moment| {
                it.broken != Some(Rule::FenceHolds)
            }),
            Property::always("a stop that arrives latches", |_, it: &Moment| it.broken != Some(Rule::StopLatches)),
            Property::always("no motion is accepted after a latch until its release", |_, it: &Moment| {
                it.broken != Some(Rule::LatchHolds)
            }),
            Property::always("what was judged before a stop never moves the robot after it", |_, it: &Moment| {
                it.broken != Some(Rule::StopVoids)
            }),
            Property::always("a release never covers a stop it did not name", |_, it: &Moment| {
                it.broken != Some(Rule::ReleaseIsExact)
            }),
            Property::always("commands of one station under one epoch are taken", |_, it: &Moment| {
                it.broken != Some(Rule::OneToken)
            }),
            Property::sometimes(CIRCLE, |_, it: &Moment| it.robot.came_full_circle()),
            Property::sometimes(BOTH, |_, it: &Moment| it.robot.moved_by.iter().all(|moved| *moved)),
            Property::sometimes(TWO_STOPS, |_, it: &Moment| it.robot.stops_open() == 2),
        ]
    }
}
