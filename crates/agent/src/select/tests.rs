use robot::Effect;
use serde_json::json;

use super::*;
use crate::Preset;

fn tool(name: &str, description: &str) -> ToolSpec {
    ToolSpec::new(name, description, json!({}), Effect::Read)
}

/// `count` tools, of which one is about docking.
fn tools(count: usize) -> Vec<ToolSpec> {
    let mut tools: Vec<ToolSpec> =
        (0..count - 3).map(|number| tool(&format!("tool_{number:03}"), "Counts parcels on a shelf.")).collect();
    tools.push(ToolSpec { core: true, ..tool("stop_all", "Stops every robot.") });
    tools.push(tool("web_fetch", "Reads a page."));
    tools.push(tool("dock_rover", "Drives the rover to its charging dock."));
    tools
}

#[test]
fn s_26_what_nobody_asked_for_is_not_chosen_and_words_of_every_text_find_nothing() {
    let found = names(Preset::Operator, 120, "is there a robot that was on it for me?", Some(128));
    assert_eq!(found, ["stop_all"]);
    let found = names(Preset::Operator, 120, "the docks are where rovers were charged", Some(128));
    assert_eq!(found, ["dock_rover", "stop_all"], "plurals and tenses are the same word");
}

fn names(preset: Preset, count: usize, message: &str, most: Option<u16>) -> Vec<String> {
    select_tools(&Policy::preset(preset), &tools(count), message, None, most)
        .into_iter()
        .map(|tool| tool.name)
        .collect()
}

#[test]
fn t_15_t_16_s_26_which_tools_are_declared() {
    let asks = "please drive the rover to its charging dock";
    assert_eq!(names(Preset::Operator, 96, asks, Some(128)).len(), 96);
    assert_eq!(names(Preset::Operator, 97, asks, Some(128)), ["dock_rover", "stop_all"]);
    assert_eq!(names(Preset::Operator, 97, "hi", Some(128)), ["stop_all"]);
    assert_eq!(names(Preset::Operator, 120, "count parcels on the shelf", None).len(), 26, "25 and what is always in");
    assert_eq!(names(Preset::Chat, 30, asks, None), ["dock_rover", "stop_all"]);
    assert_eq!(names(Preset::Chat, 30, "ok", None), ["stop_all"], "a trivial message is not searched for");
    assert_eq!(names(Preset::Companion, 200, asks, None).len(), 200);
}

#[test]
fn t_17_a_model_with_a_bound_gets_no_more_than_that() {
    for preset in Preset::ALL {
        let names = names(preset, 200, "count parcels on a shelf with the rover", Some(128));
        assert!(names.len() <= 128, "{preset:?}: {}", names.len());
        assert!(names.is_sorted(), "{preset:?}");
    }
    assert_eq!(names(Preset::Investigator, 200, "count parcels", None).len(), 200);
    assert_eq!(names(Preset::Operator, 200, "count parcels on a shelf", Some(10)).len(), 10);
}

#[test]
fn t_12_s_36_meaning_and_words_are_weighed() {
    let documents = |similar: Option<[f64; 3]>| {
        let texts = ["drives the rover home", "opens the gate", "reads the news"];
        std::array::from_fn::<_, 3, _>(|at| Document { text: texts[at], similarity: similar.map(|all| all[at]) })
    };
    let weights = |vector| Weights { vector: Ratio::percent(vector), least: Ratio::percent(10), candidates: 3 };
    let check = |query: &str, similar, vector, expected: &[usize]| {
        let hits = hybrid(query, &documents(similar), weights(vector), 3);
        assert_eq!(hits.iter().map(|(at, _)| *at).collect::<Vec<_>>(), expected, "{query} {similar:?}");
    };
    check("rover", None, 60, &[0]);
    check("rover", Some([0.0, 0.9, 0.0]), 60, &[1, 0]);
    check("rover", Some([0.0, 0.9, 0.0]), 20, &[0, 1]);
    check("rover", Some([0.0, 0.1, 0.0]), 60, &[0]);
    check("nothing of this", None, 60, &[]);
    // A similarity that is no number counts as far from everything.
    check("gate", Some([f64::NAN, 0.5, 0.0]), 60, &[1]);
    let scores = keyword_scores("rover", &documents(None));
    assert!(scores[0] > 0.5 && scores[0] < 1.0 && scores[1] == 0.0, "{scores:?}");
}

#[test]
fn t_12_the_best_hits_stand_at_both_edges() {
    assert_eq!(at_edges(vec![1, 2, 3, 4, 5]), [1, 3, 5, 4, 2]);
    assert!(at_edges(Vec::<u8>::new()).is_empty());
}
