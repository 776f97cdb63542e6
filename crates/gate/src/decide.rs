//! The deciding thread's work: a message or a tick comes in, the adapter is called, replies and samples come out. No
//! call waits for anything.

mod commissioning;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use bridge::ClockFn;
use bridge::envelope::{Ack, Failure, GateFault, Status, Subject};
use bridge::robot_gate::{Admit, Lapse, OwnState, Reply, RobotGate};
use bridge::signing::SignedSample;
use robot::{ActuatorId, Command, CommandId, Instant, Manifest, Motion, Now, Reason};
use safety::Approved;

use crate::adapter::{Adapter, Begun, Events, Outcome, StopEvidence, StopKind};
use crate::commission::Commission;
use crate::mover::Mover;
use crate::sources::{Channel, Sources};

/// A stop is acknowledged as sent if the robot has not answered it within this time.
const ANSWER_WAIT: Duration = Duration::from_millis(60);
/// A fault that lasts latches the gate again this often, so that a release in between does not end it.
const LATCH_EVERY: Duration = Duration::from_secs(1);
/// Another source of motion counts for so long after it was last seen: one whose goal this gate has just cancelled
/// may send the next.
const OTHERS_LINGER: Duration = Duration::from_secs(2);
/// Acknowledgements of stops that wait; further stops of the same moment are one stop to the robot.
const STOPS_MAX: usize = 16;

/// A robot's gate together with the adapter that moves the robot.
pub struct GateRunner<A> {
    gate: RobotGate,
    manifest: Manifest,
    mover: Mover<A>,
    commission: Commission,
    clock: ClockFn,
    sources: Sources,
    jobs: BTreeMap<ActuatorId, Job>,
    /// The messages that began the stop in force, as they came.
    stops: VecDeque<Arc<[u8]>>,
    /// Stops that are in force and not acknowledged yet.
    unacknowledged: Vec<(Reply, Instant)>,
    /// Stops whose standstill is still to be reported.
    moving_on: Vec<Subject>,
    local: bool,
    /// Another source of motion, and when it was last seen.
    foreign: Option<(String, Instant)>,
    /// The last time at which the gate latched for each fault.
    faults: BTreeMap<GateFault, Instant>,
}

/// A motion that the robot carries out.
struct Job {
    subject: Subject,
    id: CommandId,
    is_velocity: bool,
}

impl<A: Adapter> GateRunner<A> {
    /// A gate that has just been started: latched, and nothing is sent.
    pub fn new(mut gate: RobotGate, manifest: Manifest, adapter: A, commission: Commission, clock: ClockFn) -> Self {
        gate.set_commissioning(commission.left());
        Self {
            gate,
            manifest,
            mover: Mover::new(adapter, ClockFn::clone(&clock)),
            commission,
            clock,
            sources: Sources::default(),
            jobs: BTreeMap::new(),
            stops: VecDeque::new(),
            unacknowledged: Vec::new(),
            moving_on: Vec::new(),
            local: false,
            foreign: None,
            faults: BTreeMap::new(),
        }
    }

    /// The adapter.
    pub const fn adapter(&self) -> &A {
        self.mover.adapter()
    }

    /// The adapter, for a test that plays its robot.
    #[cfg(test)]
    pub(crate) const fn adapter_mut(&mut self) -> &mut A {
        self.mover.adapter_mut()
    }

    /// The gate's own state.
    #[cfg(test)]
    pub const fn gate(&self) -> &RobotGate {
        &self.gate
    }

    /// The robot's state as commands are judged in it.
    pub fn own_state(&self, now: Instant) -> OwnState {
        self.sources.own_state(&self.manifest, self.is_local(), now)
    }

    /// The name of another source of motion, while there is one.
    #[cfg(test)]
    pub fn foreign(&self) -> Option<&str> {
        self.foreign.as_ref().map(|(name, _)| name.as_str())
    }

    /// The evidence that the newest stop has reached the robot.
    #[cfg(test)]
    pub const fn evidence(&self) -> StopEvidence {
        self.mover.evidence()
    }

    /// True while a stop is sent again and again.
    pub const fn is_stopping(&self) -> bool {
        self.mover.stopping().is_some()
    }

    /// True once nothing that was sent to the robot can begin a motion any more.
    pub fn is_settled(&self) -> bool {
        self.mover.adapter().is_settled()
    }

