//! The threads of a running gate: one decides, one sends replies and samples, one watches the first.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridge::envelope::GateFault;
use bridge::robot_gate::{Inbox, Reply, ReplySender};
use bridge::{ClockFn, SamplePublisher};
use robot::Instant;
use tokio::sync::oneshot;

use crate::adapter::{Adapter, StopSender, Watcher};
use crate::decide::GateRunner;
use crate::service::LifeSigns;
use crate::sources::{Channel, Sources};
use crate::state::StateFolder;

/// Period of the look at what did not come.
const TICK: Duration = Duration::from_millis(20);
/// Replies that wait for the network; further ones are dropped, and the station sees that they are missing.
const REPLIES_MAX: usize = 256;
/// A deciding thread that has not ticked for this long is stopped for.
// Below the 500 ms after which a robot without its station is held, so that the latch comes first (decision 0172).
const HANGS_AFTER: Duration = Duration::from_millis(400);
/// One that has not ticked for this long ends the program.
const LOST_AFTER: Duration = Duration::from_secs(2);
/// Time that a robot is given to stand before the program ends.
const END_WITHIN: Duration = Duration::from_millis(1_500);
/// Time for everything that was sent to the robot to have ended: a server takes or refuses a goal in five seconds.
const SETTLE_WITHIN: Duration = Duration::from_secs(10);
/// Exit status after a crash, and after the deciding thread was lost.
pub const CRASHED: i32 = 70;

/// Everything that the threads of a gate tell each other.
pub struct Shared {
    /// The gate's clock.
    pub clock: ClockFn,
    ending: AtomicBool,
    crashed: AtomicBool,
    overdue: AtomicBool,
    /// Gate's clock at the last tick.
    ticked: AtomicU64,
}

/// A message to the network.
#[derive(Debug, PartialEq)]
enum Outbound {
    Reply(Reply),
    Sample(Channel, Vec<u8>),
}

/// Messages that wait for the network.
#[derive(Default)]
struct Outbox {
    waiting: Mutex<Waiting>,
    more: Condvar,
}

#[derive(Default)]
struct Waiting {
    replies: VecDeque<Reply>,
    /// The newest of each channel.
    samples: VecDeque<(Channel, Vec<u8>)>,
    /// Nothing is put here any more.
    is_closed: bool,
    /// The thread that sends is gone: nothing leaves any more.
    is_lost: bool,
}

/// The way of messages to the network. It never waits.
pub struct Sender(Arc<Outbox>);

/// The thread that sends leaves this behind, however it ends.
struct LostMark(Arc<Outbox>);

impl Shared {
    /// Nothing has happened yet.
    pub fn new(clock: ClockFn) -> Arc<Self> {
        let ticked = AtomicU64::new(clock().station.0);
        let [ending, crashed, overdue] = Default::default();
        Arc::new(Self { clock, ending, crashed, overdue, ticked })
    }

    /// Asks for an orderly end.
    pub fn end(&self) {
        self.ending.store(true, Ordering::Release);
    }

    /// From now on a panic of any thread is a fault, those that are caught included.
    pub fn note_panics(self: &Arc<Self>) {
        let (shared, print) = (Arc::clone(self), std::panic::take_hook());
        std::panic::set_hook(Box::new(move |panic| {
            // The mark comes before the message: standard error may be a pipe that nobody reads.
            shared.crashed.store(true, Ordering::Release);
            print(panic);
        }));
    }

    fn now(&self) -> Instant {
        (self.clock)().station
    }

    fn tick(&self) {
        self.ticked.store(self.now().0, Ordering::Release);
    }

    fn silence(&self) -> Duration {
        self.now().since(Instant(self.ticked.load(Ordering::Acquire)))
    }

    /// Faults of other threads since the last look.
    fn faults(&self) -> impl Iterator<Item = GateFault> {
        let of = |flag: &AtomicBool, fault| flag.swap(false, Ordering::AcqRel).then_some(fault);
        of(&self.crashed, GateFault::Crashed).into_iter().chain(of(&self.overdue, GateFault::Late))
    }
}

