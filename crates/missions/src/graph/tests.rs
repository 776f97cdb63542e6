mod large;

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

type Graph = BTreeMap<MissionId, GraphNode>;

fn id(name: &str) -> MissionId {
    MissionId::new(name).unwrap()
}

fn node(standing: Standing, depends_on: &[&str]) -> GraphNode {
    GraphNode { standing, depends_on: depends_on.iter().map(|name| id(name)).collect(), parent: None, goes_on: false }
}

fn graph(nodes: &[(&str, GraphNode)]) -> Graph {
    nodes.iter().map(|(name, node)| (id(name), node.clone())).collect()
}

fn names(ids: &[MissionId]) -> String {
    ids.iter().map(MissionId::as_str).collect::<Vec<_>>().join(" ")
}

/// Every wait as `reason: path`.
fn told(evaluation: &Evaluation) -> Vec<String> {
    let told = evaluation.waits.iter().map(|wait| {
        let reason: &str = wait.reason.into();
        format!("{reason}: {}", names(&evaluation.path(wait)))
    });
    told.collect()
}

use Standing::{Begun, Cancelled, Completed, Draft, Failed, Held, Paused, Running};

#[test]
fn mg_03_mg_06_a_mission_is_ready_once_everything_it_depends_on_is_completed() {
    let of = |standing| evaluate(&graph(&[("a", node(standing, &[])), ("b", node(Held, &["a"]))]));
    assert_eq!(names(&of(Held).ready), "a");
    for standing in [Begun, Running] {
        assert_eq!((names(&of(standing).ready).as_str(), told(&of(standing))), ("", vec!["dependency: b a".into()]));
    }
    assert_eq!((names(&of(Completed).ready).as_str(), told(&of(Completed)).len()), ("b", 0));
    // Two roots, in the order of ids; what has begun or ended is not ready again.
    let roots =
        graph(&[("z", node(Held, &[])), ("a", node(Held, &[])), ("m", node(Begun, &[])), ("n", node(Failed, &[]))]);
    assert_eq!(names(&evaluate(&roots).ready), "a z");
    assert_eq!(evaluate(&Graph::new()), Evaluation::default());
}

#[test]
fn mg_04_a_report_carries_the_path_to_the_root_of_the_trouble() {
    for (standing, reason) in [
        (Failed, "dependency_failed"),
        (Cancelled, "dependency_cancelled"),
        (Paused, "dependency_paused"),
        (Draft, "dependency_draft"),
    ] {
        let chain = graph(&[
            ("home-arm", node(standing, &[])),
            ("calibrate-arm", node(Held, &["home-arm"])),
            ("weld", node(Held, &["calibrate-arm"])),
            ("report", node(Held, &["weld"])),
        ]);
        assert_eq!(
            told(&evaluate(&chain)),
            [
                format!("{reason}: calibrate-arm home-arm"),
                "upstream: report weld calibrate-arm home-arm".into(),
                "upstream: weld calibrate-arm home-arm".into(),
            ]
        );
    }
    let goes_on = GraphNode { goes_on: true, ..node(Running, &[]) };
    let missing = graph(&[("a", node(Held, &["none", "on"])), ("b", node(Held, &["a"])), ("on", goes_on)]);
    assert_eq!(
        told(&evaluate(&missing)),
        ["dependency_missing: a none", "dependency_never_completes: a on", "upstream: b a none",]
    );
}

#[test]
fn mg_05_a_circle_is_told_once_and_blocks_its_members_and_all_behind_them_alone() {
    let circle = graph(&[
        ("a", node(Held, &["b"])),
        ("b", node(Held, &["c", "d"])),
        ("c", node(Held, &["a"])),
        ("d", node(Held, &["e"])),
        ("e", node(Held, &["b"])),
        ("f", node(Held, &["e"])),
        ("g", node(Held, &["f"])),
        ("h", node(Held, &[])),
        ("i", node(Held, &["i"])),
    ]);
    let evaluation = evaluate(&circle);
    assert_eq!(evaluation.cycles.iter().map(|cycle| names(cycle)).collect::<Vec<_>>(), ["a b c a", "i i"]);
    assert_eq!(names(&evaluation.ready), "h");
    let told = told(&evaluation);
    assert_eq!(told.iter().filter(|wait| wait.starts_with("dependency_cycle")).count(), 7);
    assert!(told.contains(&"upstream: g f e".into()) && told.contains(&"upstream: f e".into()), "{told:?}");
}

#[test]
fn mg_07_a_part_starts_only_while_its_parent_runs() {
    let part = |standing| {
        let part = GraphNode { parent: Some(id("p")), ..node(Held, &[]) };
        evaluate(&graph(&[("p", node(standing, &[])), ("s", part)]))
    };
    assert_eq!(names(&part(Running).ready), "s");
    for standing in [Held, Begun, Paused, Completed, Draft] {
        assert_eq!(told(&part(standing)), ["parent: s p"], "{standing:?}");
    }
    let orphan = graph(&[("s", GraphNode { parent: Some(id("p")), ..node(Held, &[]) })]);
    assert_eq!(told(&evaluate(&orphan)), ["dependency_missing: s p"]);
}

