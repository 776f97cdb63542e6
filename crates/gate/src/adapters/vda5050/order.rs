//! The order of one goal: a straight row of nodes, of which no more are released than the gate has said.

use robot::Manifest;
use serde_json::{Value, json};

/// The longest edge, metres.
const EDGE_M_MAX: f64 = 1.0;
/// Nodes of one order.
const NODES_MAX: usize = 1_000;
/// Beyond the stopping distance so much of the way is released, metres.
const AHEAD_M: f64 = 1.0;
/// A way that is shorter is none, metres.
const WAY_M_MIN: f64 = 0.02;
/// The vehicle stands this far from its first node at most, metres.
const START_DEVIATION_M: f64 = 0.5;
/// It passes the others at this distance at most, metres.
const DEVIATION_M: f64 = 0.1;

/// A goal, and how it is to be driven to.
#[derive(Debug, Clone, PartialEq)]
pub struct Goal {
    /// Name of the order.
    pub order_id: String,
    /// The vehicle's place, metres.
    pub from_m: [f64; 2],
    /// The goal's, metres.
    pub to_m: [f64; 2],
    /// Heading there, radians.
    pub theta_rad: Option<f64>,
    /// Largest speed, metres per second.
    pub speed_mps: f64,
    /// Way to standstill from that speed, metres.
    pub stop_m: f64,
    /// The map.
    pub map: String,
    /// The fields have the names of version 3.
    pub is_v3: bool,
}

/// The order that carries out a goal.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    goal: Goal,
    nodes_m: Vec<[f64; 2]>,
    /// Index of the last released node.
    released: usize,
    update: u64,
    /// Index of the node that the newest message begins with.
    begins: usize,
}

/// Beginning of the names of the orders of one robot's gate, whose key tells it from the gates of other sites.
pub fn owner(manifest: &Manifest) -> String {
    let key = manifest.public_key.as_deref().unwrap_or_default().trim_start_matches("ed25519:");
    let key: String = key.chars().filter(char::is_ascii_alphanumeric).take(8).collect();
    format!("quarterdeck-{}-{key}-", manifest.id)
}

