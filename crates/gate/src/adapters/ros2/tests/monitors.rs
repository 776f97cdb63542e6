//! The collision monitor of a running gate's robot.

use robot::{CollisionMonitor, MonitorPlace};
use ros2_client::ParameterValue;

use super::*;

/// Takes velocities from a topic, and tells so.
struct Monitor {
    node: Node,
    runtime: tokio::runtime::Runtime,
}

impl Monitor {
    fn start(wiring: &Ros2Wiring, input: &str) -> Self {
        let participant = DomainParticipantBuilder::new(wiring.domain).build().unwrap();
        let context = Context::from_domain_participant(participant).unwrap();
        let options = NodeOptions::new().enable_rosout(false);
        let options = options.declare_parameter("cmd_vel_in_topic", ParameterValue::String(input.to_owned()));
        let name = NodeName::new(&wiring.namespace, "collision_monitor").unwrap();
        let mut node = context.new_node(name, options).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let spinner = node.spinner().unwrap();
        runtime.spawn(async move {
            let _ = spinner.spin().await;
        });
        Self { node, runtime }
    }

    fn end(self) {
        self.runtime.shutdown_background();
        drop(self.node);
    }
}

/// The newest place of every monitor that the adapter has told, once it is `place`.
fn seen(adapter: &mut Ros2Adapter, what: &str, wanted: impl Fn(&[CollisionMonitor]) -> bool) -> Vec<CollisionMonitor> {
    let mut seen = None;
    until(what, || {
        seen = adapter.poll(clock()().station).monitors.or(seen.take());
        seen.as_deref().is_some_and(&wanted)
    });
    seen.unwrap_or_default()
}

#[test]
fn rg_26_a_running_gate_sees_whether_its_velocities_pass_the_collision_monitor() {
    let (namespace, domain) = place();
    let bench = Ros2Bench::of(wiring(&namespace, domain));
    for (input, expected) in [("cmd_vel_raw", MonitorPlace::Elsewhere), ("cmd_vel", MonitorPlace::OnTheWay)] {
        let monitor = Monitor::start(&bench.wiring, input);
        let mut adapter = Ros2Adapter::open(&bench.wiring, base(), &clock()).unwrap();
        let node = bench.wiring.absolute("collision_monitor");
        // Its own: another run of the tests has its monitor in the same domain.
        let is_known =
            |monitors: &[CollisionMonitor]| monitors.iter().any(|one| one.node == node && one.place == expected);
        let monitors = seen(&mut adapter, "a monitor whose place is known", is_known);
        let of_robot = monitors.iter().find(|one| one.node == node).unwrap();
        assert_eq!(of_robot.place, expected);
        assert_eq!(of_robot.input.as_deref(), Some(bench.wiring.absolute(input).as_str()));
        monitor.end();
        let is_gone = |monitors: &[CollisionMonitor]| monitors.iter().all(|one| one.node != node);
        seen(&mut adapter, "its end", is_gone);
    }
}
