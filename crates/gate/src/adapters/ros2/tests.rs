pub mod goals;
mod monitors;
mod relay;
mod trial;

use std::sync::atomic::AtomicU16;

use robot::Now;
use ros2_client::dds::rustdds::DomainParticipantBuilder;
use ros2_client::{
    Context, Message, MessageTypeName, Name, Node, NodeName, NodeOptions, Publisher, RmwRequestId, Server,
    ServiceMapping, ServiceTypeName, Subscription,
};
use serde::{Deserialize, Serialize};

use super::domain::prompt;
use super::message::{Header, Quaternion, Time, TriggerRequest, TriggerResponse, Twist, TwistStamped, Vector3};
use super::*;
use crate::adapter::ReadingValue;
use crate::sources::UNREADABLE;
use crate::tests::{Bench, Said, Sent};

/// Anything that goes over the network is there within this time.
const DEADLINE: Duration = Duration::from_secs(30);

/// `nav_msgs/Odometry` with all its fields.
#[derive(Serialize, Deserialize)]
struct WholeOdometry {
    header: Header,
    child_frame_id: String,
    position: Vector3,
    orientation: Quaternion,
    covariance: ([f64; 32], [f64; 4]),
    twist: Twist,
    twist_covariance: ([f64; 32], [f64; 4]),
}

impl Message for WholeOdometry {}