fn distance_m(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

impl Plan {
    /// A straight way, released as far as the vehicle may drive from where it stands; none if it would be too long.
    pub fn straight(goal: Goal) -> Option<Self> {
        let way_m = distance_m(goal.from_m, goal.to_m);
        let edges = if way_m < WAY_M_MIN { 0.0 } else { (way_m / EDGE_M_MAX).ceil() };
        // Written so that not-a-number is refused.
        if !(edges < NODES_MAX as f64) {
            return None;
        }
        let edges = edges as usize;
        let part = |n: usize| if n == 0 { 0.0 } else { n as f64 / edges as f64 };
        let along =
            |n: usize| std::array::from_fn(|axis| goal.from_m[axis] + part(n) * (goal.to_m[axis] - goal.from_m[axis]));
        let nodes_m = (0..=edges).map(along).collect();
        let from_m = goal.from_m;
        let mut plan = Self { goal, nodes_m, released: 0, update: 0, begins: 0 };
        plan.widen(from_m, 0);
        Some(plan)
    }

    /// Name of the order.
    pub fn order_id(&self) -> &str {
        &self.goal.order_id
    }

    /// Sequence of its last node.
    pub fn last_sequence(&self) -> u64 {
        sequence(self.nodes_m.len() - 1)
    }

    /// Number of its newest update.
    pub const fn update(&self) -> u64 {
        self.update
    }

    /// The newest message: the order as it is sent first, or its newest update.
    pub fn newest(&self) -> Value {
        self.message(self.begins)
    }

    /// The next part of the way for a vehicle that is at `at_m` and has reached the node of this sequence; none while
    /// there is none.
    pub fn release(&mut self, at_m: [f64; 2], last_sequence: u64) -> Option<Value> {
        let before = self.released;
        self.widen(at_m, usize::try_from(last_sequence / 2).unwrap_or(0));
        if self.released == before {
            return None;
        }
        self.update += 1;
        // An update begins at the end of what was released before.
        self.begins = before;
        Some(self.newest())
    }

    fn widen(&mut self, at_m: [f64; 2], reached: usize) {
        // With less than its way to standstill released, the vehicle would brake at every node.
        let ahead_m = self.goal.stop_m + AHEAD_M;
        // One edge ahead of the one that it is on.
        let end = (reached + 2).min(self.nodes_m.len() - 1);
        while self.released < end && distance_m(at_m, self.nodes_m[self.released + 1]) <= ahead_m + 1e-9 {
            self.released += 1;
        }
    }

    fn message(&self, first: usize) -> Value {
        let nodes: Vec<Value> = (first..self.nodes_m.len()).map(|n| self.node(n)).collect();
        let edges: Vec<Value> = (first + 1..self.nodes_m.len()).map(|n| self.edge(n)).collect();
        json!({ "orderId": self.goal.order_id, "orderUpdateId": self.update, "nodes": nodes, "edges": edges })
    }

    fn node(&self, n: usize) -> Value {
        let [x, y] = self.nodes_m[n];
        let deviation_m = if n == 0 { START_DEVIATION_M } else { DEVIATION_M };
        let deviation = if self.goal.is_v3 {
            json!({ "a": deviation_m, "b": deviation_m, "theta": 0.0 })
        } else {
            json!(deviation_m)
        };
        let mut position = json!({ "x": x, "y": y, "mapId": self.goal.map, "allowedDeviationXY": deviation });
        if let (Some(theta), true, Some(fields)) =
            (self.goal.theta_rad, n + 1 == self.nodes_m.len(), position.as_object_mut())
        {
            fields.insert("theta".to_owned(), json!(theta));
        }
        json!({ "nodeId": self.node_id(n), "sequenceId": sequence(n), "released": n <= self.released,
            "nodePosition": position, "actions": [] })
    }

    /// The edge that leads to this node.
    fn edge(&self, n: usize) -> Value {
        let speed = if self.goal.is_v3 { "maximumSpeed" } else { "maxSpeed" };
        let id = format!("{}-e{n}", self.goal.order_id);
        json!({ "edgeId": id, "sequenceId": sequence(n) - 1, "released": n <= self.released,
            "startNodeId": self.node_id(n - 1), "endNodeId": self.node_id(n), speed: self.goal.speed_mps, "actions": [] })
    }

    fn node_id(&self, n: usize) -> String {
        format!("{}-n{n}", self.goal.order_id)
    }
}

/// Nodes and edges are numbered in turn.
const fn sequence(node: usize) -> u64 {
    2 * node as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goal(x_m: f64, stop_m: f64) -> Goal {
        Goal {
            order_id: "o".to_owned(),
            from_m: [0.0, 0.0],
            to_m: [x_m, 0.0],
            theta_rad: Some(1.0),
            speed_mps: 0.5,
            stop_m,
            map: "hall".to_owned(),
            is_v3: false,
        }
    }

    fn released(order: &Value) -> Vec<u64> {
        let nodes = order["nodes"].as_array().unwrap().iter();
        nodes.filter(|node| node["released"] == true).map(|node| node["sequenceId"].as_u64().unwrap()).collect()
    }

    #[test]
    fn rg_51_an_order_releases_one_edge_ahead_and_never_beyond_the_stopping_distance_and_a_metre() {
        let mut plan = Plan::straight(goal(4.0, 0.5)).unwrap();
        let order = plan.newest();
        assert_eq!((released(&order), order["nodes"].as_array().unwrap().len()), (vec![0, 2], 5));
        assert_eq!(order["nodes"][4]["nodePosition"]["theta"], 1.0);
        assert_eq!((&order["edges"][0]["maxSpeed"], &order["orderUpdateId"]), (&json!(0.5), &json!(0)));
        assert_eq!(plan.release([0.4, 0.0], 0), None, "1.6 m before the next");
        let update = plan.release([0.5, 0.0], 0).unwrap();
        assert_eq!((released(&update), &update["orderUpdateId"]), (vec![2, 4], &json!(1)));
        assert_eq!(plan.newest(), update, "as often as it has to be sent");
        assert_eq!(plan.release([1.9, 0.0], 0), None, "it has not said that it has reached its node");
        assert!(plan.release([1.9, 0.0], 2).is_some());
        assert!(plan.release([3.9, 0.0], 8).is_some() && plan.release([4.0, 0.0], 8).is_none());
        let far = Plan::straight(goal(4.0, 50.0)).unwrap();
        assert_eq!(released(&far.newest()), [0, 2, 4], "however long it takes to stop");
    }

    #[test]
    fn rg_51_a_goal_where_the_vehicle_stands_is_one_node_and_one_beyond_reason_none() {
        let order = Plan::straight(goal(0.0, 0.5)).unwrap().newest();
        assert_eq!((order["nodes"].as_array().unwrap().len(), order["edges"].as_array().unwrap().len()), (1, 0));
        assert_eq!(Plan::straight(goal(5_000.0, 0.5)), None);
        assert_eq!(Plan::straight(goal(f64::NAN, 0.5)), None);
    }

    #[test]
    fn rg_51_an_order_of_version_3_has_its_names() {
        let order = Plan::straight(Goal { is_v3: true, ..goal(1.0, 0.5) }).unwrap().newest();
        assert_eq!(order["edges"][0]["maximumSpeed"], 0.5);
        assert_eq!(order["nodes"][1]["nodePosition"]["allowedDeviationXY"]["a"], DEVIATION_M);
    }
}
