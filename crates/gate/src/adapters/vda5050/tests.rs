use std::collections::VecDeque;

use bridge::envelope::Status;
use robot::Now;
use serde_json::{Value, json};

use super::hearing::Inbound;
use super::*;
use crate::adapter::ReadingValue;
use crate::sources::UNREADABLE;
use crate::tests::{Behaviour, Bench, Said, Sent, Stage, goal_at};

const ROOT: &str = "uagv/v2/ACME/rover-9";

/// A vehicle of VDA 5050 without its broker.
pub struct Vda5050Bench {
    clock: ClockFn,
    /// Ids of the pauses, by their numbers.
    pauses: VecDeque<(u64, String)>,
    answered: Vec<(String, &'static str)>,
    number: u64,
    order: String,
    update: u64,
    last: u64,
    goal: u64,
    paused: bool,
    /// It does not say that it is paused.
    hides_pause: bool,
    foreign: Option<String>,
}

fn wiring() -> Vda5050Wiring {
    let text = "broker = \"mqtt://127.0.0.1\"\ninterface = \"uagv\"\nmanufacturer = \"ACME\"\nserial = \"rover-9\"\n";
    toml::from_str(text).unwrap()
}

fn manifest() -> Manifest {
    Manifest::parse(include_str!("../../../examples/rover-9.toml"), "rover-9").unwrap()
}

fn connection(heard: &Inbound, state: &str) {
    let message = json!({ "version": "2.0.0", "connectionState": state }).to_string();
    heard.message(&format!("{ROOT}/connection"), message.as_bytes(), Instant::default());
}

impl Vda5050Bench {
    fn state(&self, stamp_ms: f64, x_m: f64, speed_mps: f64) -> Value {
        let stamp = jiff::Timestamp::from_millisecond(stamp_ms as i64).unwrap();
        let is_left = self.last < self.goal || self.foreign.is_some();
        let left = if is_left { vec![json!({ "nodeId": "n", "sequenceId": 2, "released": true })] } else { Vec::new() };
        let actions = self.answered.iter().map(|(id, status)| json!({ "actionId": id, "actionStatus": status }));
        json!({ "timestamp": format!("{stamp:.3}"), "version": "2.0.0", "orderId": self.foreign.as_ref().unwrap_or(&self.order),
            "orderUpdateId": self.update, "lastNodeSequenceId": self.last, "nodeStates": left, "edgeStates": [], "driving": is_left && speed_mps > 0.0,
            "paused": (!self.hides_pause).then_some(self.paused), "operatingMode": "AUTOMATIC", "actionStates": actions.collect::<Vec<_>>(), "errors": [],
            "agvPosition": { "x": x_m, "y": 0.0, "theta": 0.0, "mapId": "map", "positionInitialized": true },
            "velocity": { "vx": speed_mps }, "batteryState": { "batteryCharge": 80 },
            "safetyState": { "eStop": "NONE", "fieldViolation": false } })
    }

    fn tell(&self, adapter: &Vda5050Adapter, state: &Value) {
        let arrived = (self.clock)().station;
        adapter.watcher.heard.message(&format!("{ROOT}/state"), state.to_string().as_bytes(), arrived);
    }

    fn answer(&mut self, number: u64, status: &'static str) {
        let asked: Vec<String> =
            self.pauses.iter().filter(|(asked, _)| *asked == number).map(|(_, id)| id.clone()).collect();
        self.paused |= status == "FINISHED" && !asked.is_empty();
        self.answered.extend(asked.into_iter().map(|id| (id, status)));
    }

