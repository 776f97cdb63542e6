//! Runs the site on a Zenoh session: one thread that steps, hears, answers and publishes.

use std::collections::{BTreeMap, VecDeque};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::Duration;

use bridge::envelope::{Ack, Failure, Status, Subject};
use bridge::robot_gate::{Admit, Inbox, Lapse, Reply, RobotGate};
use bridge::signing::SignedSample;
use bridge::{BridgeError, ClockFn, Link, SamplePublisher};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use robot::{Instant, RobotId, StateKind};

use crate::camera::Cameras;
use crate::fault::{Fault, Faults, Targets};
use crate::maps::Maps;
use crate::sim_robot::{Acting, Ended, SimRobot};
use crate::state::GateParts;
use crate::telemetry::{Channel, Moment, STEPS_PER_S, channels};
use crate::world::{SENSORS, SimWorld};

/// One step of the site.
const STEP: Duration = Duration::from_millis(1_000 / STEPS_PER_S);
/// After a pause of the computer at most this many steps are made up for: a quarter of a second.
const STEPS_BEHIND_MAX: u64 = STEPS_PER_S / 4;
/// Delay of everything under [`Fault::Delay`].
const DELAY: Duration = Duration::from_millis(400);
/// Longest delay of anything under [`Fault::Lossy`].
const JITTER: Duration = Duration::from_millis(200);
/// The share that is lost under [`Fault::Lossy`].
const LOSS: f64 = 0.2;
/// The losses are the same in every run, as far as the messages are.
const DICE_SEED: u64 = 7;
/// Late messages that are kept: the site publishes about a hundred a second.
const LATE_MAX: usize = 1_024;
/// Stops of one robot whose standstill is still to be reported.
const STOPPING_MAX: usize = 16;

/// Events that the thread waits for.
#[derive(Debug)]
pub enum Inbound {
    /// Messages on robots' command keys have come into their inboxes.
    Messages,
    /// A line of standard input.
    Line(String),
    /// Standard input has ended, or the process shall.
    End,
}

/// The running site.
pub struct Host {
    world: SimWorld,
    gates: BTreeMap<RobotId, GateSeat>,
    /// True from a message's arrival until the thread looks into the inboxes.
    woken: Arc<AtomicBool>,
    channels: Vec<(Channel, SamplePublisher)>,
    cameras: Cameras,
    maps: Maps,
    faults: Faults,
    /// The one stamp of each source that repeats it, Unix milliseconds.
    stamps_ms: BTreeMap<String, i64>,
    /// In the order in which they are due.
    late: VecDeque<(Instant, Outbound)>,
    /// Decides what a lossy link loses.
    dice: ChaCha8Rng,
    clock: ClockFn,
    /// Simulated seconds per second.
    speed: f64,
    step: u64,
}

struct GateSeat {
    gate: RobotGate,
    /// Messages that it has not heard yet. A flood for one robot takes no room of another.
    inbox: Arc<Inbox>,
    /// Stops whose standstill is still to be reported.
    stopping: Vec<Subject>,
}

enum Outbound {
    Reply(RobotId, Reply),
    Sample(usize, Vec<u8>),
}