    /// Takes in one message of a station: first the motors, then the disk and the words.
    pub fn hear(&mut self, message: &SignedSample, now: Instant) -> Vec<Reply> {
        let own = self.own_state(now);
        // A station repeats its stop until standstill is measured. As a new stop each copy would be sent under a new
        // number, and neither the robot's answer nor the time since the first would count.
        let is_repeated = self.mover.stopping() == Some(StopKind::Stop) && self.stops.contains(&message.sample.payload);
        let mover = &mut self.mover;
        // The stop leaves before the latch is stored: a slow or full disk keeps no robot moving.
        let handled = self.gate.handle_stopping_first(message, &own, now, |admitted| match admitted {
            Admit::Hold => mover.stop(StopKind::Hold, now),
            Admit::Stop if is_repeated => mover.stop_again(now),
            Admit::Stop => mover.stop(StopKind::Stop, now),
            Admit::Move(_) | Admit::Claimed | Admit::Released | Admit::Beat | Admit::Commission(_) => {}
        });
        match handled.admitted {
            Some(Admit::Move(approved)) if self.gate.state().is_commissioned_now() => {
                self.begin_for_step(*approved, handled.reply, now)
            }
            Some(Admit::Move(approved)) => self.begin(*approved, handled.reply, now),
            Some(Admit::Commission(message)) => self.commission(*message, now),
            Some(Admit::Stop) => {
                if !is_repeated {
                    self.note_stop(&message.sample.payload);
                }
                self.commission.break_off(now);
                let ended = self.end_jobs(Failure::Stopped, now);
                // Kept back: a stop is acknowledged once its message has left for the robot.
                if let Some(reply) = handled.reply.filter(|_| self.unacknowledged.len() < STOPS_MAX) {
                    self.unacknowledged.push((reply, now));
                }
                self.acknowledge_stops(now).into_iter().chain(ended).collect()
            }
            Some(Admit::Hold) => {
                // A robot that is already held for a measurement of its stop loses nothing by another hold.
                if !self.commission.measures_a_stop() {
                    self.commission.break_off(now);
                }
                handled.reply.into_iter().chain(self.end_jobs(Failure::Held, now)).collect()
            }
            Some(Admit::Claimed | Admit::Released | Admit::Beat) | None => handled.reply.into_iter().collect(),
        }
    }

    /// Everything that is done every 20 ms, whatever comes.
    pub fn tick(&mut self, now: Instant) -> Vec<Reply> {
        let Events { readings, ended, local, foreign, faults, monitors } = self.mover.poll(now);
        self.commission.note_monitors(monitors);
        readings.into_iter().for_each(|reading| self.sources.note(reading));
        let mut replies = self.ends(ended, now);
        replies.extend(self.note_others(local, foreign, now));
        for fault in faults.into_iter().chain(self.mover.hangs().then_some(GateFault::Late)) {
            replies.extend(self.fail(fault, now));
        }
        let own = self.own_state(now);
        // A person with the pendant sees the robot and may end the stop of strangers; another program may not.
        if self.local {
            self.gate.release_strangers(&own, now);
        }
        let mover_is_silent = self.mover.is_silent();
        let (mover, jobs) = (&mut self.mover, &self.jobs);
        let lapses = self.gate.tick_stopping_first(now, |lapses| {
            let ends = |lapse: &Lapse| match lapse {
                Lapse::Stopped => true,
                // With no motion of the gate left, the person or program in control is not stopped.
                Lapse::Held => !jobs.is_empty() || !own.local || mover_is_silent,
                Lapse::SetPoint(actuator) => jobs.contains_key(actuator),
            };
            if lapses.iter().any(ends) {
                let has_stopped = lapses.contains(&Lapse::Stopped);
                mover.stop(if has_stopped { StopKind::Stop } else { StopKind::Hold }, now);
            }
        });
        if lapses.iter().any(|lapse| matches!(lapse, Lapse::Held | Lapse::Stopped)) {
            self.commission.break_off(now);
        }
        for lapse in lapses {
            replies.extend(match lapse {
                Lapse::Held => self.end_jobs(Failure::Held, now),
                Lapse::Stopped => self.end_jobs(Failure::Stopped, now),
                Lapse::SetPoint(actuator) => self.end_set_point(&actuator, now),
            });
        }
        if self.has_stopped(&own, now) {
            replies.extend(self.stands(now));
        }
        replies.extend(self.go_on_commissioning(now));
        // Last, so that a velocity which this tick has ended is not sent once more.
        self.mover.go_on(now);
        self.commission.note_unanswered(self.mover.unanswered());
        replies.extend(self.acknowledge_stops(now));
        replies
    }