/// A robot of ROS 2 with the middleware of the same library, alone in its namespace.
pub struct Ros2Bench {
    wiring: Ros2Wiring,
    odometry: Publisher<WholeOdometry>,
    commands: Subscription<TwistStamped>,
    stop: Server<TriggerRequest, TriggerResponse>,
    requests: Vec<RmwRequestId>,
    has_answered: bool,
    joystick: Option<(Node, Publisher<TwistStamped>)>,
    received: u64,
    number: u64,
    was: Option<bool>,
    node: Node,
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = crate::host::clock()().station;
    while !holds() {
        assert!(crate::host::clock()().station.since(began) < DEADLINE, "it never came: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A namespace and a domain for one test: others run beside it.
fn place() -> (String, u16) {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let number = NEXT.fetch_add(1, Ordering::SeqCst);
    (format!("/t{}n{number}", std::process::id()), 40 + number % 60)
}

fn wiring(namespace: &str, domain: u16) -> Ros2Wiring {
    let text = format!(
        "transport = \"dds\"\ndomain = {domain}\nnamespace = {namespace:?}\npose = {{ odom = \"odom\" }}\nvelocity = \"odom\"\n\
         cmd_vel = {{ topic = \"cmd_vel\" }}\nstop_service = [\"stop\"]\nforward = [\"mode\"]\n"
    );
    toml::from_str(&text).unwrap()
}

fn node(domain: u16, namespace: &str, name: &str) -> Node {
    let participant = DomainParticipantBuilder::new(domain).build().unwrap();
    let context = Context::from_domain_participant(participant).unwrap();
    let options = NodeOptions::new().enable_rosout(false).start_parameter_services(false);
    context.new_node(NodeName::new(namespace, name).unwrap(), options).unwrap()
}

fn publisher<M: Serialize>(node: &mut Node, topic: &str, message: (&str, &str)) -> Publisher<M> {
    let name = MessageTypeName::new(message.0, message.1);
    let topic = node.create_topic(&Name::parse(topic).unwrap(), name, &prompt(64)).unwrap();
    node.create_publisher(&topic, None).unwrap()
}

impl Ros2Bench {
    fn of(wiring: Ros2Wiring) -> Self {
        let mut node = node(wiring.domain, &wiring.namespace, "robot");
        let odometry = publisher(&mut node, &wiring.absolute("odom"), ("nav_msgs", "Odometry"));
        let stamped = MessageTypeName::new("geometry_msgs", "TwistStamped");
        let topic = node.create_topic(&Name::parse(&wiring.absolute("cmd_vel")).unwrap(), stamped, &prompt(64));
        let commands = node.create_subscription(&topic.unwrap(), None).unwrap();
        let (name, trigger) = (wiring.absolute("stop"), ServiceTypeName::new("std_srvs", "Trigger"));
        let name = Name::parse(&name).unwrap();
        let stop = node.create_server(ServiceMapping::Enhanced, &name, &trigger, prompt(64), prompt(64)).unwrap();
        let requests = Vec::new();
        Self {
            wiring,
            odometry,
            commands,
            stop,
            requests,
            has_answered: false,
            joystick: None,
            received: 0,
            number: 0,
            was: None,
            node,
        }
    }

    fn state(&self, stamp_ms: f64, x_m: f64, speed_mps: f64) {
        let ms = stamp_ms as i64;
        let stamp = Time { sec: (ms / 1_000) as i32, nanosec: (ms % 1_000 * 1_000_000) as u32 };
        let message = WholeOdometry {
            header: Header { stamp, frame_id: "map".to_owned() },
            child_frame_id: "base_link".to_owned(),
            position: [x_m, 0.0, 0.0].into(),
            orientation: Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 },
            covariance: ([0.0; 32], [0.0; 4]),
            twist: Twist { linear: [speed_mps, 0.0, 0.0].into(), ..Twist::default() },
            twist_covariance: ([0.0; 32], [0.0; 4]),
        };
        assert!(self.odometry.publish(message).is_ok());
    }

    /// The robot answers everything that was asked of it.
    fn answer(&mut self, adapter: &Ros2Adapter, success: bool) {
        if !adapter.outbox.is_calling() {
            return;
        }
        // A refused request comes again when time has passed, which it does not while this waits.
        let is_first = !std::mem::replace(&mut self.has_answered, true);
        until("a request", || {
            while let Ok(Some((id, _))) = self.stop.receive_request() {
                self.requests.push(id);
            }
            !self.requests.is_empty() || !is_first
        });
        if self.requests.is_empty() {
            return;
        }
        for id in self.requests.drain(..) {
            assert!(self.stop.send_response(id, TriggerResponse { success, message: String::new() }).is_ok());
        }
        let heard = &adapter.watcher.heard;
        until("its answer", || !adapter.outbox.is_calling() || heard.look(|heard| !heard.faults.is_empty()));
    }

    fn foreign(&mut self, adapter: &Ros2Adapter, name: Option<&str>) {
        self.joystick = name.map(|name| {
            let mut node = node(self.wiring.domain, &self.wiring.namespace, name);
            let commands = publisher(&mut node, &self.wiring.absolute("cmd_vel"), ("geometry_msgs", "TwistStamped"));
            (node, commands)
        });
        let seen = |seen: Option<&str>| match name {
            Some(name) => seen.is_some_and(|seen| seen.ends_with(name)),
            None => seen.is_none(),
        };
        until("the graph", || adapter.watcher.heard.look(|heard| seen(heard.foreign.as_deref())));
    }
}

impl Bench for Ros2Bench {
    type Adapter = Ros2Adapter;
    const REFRESHES: bool = true;
    const GOES_TO_GOALS: bool = false;
    const HOLD_IS_ANSWERED: bool = false;
    const LINGERS_STEPS: u64 = 51;

    fn open(clock: &ClockFn) -> (Self, Ros2Adapter) {
        let (namespace, domain) = place();
        let bench = Self::of(wiring(&namespace, domain));
        let adapter = Ros2Adapter::open(&bench.wiring, base(), clock).unwrap();
        let heard = &adapter.watcher.heard;
        until("a robot that can be driven", || heard.look(inbound::Received::can_be_driven));
        let (stop, mut stamp_ms) = (dds_requests(&bench.wiring.absolute("stop")), 0.0);
        until("its service", || heard.graph().is_served(&stop));
        until("its odometry", || {
            stamp_ms += 1.0;
            bench.state(stamp_ms, 0.0, 0.0);
            heard.look(|heard| !heard.readings.is_empty())
        });
        (bench, adapter)
    }

    fn say(&mut self, adapter: &mut Ros2Adapter, said: Vec<Said>) {
        let heard = Arc::clone(&adapter.watcher.heard);
        for said in said {
            match said {
                Said::State { stamp_ms, x_m, speed_mps } => {
                    self.state(stamp_ms, x_m, speed_mps);
                    until("a measurement", || heard.look(|heard| heard.has(stamp_ms)));
                }
                Said::Ack(_) => self.answer(adapter, true),
                Said::Failed(_) => self.answer(adapter, false),
                Said::Foreign(name) => self.foreign(adapter, name.as_deref()),
            }
        }
    }

    fn sent(&mut self, adapter: &mut Ros2Adapter) -> Vec<Sent> {
        until("the sending thread", || adapter.outbox.is_idle());
        let mut sent = Vec::new();
        until("what was sent", || {
            while let Ok(Some((command, _))) = self.commands.take() {
                self.received += 1;
                let is_stop = command.twist == Twist::default();
                let is_new = self.was.replace(is_stop) != Some(is_stop);
                self.number += u64::from(is_new);
                sent.push(match (is_stop, is_new) {
                    (true, _) => Sent::Stop(self.number),
                    (false, true) => Sent::Move { number: self.number, speed_mps: command.twist.linear.x },
                    (false, false) => Sent::SetPoint,
                });
            }
            self.received >= adapter.outbox.handed_out()
        });
        sent
    }
}

/// A robot that has no arm.
pub fn base() -> Robot {
    Robot {
        frame: "map".parse().unwrap(),
        speed_mps_max: 0.5,
        standstill_mps: 0.02,
        base: Some("base".parse().unwrap()),
        arm: None,
    }
}

fn clock() -> ClockFn {
    crate::host::clock()
}

#[test]
fn rg_05_rg_06_a_message_that_cannot_be_read_is_named_and_a_forwarded_topic_becomes_a_document() {
    let (mut bench, mut adapter) = Ros2Bench::open(&clock());
    let topic = bench.wiring.absolute("mode");
    let mode = publisher::<String>(&mut bench.node, &topic, ("std_msgs", "String"));
    let mut extras = std::collections::BTreeMap::new();
    let mut say = |bench: &Ros2Bench, adapter: &mut Ros2Adapter, name: &str| {
        until(name, || {
            assert!(mode.publish("auto".to_owned()).is_ok());
            bench.state(f64::from(u32::MAX), f64::NAN, 0.0);
            for reading in adapter.poll(clock()().station).readings {
                if let ReadingValue::Extra(name, value) = reading.value {
                    extras.insert(name, value);
                }
            }
            extras.contains_key(name)
        });
        extras[name].clone()
    };
    assert_eq!(say(&bench, &mut adapter, "mode"), serde_json::json!({ "data": "auto" }));
    let unreadable = say(&bench, &mut adapter, UNREADABLE);
    assert_eq!(unreadable[bench.wiring.absolute("odom")]["reason"], "a position is not finite");
}

#[test]
fn rg_37_a_gate_that_only_watches_publishes_nothing() {
    let (namespace, domain) = place();
    let bench = Ros2Bench::of(wiring(&namespace, domain));
    let mut watcher = Ros2Watcher::watch(&bench.wiring, "map".parse().unwrap(), &clock()).unwrap();
    let looks_for = dds_topic(&bench.wiring.absolute("cmd_vel"));
    let mut stamp_ms = 0.0;
    until("a measurement", || {
        stamp_ms += 1.0;
        bench.state(stamp_ms, 0.0, 0.0);
        !watcher.poll(clock()().station).readings.is_empty()
    });
    let onlooker = Ros2Watcher::watch(&bench.wiring, "map".parse().unwrap(), &clock()).unwrap();
    until("the graph", || onlooker.graph().published(&dds_topic(&bench.wiring.absolute("odom"))).is_some());
    assert_eq!(onlooker.graph().published(&looks_for), None);
}

#[test]
fn rg_10_a_robot_that_has_measured_its_speed_and_falls_silent_is_a_fault_once() {
    let ms = Arc::new(std::sync::atomic::AtomicU64::new(1_000));
    let shown = Arc::clone(&ms);
    let clock: ClockFn =
        Arc::new(move || Now { station: Instant::from_millis(shown.load(Ordering::SeqCst)), wall_ms: 0 });
    let (_bench, mut adapter) = Ros2Bench::open(&clock);
    let mut silent = |at_ms| {
        ms.store(at_ms, Ordering::SeqCst);
        adapter.poll(Instant::from_millis(at_ms)).faults == [GateFault::Silent]
    };
    assert_eq!([silent(1_000), silent(2_000), silent(2_001), silent(2_100)], [false, false, true, false]);
}

#[test]
fn rg_28_the_last_word_of_a_driver_that_is_gone_does_not_say_that_it_takes_goals() {
    let (namespace, domain) = place();
    let mut ready = wiring(&namespace, domain);
    ready.ready = Some(wiring::Ready { topic: "ready".to_owned() });
    let name = ready.absolute("ready");
    let watcher = Ros2Watcher::watch(&ready, "map".parse().unwrap(), &clock()).unwrap();
    let mut driver = node(domain, &namespace, "driver");
    let flag = MessageTypeName::new("std_msgs", "Bool");
    let topic = driver.create_topic(&Name::parse(&name).unwrap(), flag, &domain::durable()).unwrap();
    let word: Publisher<message::Flag> = driver.create_publisher(&topic, Some(domain::durable())).unwrap();
    assert!(word.publish(message::Flag { data: true }).is_ok());
    until("its word", || watcher.heard.look(|heard| heard.ready == Some(true)));
    drop((word, topic, driver));
    until("its end", || watcher.heard.look(|heard| heard.ready.is_none()));
}

#[test]
fn rg_26_the_lock_of_a_mux_is_held_from_the_start() {
    let (namespace, domain) = place();
    let mut locked = wiring(&namespace, domain);
    locked.cmd_vel.as_mut().unwrap().lock = Some("lock".to_owned());
    let mut bench = Ros2Bench::of(locked);
    let (name, flag) = (bench.wiring.absolute("lock"), MessageTypeName::new("std_msgs", "Bool"));
    let topic = bench.node.create_topic(&Name::parse(&name).unwrap(), flag, &prompt(64)).unwrap();
    let locks: Subscription<message::Flag> = bench.node.create_subscription(&topic, None).unwrap();
    let mut adapter = Ros2Adapter::open(&bench.wiring, base(), &clock()).unwrap();
    let mut heard = Vec::new();
    until("the lock", || {
        adapter.poll(clock()().station);
        heard.extend(locks.take().ok().flatten().map(|(lock, _)| lock.data));
        heard.len() >= 3
    });
    assert_eq!(heard[..3], [true; 3]);
}