impl Host {
    /// Declares everything on `link`. Each robot's messages wait in an inbox of its own, and `waker` is told that
    /// there are some.
    pub async fn open(
        link: &Link,
        world: SimWorld,
        parts: BTreeMap<RobotId, GateParts>,
        clock: ClockFn,
        waker: &SyncSender<Inbound>,
    ) -> anyhow::Result<Self> {
        let (mut gates, woken) = (BTreeMap::new(), Arc::<AtomicBool>::default());
        let mut targets = Targets { sensors: SENSORS.map(str::to_owned).into(), ..Targets::default() };
        for (id, GateParts { credentials, store }) in parts {
            let Some(robot) = world.robots.get(&id) else { continue };
            let inbox = Inbox::new(&robot.manifest, Arc::clone(&clock));
            let (to, woken, waker) = (Arc::clone(&inbox), Arc::clone(&woken), waker.clone());
            let hand_over = move |message| {
                to.put(message);
                // One wake-up is enough for many messages, and a full channel wakes the thread as well.
                if !woken.swap(true, Ordering::AcqRel) && waker.try_send(Inbound::Messages).is_err() {
                    woken.store(false, Ordering::Release);
                }
            };
            let gate = RobotGate::open(link, &robot.manifest, credentials, store, hand_over).await?;
            targets.robots.insert(id.to_string());
            if robot.manifest.state_source(StateKind::Pose).is_some() {
                targets.posed.insert(id.to_string());
            }
            gates.insert(id, GateSeat { gate, inbox, stopping: Vec::new() });
        }
        let with_publisher = |channel: Channel| {
            let seat = channel.source.parse().ok().and_then(|robot: RobotId| gates.get(&robot));
            let publisher = match seat {
                Some(GateSeat { gate, .. }) => gate.state_publisher(link, &channel.key, channel.codec)?,
                None => link.sample_publisher(&channel.key, channel.codec)?,
            };
            Ok((channel, publisher))
        };
        let channels = channels(&world).into_iter().map(with_publisher).collect::<Result<_, BridgeError>>()?;
        let cameras = Cameras::open(link, &world)?;
        let maps = Maps::open(link, &world)?;
        targets.filmed = cameras.robots().map(ToString::to_string).collect();
        Ok(Self {
            world,
            gates,
            woken,
            channels,
            cameras,
            maps,
            faults: Faults::new(targets),
            stamps_ms: BTreeMap::new(),
            late: VecDeque::new(),
            dice: ChaCha8Rng::seed_from_u64(DICE_SEED),
            clock,
            speed: 1.0,
            step: 0,
        })
    }

    /// The same, whose time goes `speed` times as fast as that of the world outside.
    #[must_use]
    pub fn at_speed(self, speed: f64) -> Self {
        Self { speed, ..self }
    }

    /// Runs until [`Inbound::End`]. Answers to fault lines go to `answers`.
    pub fn run(mut self, inbound: &Receiver<Inbound>, mut answers: impl Write) {
        let mut due = self.now().plus(STEP);
        loop {
            // Before the inboxes are looked at: a message that comes meanwhile wakes the thread again.
            self.woken.store(false, Ordering::Release);
            let wait = if self.hear_each() { Duration::ZERO } else { due.since(self.now()) };
            match inbound.recv_timeout(wait) {
                Ok(Inbound::Line(line)) => {
                    let answer = self.faults.apply(&line);
                    if let Err(error) = writeln!(answers, "{answer}").and_then(|()| answers.flush()) {
                        tracing::warn!(%error, "nobody reads the answers");
                    }
                }
                Ok(Inbound::End) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(Inbound::Messages) | Err(RecvTimeoutError::Timeout) => {}
            }
            for _ in 0..STEPS_BEHIND_MAX {
                if self.now() < due {
                    break;
                }
                due = due.plus(STEP);
                self.advance();
            }
            // Time that was not made up for is dropped: the site goes on from now.
            due = due.max(self.now());
            self.send_late();
        }
    }

    /// Hears the next message of each robot, a stop before everything else; false if none waits.
    fn hear_each(&mut self) -> bool {
        let next = |(id, seat): (&RobotId, &GateSeat)| Some((id.clone(), seat.inbox.take()?));
        let heard: Vec<_> = self.gates.iter().filter_map(next).collect();
        heard.iter().for_each(|(id, message)| self.hear(id, message));
        !heard.is_empty()
    }