    fn hear(&mut self, body: &Value, is_stop: bool) -> Option<Sent> {
        for action in body["actions"].as_array().into_iter().flatten() {
            match action["actionType"].as_str().unwrap() {
                "cancelOrder" => self.goal = self.last,
                "stopPause" => {
                    self.paused = false;
                    self.answered.push((action["actionId"].as_str().unwrap().to_owned(), "FINISHED"));
                }
                _ => {}
            }
        }
        if is_stop {
            let id = body["actions"][0]["actionId"].as_str().unwrap().to_owned();
            if self.pauses.back().is_none_or(|(_, known)| *known != id) {
                self.number += 1;
                self.pauses.push_back((self.number, id));
            }
            return Some(Sent::Stop(self.number));
        }
        let order = body["orderId"].as_str()?;
        self.update = body["orderUpdateId"].as_u64().unwrap();
        self.goal = body["nodes"].as_array().unwrap().last().unwrap()["sequenceId"].as_u64().unwrap();
        if order == self.order {
            return Some(Sent::SetPoint);
        }
        (self.order, self.last) = (order.to_owned(), 0);
        self.number += 1;
        Some(Sent::Move { number: self.number, speed_mps: body["edges"][0]["maxSpeed"].as_f64().unwrap() })
    }
}

impl Bench for Vda5050Bench {
    type Adapter = Vda5050Adapter;
    const REFRESHES: bool = true;
    const TAKES_VELOCITIES: bool = false;

    fn open(clock: &ClockFn) -> (Self, Vda5050Adapter) {
        let (manifest, outbox) = (manifest(), Arc::<Outbox>::default());
        let heard = Arc::new(Inbound::new(&wiring(), manifest.default_frame.clone()));
        heard.connected();
        outbox.set_connected(true);
        connection(&heard, "ONLINE");
        let watcher = Vda5050Watcher::of(heard, &manifest, None);
        let bench = Self {
            clock: ClockFn::clone(clock),
            pauses: VecDeque::new(),
            answered: Vec::new(),
            number: 0,
            order: String::new(),
            update: 0,
            last: 0,
            goal: 0,
            paused: false,
            hides_pause: false,
            foreign: None,
        };
        (bench, Vda5050Adapter::of(watcher, outbox, &manifest, clock))
    }

    fn say(&mut self, adapter: &mut Vda5050Adapter, said: Vec<Said>) {
        for said in said {
            match said {
                Said::State { stamp_ms, x_m, speed_mps } => {
                    self.last = self.last.max(2 * x_m.floor() as u64).min(self.goal);
                    self.tell(adapter, &self.state(stamp_ms, x_m, speed_mps));
                }
                Said::Ack(number) => self.answer(number, "FINISHED"),
                Said::Failed(number) => self.answer(number, "FAILED"),
                Said::Foreign(name) => self.foreign = name,
            }
        }
    }