    /// The samples that are due.
    pub fn samples(&mut self) -> Vec<(Channel, Vec<u8>)> {
        self.sources.samples((self.clock)())
    }

    /// Stops the robot for a failure and latches. One that lasts latches once a second.
    pub fn fail(&mut self, fault: GateFault, now: Instant) -> Vec<Reply> {
        // The stop goes out before the log and before the latch, which is written to the disk.
        self.mover.stop(StopKind::Stop, now);
        self.commission.break_off(now);
        let lasts = self.faults.get(&fault).is_some_and(|last| now.since(*last) < LATCH_EVERY);
        // One that comes again right after a release latches again, too.
        if !lasts || self.gate.state().memory().stops.is_empty() {
            tracing::error!(robot = %self.manifest.id, "{}: the robot is stopped", fault.clause());
            self.gate.latch_fault(fault);
            self.faults.insert(fault, now);
        }
        self.end_jobs(Failure::Stopped, now)
    }

    fn note_stop(&mut self, message: &Arc<[u8]>) {
        if self.stops.len() == STOPS_MAX {
            self.stops.pop_front();
        }
        self.stops.push_back(Arc::clone(message));
    }

    /// True once the robot was measured to stand after the stop in force has left. One that stood before has not
    /// obeyed a stop that is still in the queue, and may begin a motion that left just before the stop.
    fn has_stopped(&self, own: &OwnState, now: Instant) -> bool {
        let is_out = self.mover.stopping().is_some() && self.mover.evidence() > StopEvidence::Waiting;
        let stood = own.speed_at(now).filter(|speed| speed.value.standstill).map(|speed| speed.observed);
        is_out && self.mover.left().zip(stood).is_some_and(|(left, stood)| stood > left)
    }

    fn begin(&mut self, approved: Approved<Command>, received: Option<Reply>, now: Instant) -> Vec<Reply> {
        let command = approved.command();
        let subject = Subject::Command { station: command.lease.station.clone(), id: command.id };
        let (actuator, id) = (command.actuator.clone(), command.id);
        let is_velocity = matches!(command.motion, Motion::Velocity { .. });
        // No adapter transforms: in another frame the same numbers would be another motion.
        let begun = if command.frame == self.manifest.default_frame {
            self.mover.begin(approved, now)
        } else {
            Begun::Refused(Reason::FrameMismatch)
        };
        if let Begun::Refused(reason) = begun {
            self.commission.note_refused(reason, Now { station: now, ..(self.clock)() });
            // The gate counts the motion before it as replaced: nothing else would end it.
            self.mover.stop(StopKind::Hold, now);
            let ended = self.end_jobs(Failure::Held, now);
            return received.map(|reply| refused(reply, reason)).into_iter().chain(ended).collect();
        }
        let replaced = self.jobs.insert(actuator, Job { subject: subject.clone(), id, is_velocity });
        let own = self.own_state(now);
        let end = |job: Job| self.gate.ack(job.subject, replaced_by_another(job.is_velocity), &own, now);
        let ended = replaced.map(end);
        let running = self.gate.ack(subject, Status::Running, &own, now);
        // The end of the motion before goes out first: an actuator has one motion at a time.
        ended.into_iter().chain(received).chain([running]).collect()
    }

    fn end_jobs(&mut self, because: Failure, now: Instant) -> Vec<Reply> {
        let own = self.own_state(now);
        let jobs = std::mem::take(&mut self.jobs).into_values();
        jobs.map(|job| self.gate.ack(job.subject, Status::Failed(because), &own, now)).collect()
    }

    /// A velocity that was not renewed becomes zero; what else moves ends with it.
    fn end_set_point(&mut self, actuator: &ActuatorId, now: Instant) -> Vec<Reply> {
        let Some(job) = self.jobs.remove(actuator) else { return Vec::new() };
        let done = self.gate.ack(job.subject, Status::Done, &self.own_state(now), now);
        // A stop has no form that ends one actuator alone, so that the others end with it (decision 0171).
        [done].into_iter().chain(self.end_jobs(Failure::Held, now)).collect()
    }