#[test]
fn mg_08_a_mission_that_waits_for_its_own_part_is_a_circle() {
    let part = GraphNode { parent: Some(id("p")), ..node(Held, &[]) };
    let own = graph(&[("p", node(Held, &["s"])), ("s", part.clone())]);
    assert_eq!(names(&evaluate(&own).cycles[0]), "p s p");
    assert_eq!(names(&evaluate(&own).ready), "");
    // The part waits for its parent's end.
    let end = graph(&[("p", node(Running, &[])), ("s", GraphNode { depends_on: vec![id("p")], ..part })]);
    assert_eq!(told(&evaluate(&end)), ["dependency_cycle: s p", "dependency_cycle: s p"]);
}

/// The missions that lie on a circle or can never start because of one, by the definition: a search of every path.
fn held_back(graph: &Graph) -> BTreeSet<MissionId> {
    type Event = (MissionId, bool);
    let (start, end) = (|id: &MissionId| (id.clone(), false), |id: &MissionId| (id.clone(), true));
    let mut reached: BTreeSet<(Event, Event)> = BTreeSet::new();
    for (id, node) in graph {
        reached.insert((end(id), start(id)));
        reached.extend(node.depends_on.iter().map(|dependency| (start(id), end(dependency))));
        if let Some(parent) = &node.parent {
            reached.extend([(start(id), start(parent)), (end(parent), end(id))]);
        }
    }
    reached.retain(|(from, to)| graph.contains_key(&from.0) && graph.contains_key(&to.0));
    loop {
        let longer: Vec<(Event, Event)> = reached
            .iter()
            .flat_map(|(from, by)| {
                reached
                    .range((by.clone(), start(&id("0")))..)
                    .map_while(move |(at, to)| (at == by).then(|| (from.clone(), to.clone())))
            })
            .filter(|pair| !reached.contains(pair))
            .collect();
        if longer.is_empty() {
            break;
        }
        reached.extend(longer);
    }
    let on_circle = |event: &Event| reached.contains(&(event.clone(), event.clone()));
    let behind = |event: &Event| reached.iter().any(|(from, to)| from == event && on_circle(to));
    let is_held_back = |id: &&MissionId| on_circle(&end(id)) || behind(&start(id));
    graph.keys().filter(is_held_back).cloned().collect()
}

fn any_graph() -> impl Strategy<Value = Graph> {
    let standing = prop::sample::select(vec![
        Draft, Held, Held, Held, Begun, Running, Paused, Completed, Completed, Failed, Cancelled,
    ]);
    let node =
        (standing, prop::collection::vec(0..14_usize, 0..3), prop::option::weighted(0.2, 0..14_usize), any::<bool>());
    prop::collection::vec(node, 0..12).prop_map(|nodes| {
        let name = |n: usize| id(&format!("m{n:02}"));
        let nodes = nodes.into_iter().enumerate().map(|(n, (standing, depends_on, parent, goes_on))| {
            let depends_on = depends_on.into_iter().map(name).collect();
            (name(n), GraphNode { standing, depends_on, parent: parent.map(name), goes_on })
        });
        nodes.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn mg_02_mg_03_the_answer_is_that_of_the_definition(graph in any_graph()) {
        let evaluation = evaluate(&graph);
        let held_back = held_back(&graph);
        let standing = |id: &MissionId| graph.get(id).map(|node| node.standing);
        let waits: BTreeSet<&MissionId> = evaluation.waits.iter().map(|wait| &wait.mission).collect();
        for (id, node) in &graph {
            let met = node.depends_on.iter().all(|id| standing(id) == Some(Completed))
                && node.parent.as_ref().is_none_or(|parent| standing(parent) == Some(Running));
            let is_ready = evaluation.ready.contains(id);
            prop_assert_eq!(is_ready, node.standing == Held && met && !held_back.contains(id), "{} of {:?}", id, graph);
            let own = evaluation.waits.iter().filter(|wait| wait.mission == *id);
            prop_assert!(evaluation.waits_of(id).iter().eq(own), "{} of {:?}", id, graph);
            // Never silence: what is held and not ready has a reason.
            prop_assert!(node.standing != Held || is_ready != waits.contains(id), "{} of {:?}", id, graph);
        }
        for cycle in &evaluation.cycles {
            prop_assert_eq!(cycle.first(), cycle.last());
            prop_assert_eq!(cycle.iter().min(), cycle.first());
            for pair in cycle.windows(2) {
                let (waiting, awaited) = (&graph[&pair[0]], &graph[&pair[1]]);
                let waits = waiting.depends_on.contains(&pair[1]) || waiting.parent.as_ref() == Some(&pair[1]);
                prop_assert!(waits || awaited.parent.as_ref() == Some(&pair[0]), "{cycle:?} of {graph:?}");
            }
        }
        for wait in &evaluation.waits {
            prop_assert!(evaluation.path(wait).len() <= graph.len() + 2);
        }
    }
}

/// Memory is counted, as time differs by machine, and memory is what a large graph spends it on.
#[test]
fn mg_09_what_is_used_grows_with_the_graph_and_no_faster() {
    let build = |count: usize| -> Graph {
        let name = |n: usize| id(&format!("m{n:05}"));
        let of = |n: usize| {
            let depends_on = (1..=4).filter(|back| *back <= n).map(|back| name(n - back)).collect();
            (name(n), GraphNode { depends_on, ..node(Held, &[]) })
        };
        (0..count).map(of).collect()
    };
    let bytes = |graph: &Graph| allocation_counter::measure(|| drop(evaluate(graph))).bytes_total;
    let (small, large) = (build(1_000), build(10_000));
    assert_eq!(evaluate(&large).waits.len(), 4 * 10_000 - 10);
    assert!(bytes(&large) <= 12 * bytes(&small), "{} and {}", bytes(&small), bytes(&large));
}