    fn hear(&mut self, id: &RobotId, message: &SignedSample) {
        let deaf = [Fault::DropLink, Fault::HalfOpen].into_iter().any(|fault| self.faults.has(id.as_str(), fault));
        if deaf || self.loses(id.as_str()) {
            return;
        }
        let now = self.now();
        let (Some(robot), Some(seat)) = (self.world.robots.get_mut(id), self.gates.get_mut(id)) else { return };
        let handled = seat.gate.handle(message, &robot.own_state(now), now);
        let mut replies = Vec::from_iter(handled.reply);
        match handled.admitted {
            Some(Admit::Move(approved)) => {
                let command = approved.command();
                robot.act(Acting::of(&self.faults, id.as_str()));
                match robot.begin(command) {
                    Ok(ended) => {
                        let subject = Subject::Command { station: command.lease.station.clone(), id: command.id };
                        let running = seat.gate.ack(subject, Status::Running, &robot.own_state(now), now);
                        // The end of what the command replaces is said before its own beginning.
                        replies.splice(0..0, seat.acks(robot, ended, now));
                        replies.push(running);
                    }
                    Err(reason) => replies = replies.into_iter().map(|reply| refused(reply, reason)).collect(),
                }
            }
            Some(Admit::Stop) => {
                let ended = robot.halt(Failure::Stopped);
                replies.iter().for_each(|reply| seat.note_stopping(reply));
                replies.extend(seat.acks(robot, ended, now));
            }
            Some(Admit::Hold) => {
                let ended = robot.halt(Failure::Held);
                replies.extend(seat.acks(robot, ended, now));
            }
            Some(Admit::Claimed | Admit::Released | Admit::Beat | Admit::Commission(_)) | None => {}
        }
        self.reply(id, replies);
    }

    /// One step: the world, then what did not come in time, then what is due to be published.
    fn advance(&mut self) {
        self.step += 1;
        let now = self.now();
        for (id, mut ended) in self.world.step(STEP.as_secs_f64() * self.speed) {
            let (Some(robot), Some(seat)) = (self.world.robots.get_mut(&id), self.gates.get_mut(&id)) else { continue };
            ended.extend(robot.take_pendant(self.faults.has(id.as_str(), Fault::Pendant)));
            robot.act(Acting::of(&self.faults, id.as_str()));
            // A person with the pendant has looked at the robot, which ends stops of strangers (decision 0005).
            seat.gate.release_strangers(&robot.own_state(now), now);
            for lapse in seat.gate.tick(now) {
                ended.extend(match lapse {
                    Lapse::Held => robot.halt(Failure::Held),
                    Lapse::Stopped => robot.halt(Failure::Stopped),
                    Lapse::SetPoint(actuator) => robot.end_set_point(&actuator),
                });
            }
            let mut replies = seat.acks(robot, ended, now);
            replies.extend(seat.standstill(robot, now));
            self.reply(&id, replies);
        }
        self.publish();
    }

    fn publish(&mut self) {
        for (id, robot) in &mut self.world.robots {
            robot.freeze_pose(self.faults.has(id.as_str(), Fault::FrozenSensor));
        }
        let mut samples = Vec::new();
        for (i, (channel, _)) in self.channels.iter().enumerate() {
            let due = self.step.is_multiple_of(channel.every_steps);
            if !due || self.faults.silences(&channel.source, channel.state_kind()) {
                continue;
            }
            let nan = self.faults.has(&channel.source, Fault::NanSample);
            let mut wall_ms = (self.clock)().wall_ms;
            if self.faults.has(&channel.source, Fault::RepeatedStamp) {
                wall_ms = *self.stamps_ms.entry(channel.source.clone()).or_insert(wall_ms);
            } else {
                self.stamps_ms.remove(&channel.source);
            }
            let moment = Moment { step: self.step, wall_ms, nan };
            samples.extend(channel.payloads(&mut self.world, moment).into_iter().map(|payload| (i, payload)));
        }
        for (i, payload) in samples {
            let source = self.channels[i].0.source.clone();
            self.send(&source, Outbound::Sample(i, payload));
        }
        let sends = |robot: &RobotId| {
            let hidden = [Fault::DropLink, Fault::StaleSensor, Fault::SilentCamera];
            !hidden.into_iter().any(|fault| self.faults.has(robot.as_str(), fault))
        };
        let wall_ms = (self.clock)().wall_ms;
        self.cameras.shoot(&self.world, self.step, wall_ms, sends);
        self.maps.look(&self.world, self.step, wall_ms, |robot| !self.faults.has(robot.as_str(), Fault::DropLink));
    }