impl Sender {
    /// Starts the thread that sends. A gate that hears no command has no replies.
    pub fn start(
        replies: Option<Arc<ReplySender>>,
        publishers: BTreeMap<Channel, SamplePublisher>,
    ) -> std::io::Result<Self> {
        let outbox = Arc::<Outbox>::default();
        let lost = LostMark(Arc::clone(&outbox));
        std::thread::Builder::new()
            .name("send".to_owned())
            .spawn(move || send(&lost.0, replies.as_deref(), &publishers))?;
        Ok(Self(outbox))
    }

    fn is_lost(&self) -> bool {
        self.0.waiting().is_lost
    }

    fn put_replies(&self, replies: Vec<Reply>) {
        replies.into_iter().for_each(|reply| self.0.put_reply(reply));
    }

    fn put_samples(&self, samples: Vec<(Channel, Vec<u8>)>) {
        samples.into_iter().for_each(|(channel, payload)| self.0.put_sample(channel, payload));
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        self.0.waiting().is_closed = true;
        self.0.more.notify_one();
    }
}

impl Drop for LostMark {
    fn drop(&mut self) {
        self.0.waiting().is_lost = true;
    }
}

impl Outbox {
    fn put_reply(&self, reply: Reply) {
        let mut waiting = self.waiting();
        if waiting.replies.len() >= REPLIES_MAX {
            drop(waiting);
            tracing::warn!("the network takes nothing: a message is dropped");
            return;
        }
        waiting.replies.push_back(reply);
        drop(waiting);
        self.more.notify_one();
    }

    /// Only the newest sample of a channel waits.
    fn put_sample(&self, channel: Channel, payload: Vec<u8>) {
        let mut waiting = self.waiting();
        match waiting.samples.iter_mut().find(|(other, _)| *other == channel) {
            Some((_, earlier)) => *earlier = payload,
            None => waiting.samples.push_back((channel, payload)),
        }
        drop(waiting);
        self.more.notify_one();
    }