    fn sent(&mut self, adapter: &mut Vda5050Adapter) -> Vec<Sent> {
        let mut sent = Vec::new();
        while let Some(next) = adapter.outbox.take() {
            if let Some(number) = next.stop {
                adapter.outbox.has_left(number);
            }
            sent.extend(self.hear(&next.body, next.stop.is_some()));
        }
        sent
    }
}

fn clock() -> ClockFn {
    Arc::new(|| Now { station: Instant::from_millis(1_000), wall_ms: 0 })
}

fn at(ms: u64) -> Instant {
    Instant::from_millis(ms)
}

#[test]
fn rg_51_a_goal_is_done_when_the_vehicle_has_reached_the_last_node_of_its_order() {
    let mut stage = Stage::<Vda5050Bench>::armed(Behaviour::Obedient);
    assert_eq!(stage.command(goal_at(1.5, 0.4)), Some(Status::Running));
    stage.beats(300);
    assert_eq!(stage.last_status(), Some(Status::Done));
    let sent = stage.taken();
    assert!(matches!(sent[..], [Sent::Move { .. }] | [Sent::Move { .. }, Sent::SetPoint]), "{sent:?}");
}

#[test]
fn rg_51_a_goal_with_a_time_has_the_speed_that_it_was_judged_at() {
    let (position_m, duration_s) = (vec![1.5, 0.0, 0.0], Some(10.0));
    let goal = robot::RawPoseGoal { position_m, orientation: None, speed_mps: None, duration_s };
    let mut stage = Stage::<Vda5050Bench>::armed(Behaviour::Obedient);
    assert_eq!(stage.command(robot::RawMotion::PoseGoal(goal)), Some(Status::Running));
    stage.beats(1);
    let sent = stage.taken();
    assert!(matches!(sent[..], [Sent::Move { speed_mps, .. }] if (speed_mps - 0.3).abs() < 1e-6), "{sent:?}");
}

#[test]
fn rg_51_an_update_of_an_order_that_was_lost_on_its_way_is_sent_again() {
    let mut stage = Stage::<Vda5050Bench>::armed(Behaviour::Obedient);
    assert_eq!(stage.command(goal_at(4.0, 0.4)), Some(Status::Running));
    stage.beats(10);
    stage.taken();
    stage.adapter().outbox.set_connected(false);
    stage.beats(100);
    assert_eq!(stage.taken(), [], "it is 0.8 m ahead, and the next edge was released to nobody");
    stage.adapter().outbox.set_connected(true);
    stage.beats(90);
    assert_eq!(stage.taken(), [Sent::SetPoint]);
    stage.beats(400);
    assert_eq!(stage.last_status(), Some(Status::Done));
}

#[test]
fn rg_51_after_a_hold_the_old_order_is_given_up_before_the_pause_ends_and_the_next_begins() {
    let mut stage = Stage::<Vda5050Bench>::armed(Behaviour::Obedient);
    stage.command(goal_at(8.0, 0.4));
    stage.beats(10);
    stage.hold();
    stage.beats(50);
    assert_eq!(stage.robot_mps(), 0.0);
    stage.taken();
    assert_eq!(stage.command(goal_at(5.0, 0.3)), Some(Status::Running));
    assert_eq!(stage.taken(), [], "an order of before would go on without its pause");
    stage.beats(10);
    assert!(matches!(stage.taken()[..], [Sent::Move { speed_mps: 0.3, .. }]));
}

#[test]
fn rg_51_a_vehicle_that_does_not_say_that_it_is_paused_is_let_go_on_before_the_next_order() {
    let mut stage = Stage::<Vda5050Bench>::armed(Behaviour::Obedient);
    stage.bench().hides_pause = true;
    stage.command(goal_at(8.0, 0.4));
    stage.beats(10);
    assert!(matches!(stage.taken()[..], [Sent::Move { .. }]), "nothing has paused it");
    stage.hold();
    stage.beats(50);
    stage.taken();
    assert!(stage.bench().paused);
    assert_eq!(stage.command(goal_at(5.0, 0.3)), Some(Status::Running));
    stage.beats(10);
    assert!(matches!(stage.taken()[..], [Sent::Move { speed_mps: 0.3, .. }]));
    assert!(!stage.bench().paused);
}

#[test]
fn rg_51_a_vehicle_that_is_gone_and_a_lost_broker_are_faults_once() {
    let (_bench, mut adapter) = Vda5050Bench::open(&clock());
    connection(&adapter.watcher.heard, "CONNECTIONBROKEN");
    assert_eq!(adapter.poll(at(1_000)).faults, [GateFault::Unreachable]);
    assert_eq!(adapter.poll(at(1_020)).faults, []);
    adapter.watcher.heard.lost();
    assert_eq!(adapter.poll(at(1_040)).faults, [GateFault::Unreachable]);
    adapter.watcher.heard.lost();
    assert_eq!(adapter.poll(at(1_060)).faults, []);
}

#[test]
fn rg_10_rg_51_a_vehicle_that_drives_and_says_nothing_more_is_a_fault_once() {
    let (bench, mut adapter) = Vda5050Bench::open(&clock());
    let mut state = bench.state(1.0, 0.0, 0.2);
    state["driving"] = json!(true);
    bench.tell(&adapter, &state);
    let mut silent = |ms| adapter.poll(at(ms)).faults == [GateFault::Silent];
    assert_eq!([silent(2_000), silent(2_001), silent(2_100)], [false, true, false]);
}

#[test]
fn rg_05_rg_51_a_place_that_cannot_be_used_is_counted_and_named_and_changes_no_place() {
    let (bench, mut adapter) = Vda5050Bench::open(&clock());
    let heard = Arc::clone(&adapter.watcher.heard);
    bench.tell(&adapter, &bench.state(1.0, 3.0, 0.0));
    let known = heard.look(|heard| heard.place);
    let mut elsewhere = bench.state(2.0, 5.0, 0.0);
    elsewhere["agvPosition"]["mapId"] = json!("cellar");
    let mut lost = bench.state(3.0, 5.0, 0.0);
    lost["agvPosition"]["positionInitialized"] = json!(false);
    for state in [json!("hello"), elsewhere, lost, json!({})] {
        bench.tell(&adapter, &state);
    }
    let whole = bench.state(4.0, 5.0, 0.0).to_string();
    heard.message("uagv/v3/ACME/rover-9/state", whole.as_bytes(), at(1_000));
    assert_eq!(heard.look(|heard| heard.place), known);
    let mut extras = None;
    for reading in adapter.poll(at(1_000)).readings {
        if let ReadingValue::Extra(name, value) = reading.value
            && name == UNREADABLE
        {
            extras = Some(value);
        }
    }
    let extras = extras.unwrap();
    assert_eq!(extras[format!("{ROOT}/state")]["count"], 4);
    assert_eq!(extras["uagv/v3/ACME/rover-9/state"]["reason"], "the vehicle is known by another version");
}

#[test]
fn rg_51_a_vehicle_that_has_lost_its_place_still_says_who_has_control_of_it_and_what_has_failed() {
    let (bench, mut adapter) = Vda5050Bench::open(&clock());
    bench.tell(&adapter, &bench.state(1.0, 0.0, 0.0));
    assert_eq!(adapter.poll(at(1_000)).local, Some(false));
    let mut lost = bench.state(2.0, 0.0, 0.0);
    lost["agvPosition"]["positionInitialized"] = json!(false);
    lost["operatingMode"] = json!("MANUAL");
    lost["errors"] = json!([{ "errorType": "localizationError", "errorLevel": "FATAL" }]);
    bench.tell(&adapter, &lost);
    assert_eq!(adapter.watcher.poll(at(1_020)).local, Some(true));
    assert_eq!(adapter.watcher.errors.len(), 1);
}

#[test]
fn rg_51_a_state_that_is_overdue_is_a_fault_though_places_still_come() {
    let (bench, mut adapter) = Vda5050Bench::open(&clock());
    let state = bench.state(1.0, 0.0, 0.0);
    bench.tell(&adapter, &state);
    let place = json!({ "timestamp": "1970-01-01T00:00:36.000Z", "agvPosition": state["agvPosition"] }).to_string();
    let mut faults = |ms| {
        adapter.watcher.heard.message(&format!("{ROOT}/visualization"), place.as_bytes(), at(ms));
        adapter.poll(at(ms)).faults
    };
    assert_eq!(faults(36_000), []);
    assert_eq!(faults(36_001), [GateFault::Silent]);
    assert!(!adapter.watcher.heard.look(|heard| heard.is_there(at(36_001))), "nothing is begun either");
}

#[test]
fn rg_51_a_vehicle_that_turns_in_place_without_telling_its_rate_does_not_stand() {
    let (bench, mut adapter) = Vda5050Bench::open(&clock());
    for (stamp_ms, theta_rad) in [(0.0, 3.1), (10.0, 3.1), (100.0, -3.1)] {
        let mut state = bench.state(stamp_ms, 0.0, 0.0);
        state["agvPosition"]["theta"] = json!(theta_rad);
        bench.tell(&adapter, &state);
    }
    let turns: Vec<f64> = adapter
        .poll(at(1_000))
        .readings
        .into_iter()
        .filter_map(|reading| match reading.value {
            ReadingValue::Velocity(velocity) => Some(velocity.angular_radps[2]),
            ReadingValue::Pose(_) | ReadingValue::Joints(_) | ReadingValue::Force(_) | ReadingValue::Extra(..) => None,
        })
        .collect();
    let [turn_radps] = turns[..] else { panic!("one place tells no turn: {turns:?}") };
    assert!((turn_radps - 0.832).abs() < 0.01, "the short way round: {turn_radps}");
}

#[test]
fn rg_51_a_vehicle_whose_clock_was_set_back_is_not_said_to_turn_as_before() {
    let (bench, mut adapter) = Vda5050Bench::open(&clock());
    let mut turns = |stamp_ms: f64, theta_rad: f64| {
        let mut state = bench.state(stamp_ms, 0.0, 0.0);
        state["agvPosition"]["theta"] = json!(theta_rad);
        bench.tell(&adapter, &state);
        let readings = adapter.poll(at(1_000)).readings.into_iter();
        let rates = readings.filter_map(|reading| match reading.value {
            ReadingValue::Velocity(velocity) => Some(velocity.angular_radps[2]),
            ReadingValue::Pose(_) | ReadingValue::Joints(_) | ReadingValue::Force(_) | ReadingValue::Extra(..) => None,
        });
        rates.collect::<Vec<_>>()
    };
    turns(3_600_000.0, 0.0);
    assert_eq!(turns(3_600_100.0, 0.0), [0.0]);
    assert!(turns(100.0, 0.0).is_empty(), "nobody knows");
    let [rate_radps] = turns(200.0, 0.05)[..] else { panic!("it is known again") };
    assert!((rate_radps - 0.5).abs() < 1e-6, "{rate_radps}");
}

#[test]
fn rg_51_a_vehicle_that_comes_back_with_an_earlier_clock_tells_its_place_by_one_topic_alone() {
    let (bench, adapter) = Vda5050Bench::open(&clock());
    let heard = &adapter.watcher.heard;
    let place =
        json!({ "timestamp": "1970-01-01T01:00:00.000Z", "agvPosition": bench.state(1.0, 1.0, 0.0)["agvPosition"] });
    heard.message(&format!("{ROOT}/visualization"), place.to_string().as_bytes(), at(1_000));
    connection(heard, "CONNECTIONBROKEN");
    connection(heard, "ONLINE");
    bench.tell(&adapter, &bench.state(100.0, 2.0, 0.0));
    assert_eq!(heard.look(|heard| heard.place.map(|place| place.at_m[0])), Some(2.0));
}

#[test]
fn rg_12_rg_51_the_order_of_a_vehicle_that_refuses_to_pause_is_cancelled_at_once() {
    let mut stage = Stage::<Vda5050Bench>::armed(Behaviour::Refusing);
    stage.command(goal_at(8.0, 0.4));
    stage.beats(10);
    assert!(stage.adapter().state().unwrap().is_active());
    stage.stop();
    stage.beats(10);
    assert!(!stage.adapter().state().unwrap().is_active(), "200 ms after a refusal that took one state to come");
}

#[test]
fn rg_14_rg_51_a_hold_does_not_pause_a_vehicle_between_two_orders_of_another_master() {
    let (mut bench, mut adapter) = Vda5050Bench::open(&clock());
    let nothing = SetPoints::default();
    adapter.stop(StopKind::Hold, 1, at(1_000));
    assert!(adapter.outbox.take().is_some());
    let mut sent = |bench: &Vda5050Bench, ms| {
        bench.tell(&adapter, &bench.state(ms as f64, 0.0, 0.0));
        adapter.refresh(&nothing, at(ms));
        adapter.outbox.take()
    };
    bench.foreign = Some("wms-7".to_owned());
    assert_eq!(sent(&bench, 1_100), None);
    bench.foreign = None;
    assert_eq!(sent(&bench, 4_000), None);
}

#[test]
fn rg_10_rg_51_stops_that_come_again_and_again_do_not_put_off_the_cancelled_order() {
    let (mut bench, mut adapter) = Vda5050Bench::open(&clock());
    (bench.order, bench.goal) = ("wms-7".to_owned(), 4);
    bench.tell(&adapter, &bench.state(1.0, 0.0, 0.3));
    let mut actions = |episode: u64, ms| {
        adapter.stop(StopKind::Stop, episode, at(ms));
        adapter.outbox.take().map_or(0, |sent| sent.body["actions"].as_array().unwrap().len())
    };
    let sent: Vec<usize> = (0..12).map(|n| actions(n, 1_000 + 100 * n)).collect();
    assert_eq!((sent[9], sent[10]), (1, 2), "a second after the first: {sent:?}");
    assert_eq!(actions(99, 60_000), 1, "and one of later begins anew");
}

#[test]
fn rg_51_the_connection_of_a_vehicle_is_heard_without_loss_and_a_broker_that_gives_no_state_is_none() {
    let (_bench, adapter) = Vda5050Bench::open(&clock());
    let heard = Arc::clone(&adapter.watcher.heard);
    let link = Link::new(&wiring(), Path::new("."), heard, Some(Arc::default()), &clock()).unwrap();
    let qos: Vec<_> = link
        .filters()
        .iter()
        .map(|filter| (filter.path.rsplit('/').next().unwrap() == "connection", filter.qos))
        .collect();
    assert_eq!(qos[0], (true, rumqttc::QoS::AtLeastOnce));
    assert!(qos[1..].iter().all(|(is_connection, qos)| !is_connection && *qos == rumqttc::QoS::AtMostOnce));
    let answer = |codes: [bool; 3]| {
        let code = |granted| match granted {
            true => rumqttc::SubscribeReasonCode::Success(rumqttc::QoS::AtMostOnce),
            false => rumqttc::SubscribeReasonCode::Failure,
        };
        broker::is_granted(&rumqttc::SubAck::new(1, codes.map(code).to_vec()))
    };
    assert!(answer([true, true, true]) && answer([true, true, false]));
    assert!(!answer([true, false, true]) && !answer([false, true, true]));
}

#[test]
fn rg_11_rg_51_the_pause_that_is_left_with_the_broker_is_another_action_for_each_connection() {
    let (_bench, adapter) = Vda5050Bench::open(&clock());
    let heard = Arc::clone(&adapter.watcher.heard);
    let link = Link::new(&wiring(), Path::new("."), heard, Some(Arc::default()), &clock()).unwrap();
    let will = || {
        let will: Value = serde_json::from_slice(&link.will().unwrap().message).unwrap();
        will["actions"][0].clone()
    };
    let (first, second) = (will(), will());
    assert_eq!((&first["actionType"], &second["actionType"]), (&json!("startPause"), &json!("startPause")));
    assert_ne!(first["actionId"], second["actionId"]);
}

#[test]
fn rg_12_rg_51_an_error_about_instant_actions_is_a_refusal_to_stop() {
    let (bench, mut adapter) = Vda5050Bench::open(&clock());
    let mut state = bench.state(1.0, 0.0, 0.0);
    state["errors"] = json!([{ "errorType": "validationError", "errorLevel": "WARNING",
        "errorReferences": [{ "referenceKey": "topic", "referenceValue": "instantActions" }] }]);
    adapter.stop(StopKind::Hold, 1, at(1_000));
    bench.tell(&adapter, &state);
    assert_eq!(adapter.poll(at(1_000)).faults, [GateFault::StopRefused]);
    bench.tell(&adapter, &state);
    assert_eq!(adapter.poll(at(1_020)).faults, [], "it has been said");
}

#[test]
fn rg_51_a_stop_takes_the_order_of_a_vehicle_that_stands_already() {
    let mut stage = Stage::<Vda5050Bench>::armed(Behaviour::Obedient);
    stage.command(goal_at(8.0, 0.4));
    stage.beats(10);
    stage.hold();
    stage.beats(50);
    assert!(stage.adapter().state().unwrap().is_active(), "a hold keeps it");
    stage.stop();
    stage.beats(80);
    assert!(!stage.adapter().state().unwrap().is_active());
}

#[test]
fn rg_10_rg_51_a_vehicle_that_comes_back_and_stands_is_paused_until_it_says_so() {
    let (mut bench, mut adapter) = Vda5050Bench::open(&clock());
    bench.order = adapter.new_name();
    bench.goal = 4;
    adapter.watcher.heard.lost();
    adapter.outbox.set_connected(false);
    adapter.stop(StopKind::Stop, 1, at(1_000));
    adapter.watcher.heard.connected();
    adapter.outbox.set_connected(true);
    assert_eq!(adapter.outbox.take().unwrap().body["actions"][0]["actionType"], "startPause");
    let nothing = SetPoints::default();
    let mut sent = |bench: &Vda5050Bench, ms| {
        connection(&adapter.watcher.heard, "ONLINE");
        bench.tell(&adapter, &bench.state(ms as f64, 4.0, 0.0));
        adapter.poll(at(ms));
        adapter.refresh(&nothing, at(ms));
        adapter.outbox.take().map(|sent| sent.body["actions"].as_array().unwrap().len())
    };
    let after_the_old_bound = 20_000;
    assert_eq!(sent(&bench, after_the_old_bound), Some(2), "nobody heard the first pause, and it has its order");
    bench.goal = 0;
    assert_eq!(sent(&bench, after_the_old_bound + 40), Some(1), "it is not paused");
    bench.paused = true;
    assert_eq!(sent(&bench, after_the_old_bound + 80), None);
}
