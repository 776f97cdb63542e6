mod again;

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Condvar, Mutex};

use robot::Now;
use serde_json::{Value, json};

use super::*;
use crate::tests::{Bench, Said, Sent};

/// Anything that a thread does is done within this time.
const DEADLINE: Duration = Duration::from_secs(20);

/// Lines that the gate has written, as they come.
#[derive(Default)]
struct Written {
    bytes: Mutex<Vec<u8>>,
    more: Condvar,
}

struct Pen(Arc<Written>);

impl Write for Pen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.bytes.lock().unwrap().extend_from_slice(bytes);
        self.0.more.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Written {
    /// The lines before the first that `ends`, which must come.
    fn until(&self, ends: impl Fn(&Value) -> bool) -> Vec<Value> {
        let bytes = self.bytes.lock().unwrap();
        let position = |bytes: &[u8]| {
            let mut at = 0;
            for line in bytes.split_inclusive(|byte| *byte == b'\n') {
                at += line.len();
                if line.ends_with(b"\n") && ends(&serde_json::from_slice(line).unwrap()) {
                    return Some(at);
                }
            }
            None
        };
        let (mut bytes, waited) =
            self.more.wait_timeout_while(bytes, DEADLINE, |bytes| position(bytes).is_none()).unwrap();
        assert!(!waited.timed_out(), "{}", String::from_utf8_lossy(&bytes));
        let at = position(&bytes).unwrap();
        let rest = bytes.split_off(at);
        let taken = std::mem::replace(&mut *bytes, rest);
        taken.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
    }
}