    /// The next message; waits for one. None once it is closed and empty.
    fn next(&self) -> Option<Outbound> {
        let is_idle =
            |waiting: &mut Waiting| !waiting.is_closed && waiting.replies.is_empty() && waiting.samples.is_empty();
        let waited = self.more.wait_while(self.waiting(), is_idle);
        let mut waiting = waited.unwrap_or_else(PoisonError::into_inner);
        // An acknowledgement of a stop does not wait behind measurements that a slow network has not taken.
        let reply = waiting.replies.pop_front().map(Outbound::Reply);
        reply.or_else(|| waiting.samples.pop_front().map(|(channel, payload)| Outbound::Sample(channel, payload)))
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn send(outbox: &Outbox, replies: Option<&ReplySender>, publishers: &BTreeMap<Channel, SamplePublisher>) {
    while let Some(outbound) = outbox.next() {
        let done = match outbound {
            Outbound::Reply(reply) => replies.map_or(Ok(()), |replies| replies.put(&reply)),
            Outbound::Sample(channel, payload) => {
                publishers.get(&channel).map_or(Ok(()), |publisher| publisher.put(payload))
            }
        };
        if let Err(error) = done {
            tracing::warn!(%error, "not published");
        }
    }
}

/// Starts the deciding thread and the one that watches it. The answer comes when the robot was stopped and the gate
/// may end; the folder is held until then.
pub fn decide<A: Adapter + 'static>(
    mut runner: GateRunner<A>,
    folder: StateFolder,
    inbox: Arc<Inbox>,
    sender: Sender,
    shared: Arc<Shared>,
) -> std::io::Result<oneshot::Receiver<()>> {
    // Opening the adapter may have taken longer than the time after which a thread counts as hung.
    shared.tick();
    let stops = runner.adapter().stop_sender();
    let (watched, by) = (Arc::clone(&shared), Arc::clone(&stops));
    std::thread::Builder::new().name("watch".to_owned()).spawn(move || watch(&watched, &*by))?;
    let (ended, end) = oneshot::channel();
    std::thread::Builder::new().name("decide".to_owned()).spawn(move || {
        if crashes(|| run(&mut runner, &inbox, &sender, &shared), &*stops) {
            // The panic may have left anything half done: the adapter ends with the process.
            std::process::exit(CRASHED);
        }
        // The adapter ends before the answer: its program hears the end of its input.
        drop(runner);
        drop(folder);
        let _ = ended.send(());
    })?;
    Ok(end)
}

fn run<A: Adapter>(runner: &mut GateRunner<A>, inbox: &Inbox, sender: &Sender, shared: &Shared) {
    let mut tick_at = shared.now();
    let mut ending: Option<Instant> = None;
    loop {
        // There is no message once the tick is due, so that no flood of them puts the tick off.
        if let Some(message) = inbox.next(tick_at) {
            sender.put_replies(runner.hear(&message, shared.now()));
            continue;
        }
        let now = shared.now();
        shared.tick();
        for fault in shared.faults() {
            sender.put_replies(runner.fail(fault, now));
        }
        // A gate that cannot answer is no gate: it stops the robot and ends, and is started again.
        if ending.is_none() && (sender.is_lost() || shared.ending.load(Ordering::Acquire)) {
            ending = Some(now);
            sender.put_replies(runner.fail(GateFault::Ending, now));
        }
        sender.put_replies(runner.tick(now));
        sender.put_samples(runner.samples());
        if ending.is_some_and(|since| may_end(runner, now.since(since))) {
            return;
        }
        // Counted from now, so that a late tick is not followed by a burst of them.
        tick_at = shared.now().plus(TICK);
    }
}

/// True once the robot stands and nothing that was sent to it can set it in motion again, or once it has had its time.
fn may_end<A: Adapter>(runner: &GateRunner<A>, took: Duration) -> bool {
    let stands = !runner.is_stopping() || took >= END_WITHIN;
    stands && (runner.is_settled() || took >= SETTLE_WITHIN)
}

/// Stops the robot if the deciding thread hangs.
fn watch(shared: &Shared, stops: &dyn StopSender) {
    let signs = LifeSigns::of_environment();
    signs.is_ready();
    let mut stopped = Duration::ZERO;
    loop {
        std::thread::sleep(TICK);
        let silence = shared.silence();
        if silence < HANGS_AFTER {
            // Only a deciding thread that ticks keeps the watchdog of systemd quiet.
            signs.is_alive();
            stopped = Duration::ZERO;
            continue;
        }
        stops.send();
        stopped += TICK;
        // The stop has left by then: a thread that hangs may never read this mark.
        shared.overdue.store(true, Ordering::Release);
        // Counted in stops as well: after a computer that slept everything is silent for long, and a stop that is only
        // queued would end with the program.
        if silence >= LOST_AFTER && stopped >= END_WITHIN {
            // On a thread of its own: standard error may be a pipe that nobody reads, which the end must not wait for.
            // Without one the gate ends without a word.
            let _ = std::thread::Builder::new()
                .name("farewell".to_owned())
                .spawn(|| tracing::error!("the deciding thread hangs: the gate ends"));
            std::thread::sleep(TICK);
            std::process::exit(CRASHED);
        }
    }
}

/// Runs; true if that panics. Then nobody measures any more, so the stop is repeated for as long as a robot is given to
/// stand.
fn crashes(run: impl FnOnce(), stops: &dyn StopSender) -> bool {
    // Unwinding is safe to catch because the stop sender alone is used afterwards.
    if catch_unwind(AssertUnwindSafe(run)).is_ok() {
        return false;
    }
    let mut sent = Duration::ZERO;
    while sent < END_WITHIN {
        stops.send();
        std::thread::sleep(TICK);
        sent += TICK;
    }
    true
}

/// Starts the thread of a gate that only watches.
pub fn observe(
    mut watcher: impl Watcher + 'static,
    sender: Sender,
    shared: Arc<Shared>,
) -> std::io::Result<oneshot::Receiver<()>> {
    let (ended, end) = oneshot::channel();
    std::thread::Builder::new().name("observe".to_owned()).spawn(move || {
        let mut sources = Sources::default();
        let signs = LifeSigns::of_environment();
        signs.is_ready();
        // A gate whose samples do not leave any more is no gate: it ends, and is started again.
        while !shared.ending.load(Ordering::Acquire) && !sender.is_lost() {
            let events = watcher.poll(shared.now());
            // They are told and not acted on: a gate that only watches has no means of stopping.
            for fault in events.faults {
                tracing::error!("{}", fault.clause());
            }
            events.readings.into_iter().for_each(|reading| sources.note(reading));
            sender.put_samples(sources.samples((shared.clock)()));
            signs.is_alive();
            std::thread::sleep(TICK);
        }
        drop(watcher);
        let _ = ended.send(());
    })?;
    Ok(end)
}

#[cfg(test)]
mod tests {
    use bridge::envelope::{Ack, Status, Subject};