    fn reply(&mut self, id: &RobotId, replies: Vec<Reply>) {
        for reply in replies {
            let hushed = self.faults.has(id.as_str(), Fault::NoAck) && acknowledges_stop(&reply);
            if !hushed {
                self.send(id.as_str(), Outbound::Reply(id.clone(), reply));
            }
        }
    }

    fn send(&mut self, source: &str, outbound: Outbound) {
        if self.faults.has(source, Fault::DropLink) || self.loses(source) {
            return;
        }
        let delay = if self.faults.has(source, Fault::Lossy) {
            self.dice.random_range(Duration::ZERO..=JITTER)
        } else if self.faults.has(source, Fault::Delay) {
            DELAY
        } else {
            return self.put(outbound);
        };
        if self.late.len() == LATE_MAX {
            self.late.pop_front();
        }
        let due = self.now().plus(delay);
        // With jitter a later message may overtake an earlier one.
        let place = self.late.partition_point(|(earlier, _)| *earlier <= due);
        self.late.insert(place, (due, outbound));
    }

    /// True if the network loses the next message of or to `name`.
    fn loses(&mut self, name: &str) -> bool {
        self.faults.has(name, Fault::Lossy) && self.dice.random_bool(LOSS)
    }

    fn send_late(&mut self) {
        let now = self.now();
        while self.late.front().is_some_and(|(due, _)| *due <= now) {
            if let Some((_, outbound)) = self.late.pop_front() {
                self.put(outbound);
            }
        }
    }

    fn put(&self, outbound: Outbound) {
        let done = match outbound {
            Outbound::Reply(id, reply) => self.gates.get(&id).map_or(Ok(()), |seat| seat.gate.put(&reply)),
            Outbound::Sample(i, payload) => self.channels[i].1.put(payload),
        };
        if let Err(error) = done {
            tracing::warn!(%error, "not published");
        }
    }

    fn now(&self) -> Instant {
        (self.clock)().station
    }
}

impl GateSeat {
    fn acks(&self, robot: &SimRobot, ended: Vec<Ended>, now: Instant) -> Vec<Reply> {
        let own = robot.own_state(now);
        ended.into_iter().map(|ended| self.gate.ack(ended.subject, ended.status, &own, now)).collect()
    }

    fn note_stopping(&mut self, reply: &Reply) {
        let Reply::Ack(ack) = reply else { return };
        if self.stopping.len() < STOPPING_MAX && !self.stopping.contains(&ack.subject) {
            self.stopping.push(ack.subject.clone());
        }
    }

    /// The second acknowledgement of each stop, once the robot stands still.
    fn standstill(&mut self, robot: &SimRobot, now: Instant) -> Vec<Reply> {
        let own = robot.own_state(now);
        if !own.stands(now) {
            return Vec::new();
        }
        let stopped = std::mem::take(&mut self.stopping);
        stopped.into_iter().map(|subject| self.gate.ack(subject, Status::Done, &own, now)).collect()
    }
}

/// The gate took the command, but the robot cannot do it.
fn refused(reply: Reply, reason: robot::Reason) -> Reply {
    match reply {
        Reply::Ack(ack) => Reply::Ack(Ack { status: Status::Refused(reason), ..ack }),
        Reply::Beat(_) | Reply::Report(_) => reply,
    }
}

fn acknowledges_stop(reply: &Reply) -> bool {
    match reply {
        Reply::Ack(ack) => matches!(ack.subject, Subject::Stop { .. }),
        Reply::Beat(_) | Reply::Report(_) => false,
    }
}

#[cfg(test)]
mod tests;