    fn ends(&mut self, ended: Vec<(CommandId, Outcome)>, now: Instant) -> Vec<Reply> {
        let mut replies = Vec::new();
        for (id, outcome) in ended {
            let Some(actuator) = self.jobs.iter().find(|(_, job)| job.id == id).map(|(actuator, _)| actuator.clone())
            else {
                // The gate has ended it meanwhile, and the station has been told of that end.
                continue;
            };
            let Some(job) = self.jobs.remove(&actuator) else { continue };
            self.mover.end(&actuator);
            let status = match outcome {
                Outcome::Done => Status::Done,
                Outcome::Failed => Status::Failed(Failure::ByRobot),
            };
            replies.push(self.gate.ack(job.subject, status, &self.own_state(now), now));
        }
        replies
    }

    /// A person at the robot, or another program, has taken control: the gate's own motion ends, and nothing of it is
    /// repeated against them.
    fn note_others(&mut self, local: Option<bool>, foreign: Option<String>, now: Instant) -> Vec<Reply> {
        let was = self.is_local();
        // None means that nothing was heard, which hands no control back.
        self.local = local.unwrap_or(self.local);
        let seen = foreign.map(|name| (name, now));
        self.foreign = seen.or(self.foreign.take().filter(|(_, last)| now.since(*last) < OTHERS_LINGER));
        // Only the beginning counts: a stop that is repeated would work against whoever has taken over.
        if was || !self.is_local() {
            return Vec::new();
        }
        if !self.jobs.is_empty() {
            self.mover.stop_once(now);
        }
        // After the stop: standard error may be a pipe that nobody reads. With its control characters escaped.
        if let Some((name, _)) = &self.foreign {
            tracing::warn!(robot = %self.manifest.id, ?name, "another source of motion");
        }
        self.end_jobs(Failure::Held, now)
    }

    const fn is_local(&self) -> bool {
        self.local || self.foreign.is_some()
    }

    /// The robot is measured to stand: the second acknowledgement of each stop.
    fn stands(&mut self, now: Instant) -> Vec<Reply> {
        self.mover.rest();
        self.stops.clear();
        // Standstill is stronger evidence than an answer: stops that were still waiting for one are due too.
        let mut replies: Vec<Reply> =
            std::mem::take(&mut self.unacknowledged).into_iter().map(|(reply, _)| reply).collect();
        let subjects = replies.iter().filter_map(stop_of).cloned().collect::<Vec<_>>();
        self.moving_on.extend(subjects);
        let own = self.own_state(now);
        let stopped = std::mem::take(&mut self.moving_on);
        replies.extend(stopped.into_iter().map(|subject| self.gate.ack(subject, Status::Done, &own, now)));
        replies
    }

    /// The first acknowledgement of each stop whose message has left, at best after the robot's answer.
    fn acknowledge_stops(&mut self, now: Instant) -> Vec<Reply> {
        let evidence = self.mover.evidence();
        let is_due = |asked: Instant| match evidence {
            StopEvidence::Waiting => false,
            StopEvidence::Sent => now.since(asked) >= ANSWER_WAIT,
            StopEvidence::RobotAnswered => true,
        };
        let (due, waiting) =
            std::mem::take(&mut self.unacknowledged).into_iter().partition(|(_, asked)| is_due(*asked));
        self.unacknowledged = waiting;
        let replies: Vec<Reply> = due.into_iter().map(|(reply, _): (Reply, Instant)| reply).collect();
        for subject in replies.iter().filter_map(stop_of) {
            if self.moving_on.len() < STOPS_MAX && !self.moving_on.contains(subject) {
                self.moving_on.push(subject.clone());
            }
        }
        replies
    }
}

/// A velocity that is renewed has done its part.
const fn replaced_by_another(is_velocity: bool) -> Status {
    if is_velocity { Status::Done } else { Status::Failed(Failure::Replaced) }
}

/// The gate took the command, but the robot cannot do it.
fn refused(reply: Reply, reason: Reason) -> Reply {
    match reply {
        Reply::Ack(ack) => Reply::Ack(Ack { status: Status::Refused(reason), ..ack }),
        Reply::Beat(_) | Reply::Report(_) => reply,
    }
}

fn stop_of(reply: &Reply) -> Option<&Subject> {
    match reply {
        Reply::Ack(ack) => Some(&ack.subject),
        Reply::Beat(_) | Reply::Report(_) => None,
    }
}