    use super::*;

    #[derive(Default)]
    struct Counted(AtomicU64);

    impl StopSender for Counted {
        fn send(&self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn rg_10_a_deciding_thread_that_crashes_sends_the_stop_without_its_adapter_until_a_robot_can_stand() {
        let stops = Counted::default();
        assert!(!crashes(|| (), &stops));
        assert_eq!(stops.0.load(Ordering::SeqCst), 0);
        let at_once = std::cell::Cell::new(0);
        assert!(crashes(
            || {
                at_once.set(1);
                panic!("asked for")
            },
            &stops
        ));
        assert_eq!((at_once.get(), stops.0.load(Ordering::SeqCst)), (1, 75));
    }

    #[test]
    fn rg_10_a_sender_whose_thread_is_gone_is_noticed_and_one_that_is_busy_is_not() {
        let sender = Sender(Arc::default());
        let mark = LostMark(Arc::clone(&sender.0));
        (0..1_000).for_each(|_| sender.0.put_reply(reply()));
        assert!(!sender.is_lost());
        drop(mark);
        assert!(sender.is_lost());
    }

    #[test]
    fn rg_12_an_acknowledgement_does_not_wait_behind_the_samples_of_a_slow_network() {
        let sender = Sender(Arc::default());
        let mode = || Channel::Extra("mode".to_owned());
        for n in 0..1_000_u32 {
            sender.put_samples(vec![(mode(), n.to_le_bytes().to_vec())]);
        }
        sender.put_replies(vec![reply()]);
        let outbox = Arc::clone(&sender.0);
        drop(sender);
        assert_eq!(outbox.next(), Some(Outbound::Reply(reply())));
        assert_eq!(outbox.next(), Some(Outbound::Sample(mode(), 999_u32.to_le_bytes().to_vec())), "the newest");
        assert_eq!(outbox.next(), None);
    }

    fn reply() -> Reply {
        Reply::Ack(Ack {
            robot: "rover-9".parse().unwrap(),
            subject: Subject::Unreadable { key_expr: String::new() },
            status: Status::Received,
            claimed_by: None,
            speed_mps: None,
            standstill: false,
        })
    }

    #[test]
    fn rg_10_a_panic_of_any_thread_and_a_late_tick_are_faults_once() {
        let shared = Shared::new(crate::host::clock());
        shared.crashed.store(true, Ordering::Release);
        shared.overdue.store(true, Ordering::Release);
        assert_eq!(shared.faults().collect::<Vec<_>>(), [GateFault::Crashed, GateFault::Late]);
        assert_eq!(shared.faults().count(), 0);
    }
}