/// The output of a program that the test plays. It ends with its sender.
struct Mouth {
    said: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Mouth {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.said.recv().unwrap_or_default();
        }
        assert_ne!(self.rest, b"panic", "asked for");
        let count = into.len().min(self.rest.len());
        into[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

/// The robot's end of the adapter `exec`.
pub struct ExecBench {
    written: Arc<Written>,
    mouth: SyncSender<Vec<u8>>,
    barrier: u64,
}

fn wiring() -> ExecWiring {
    ExecWiring { command: Vec::new(), forward: Vec::new(), base_timeout_ms: None, written: Vec::new() }
}

fn open(clock: &ClockFn) -> (ExecBench, ExecAdapter) {
    let (written, (mouth, said)) = (Arc::<Written>::default(), sync_channel(4_096));
    let program = Program::over(Mouth { said, rest: Vec::new() }, Pen(Arc::clone(&written)));
    let adapter = ExecAdapter::open(program, wiring(), "map".parse().unwrap(), clock).unwrap();
    (ExecBench { written, mouth, barrier: 0 }, adapter)
}

impl ExecBench {
    fn line(&self, line: &str) {
        self.mouth.send(format!("{line}\n").into_bytes()).unwrap();
    }

    /// Every line that was asked for: a tick is written after everything else.
    fn lines(&mut self, adapter: &ExecAdapter) -> Vec<Value> {
        self.barrier += 1;
        let barrier = 1_000_000 + self.barrier;
        adapter.watcher.ticks.tick_as(barrier);
        let mut lines = self.written.until(|line| line["tick"] == barrier);
        lines.retain(|line| line.get("tick").is_none());
        lines
    }
}

impl Bench for ExecBench {
    type Adapter = ExecAdapter;
    const REFRESHES: bool = false;

    fn open(clock: &ClockFn) -> (Self, ExecAdapter) {
        open(clock)
    }

    fn say(&mut self, adapter: &mut ExecAdapter, said: Vec<Said>) {
        let mut lines = 0;
        for said in said {
            let told = match said {
                Said::State { stamp_ms, x_m, speed_mps } => vec![
                    json!({ "pose": { "stamp_ms": stamp_ms, "frame": "map", "position_m": [x_m, 0.0, 0.0] } }),
                    json!({ "velocity": { "stamp_ms": stamp_ms, "linear_mps": [speed_mps, 0.0, 0.0], "angular_radps": [0.0, 0.0, 0.0] } }),
                ],
                Said::Ack(number) => vec![json!({ "ack": number })],
                Said::Failed(number) => vec![json!({ "failed": number })],
                Said::Foreign(name) => vec![json!({ "foreign": name })],
            };
            lines += told.len();
            told.iter().for_each(|line| self.line(&line.to_string()));
        }
        until(|| adapter.watcher.heard.waiting() >= lines);
    }

    fn sent(&mut self, adapter: &mut ExecAdapter) -> Vec<Sent> {
        let sent = self.lines(adapter).into_iter().map(|line| match (&line["move"], line["stop"].as_u64()) {
            (_, Some(number)) => Sent::Stop(number),
            (begun, None) => {
                let motion: robot::Motion = serde_json::from_value(begun["motion"].clone()).unwrap();
                Sent::Move { number: begun["id"].as_u64().unwrap(), speed_mps: crate::tests::speed_of(&motion) }
            }
        });
        sent.collect()
    }
}

fn until(mut holds: impl FnMut() -> bool) {
    let began = crate::host::clock()().station;
    while !holds() {
        assert!(crate::host::clock()().station.since(began) < DEADLINE, "it never came");
        std::thread::yield_now();
    }
}

fn at(ms: u64) -> Instant {
    Instant::from_millis(ms)
}

/// A clock that shows one time.
fn stopped() -> ClockFn {
    Arc::new(|| Now { station: at(1_000), wall_ms: 0 })
}

/// The faults of a program that says this, once there are some.
fn faults_of(bytes: &[u8]) -> Vec<GateFault> {
    let (bench, mut adapter) = open(&stopped());
    bench.mouth.send(bytes.to_vec()).unwrap();
    let mut faults = Vec::new();
    until(|| {
        faults.extend(adapter.poll(at(1_000)).faults);
        !faults.is_empty()
    });
    faults
}

#[test]
fn rg_52_a_line_that_cannot_be_read_is_a_fault() {
    assert_eq!(faults_of(b"hello\n"), [GateFault::Unreadable]);
    assert_eq!(faults_of(b"\xff\xfe\n"), [GateFault::Unreadable]);
    let pose_elsewhere = br#"{"pose":{"stamp_ms":1,"frame":"odom","position_m":[0,0,0]}}"#;
    assert_eq!(faults_of(&[pose_elsewhere, &b"\n"[..]].concat()), [GateFault::Unreadable]);
}

#[test]
fn rg_05_rg_52_a_line_of_more_than_a_mebibyte_is_a_fault_and_is_not_kept() {
    let long = vec![b'x'; crate::adapters::bounds::BYTES_MAX + 1];
    assert_eq!(faults_of(&long), [GateFault::Unreadable]);
}

#[test]
fn rg_52_more_lines_than_are_read_are_a_fault() {
    let flood = b"{\"ack\":1}\n".repeat(2_000);
    assert_eq!(faults_of(&flood), [GateFault::Flood]);
}

#[test]
fn rg_52_the_end_of_the_program_is_a_fault() {
    let (ExecBench { mouth, .. }, mut adapter) = open(&stopped());
    drop(mouth);
    until(|| adapter.poll(at(1_000)).faults.contains(&GateFault::Ended));
}

#[test]
fn rg_10_rg_52_a_thread_of_the_adapter_that_crashes_is_a_fault() {
    assert_eq!(faults_of(b"panic"), [GateFault::Crashed]);
}

#[test]
fn rg_52_a_program_that_takes_nothing_is_a_fault_and_its_commands_are_refused() {
    struct Broken;
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (_mouth, said) = sync_channel(1);
    let program = Program::over(Mouth { said, rest: Vec::new() }, Broken);
    let mut adapter = ExecAdapter::open(program, wiring(), "map".parse().unwrap(), &stopped()).unwrap();
    until(|| adapter.poll(at(1_000)).faults.contains(&GateFault::NotTaken));
    assert_eq!(adapter.motion.begin(|_| unreachable!()), None);
}

#[test]
fn rg_52_half_a_second_without_a_line_is_a_fault_once() {
    let (mut bench, mut adapter) = open(&stopped());
    bench.say(&mut adapter, vec![Said::Ack(1)]);
    // A writer that was not scheduled meanwhile is a fault of its own.
    let mut silent = |ms| adapter.poll(at(ms)).faults.contains(&GateFault::Silent);
    assert_eq!([silent(1_000), silent(1_500), silent(1_501), silent(1_600)], [false, false, true, false]);
    assert!(!adapter.watcher.takes_motion(), "one that is silent begins nothing");
    let (_bench, mut never) = open(&stopped());
    let mut silent = |ms| never.poll(at(ms)).faults.contains(&GateFault::Silent);
    assert_eq!([silent(11_000), silent(11_001)], [false, true], "ten seconds to the first line");
}

#[test]
fn rg_52_a_tick_is_sent_ten_times_a_second() {
    let (_bench, mut adapter) = open(&stopped());
    for ms in (0..1_000).step_by(20) {
        adapter.poll(at(1_000 + ms));
    }
    assert_eq!(adapter.watcher.ticks.count(), 10);
}

#[test]
fn rg_37_a_gate_that_only_watches_writes_nothing_but_ticks() {
    let (written, (_mouth, said)) = (Arc::<Written>::default(), sync_channel(1));
    let program = Program::over(Mouth { said, rest: Vec::new() }, Pen(Arc::clone(&written)));
    let mut watcher = ExecWatcher::watch(program, wiring(), "map".parse().unwrap(), &stopped()).unwrap();
    for ms in (0..1_000).step_by(20) {
        watcher.poll(at(1_000 + ms));
    }
    watcher.ticks.tick_as(77);
    let lines = written.until(|line| line["tick"] == 77);
    assert!(lines.iter().all(|line| line.get("tick").is_some()), "{lines:?}");
}

#[test]
fn rg_10_a_stop_takes_the_place_of_every_motion_that_waits() {
    /// A pen that writes nothing until it may.
    struct Held(Arc<(Mutex<bool>, Condvar)>, Pen);
    impl Write for Held {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let (may, told) = &*self.0;
            drop(told.wait_while(may.lock().unwrap(), |may| !*may).unwrap());
            self.1.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (written, gate) = (Arc::<Written>::default(), Arc::new((Mutex::new(false), Condvar::new())));
    let (_mouth, said) = sync_channel(1);
    let program = Program::over(Mouth { said, rest: Vec::new() }, Held(Arc::clone(&gate), Pen(Arc::clone(&written))));
    let mut adapter = ExecAdapter::open(program, wiring(), "map".parse().unwrap(), &stopped()).unwrap();
    adapter.watcher.mute = true;
    // The writer is busy with a tick that nobody reads.
    adapter.watcher.ticks.tick();
    until(|| adapter.watcher.ticks.is_taken());
    let faults = |adapter: &mut ExecAdapter, ms| adapter.poll(at(ms)).faults;
    assert_eq!((faults(&mut adapter, 1_500), adapter.watcher.takes_motion()), (Vec::new(), true));
    assert_eq!((faults(&mut adapter, 1_501), adapter.watcher.takes_motion()), (vec![GateFault::NotTaken], false));
    assert_eq!(faults(&mut adapter, 1_520), [], "it was said");
    for _ in 0..3 {
        adapter.motion.begin(|id| json!({ "move": { "id": id } }).to_string()).unwrap();
    }
    adapter.stop_sender().send();
    adapter.watcher.ticks.tick_as(77);
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
    let lines = written.until(|line| line["tick"] == 77);
    assert_eq!(lines, [json!({ "tick": 1 }), json!({ "stop": 4 }), json!({ "tick": 77 })]);
}
