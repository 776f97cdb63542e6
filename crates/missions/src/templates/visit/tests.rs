use std::f64::consts::TAU;

use proptest::prelude::*;

use super::*;
use crate::format::front::Goal;
use crate::templates::{Wishes, fill};

const PATROL: &str = "security-patrol";

fn plan_in(frame: &str, areas: &[(&str, &[PlanPoint])]) -> SitePlan {
    let areas = areas.iter().map(|(name, corners)| PlanArea { name: (*name).to_owned(), corners: corners.to_vec() });
    let areas = areas.collect();
    SitePlan { areas, ..SitePlan::empty(FrameId::new(frame).unwrap()) }
}

fn rectangle([left, bottom]: PlanPoint, [right, top]: PlanPoint) -> Vec<PlanPoint> {
    vec![[left, bottom], [right, bottom], [right, top], [left, top]]
}

/// The points of an area of the frame `map`; none if those of the template stay.
fn visited(corners: &[PlanPoint]) -> Vec<PlanPoint> {
    match visit(PATROL, "yard", &plan_in("map", &[("yard", corners)])).unwrap() {
        Visit::Points { points, .. } => points,
        Visit::OutOfReach => Vec::new(),
        Visit::NoArea => panic!("it is there"),
    }
}

#[test]
fn me_16_a_patrol_visits_the_corners_of_the_place_that_was_named_and_goes_home() {
    let dock = rectangle([3.5, 3.5], [7.5, 7.5]);
    let plan = plan_in("map", &[("street", &rectangle([7.5, -6.5], [9.0, 7.5])), ("loading_dock", &dock)]);
    for place in ["loading dock", "Loading  Dock", "loading_dock", "LOADING_DOCK"] {
        let found = visit(PATROL, place, &plan).unwrap();
        let points = vec![[4.3, 4.3], [6.7, 4.3], [6.7, 6.7], [4.3, 6.7]];
        assert_eq!(found, Visit::Points { frame: plan.frame.clone(), points }, "{place}");
        assert_eq!(found.note(place), None);
    }
    let wishes =
        Wishes { place: Some("loading dock".into()), visit: visit(PATROL, "loading dock", &plan), ..Wishes::default() };
    let filled = fill(PATROL, &wishes).unwrap().unwrap();
    let parsed = parse(filled.as_bytes());
    assert_eq!(parsed.errors().count(), 0, "{:?}\n{filled}", parsed.problems);
    let first = "name: loading dock 1, input: {robot: rover-1, actuator: base, frame: map, \
                 motion: {pose_goal: {position_m: [4.3, 4.3, 0.0], speed_mps: 0.2}}}}\n";
    assert!(filled.contains(first), "{filled}");
    let template = TEMPLATES.into_iter().find(|(name, _)| *name == PATROL).unwrap().1;
    let home = template.lines().find(|line| line.contains("name: home")).unwrap();
    assert!(filled.contains(home), "the way home is as it was written: {filled}");
    assert!(!filled.contains("north gate") && !filled.contains("wait_secs"), "{filled}");
    let names: Vec<String> = parsed.front.goals.iter().map(|goal| named(&goal.value)).collect();
    let expected = ["loading dock 1", "loading dock 2", "loading dock 3", "loading dock 4", "home"];
    assert_eq!(names, expected);
}

fn named(goal: &Goal) -> String {
    match goal {
        Goal::Step { name, .. } => name.clone().unwrap_or_default(),
        Goal::Text { .. } | Goal::WaitFor { .. } | Goal::WaitSecs(_) => String::new(),
    }
}

#[test]
fn me_16_without_a_point_of_the_place_those_of_the_template_stay_and_the_reason_is_told() {
    let check = |plan: &SitePlan, expected: &Visit, words: &str| {
        let found = visit(PATROL, "yard", plan).unwrap();
        assert_eq!(&found, expected);
        assert!(found.note("yard").unwrap().to_string().starts_with(words), "{:?}", found.note("yard"));
        let wishes = Wishes { visit: Some(found), ..Wishes::default() };
        let (_, template) = TEMPLATES.into_iter().find(|(name, _)| *name == PATROL).unwrap();
        assert_eq!(fill(PATROL, &wishes).unwrap().unwrap(), template);
    };
    let yard = rectangle([2.0, 2.0], [6.0, 6.0]);
    check(&plan_in("map", &[("back yard", &yard)]), &Visit::NoArea, "The site plan has no area `yard`.");
    let out = Visit::OutOfReach;
    let words = "No point of `yard` lies within the limits of this mission.";
    check(&plan_in("map", &[("yard", &rectangle([9.0, 2.0], [14.0, 6.0]))]), &out, words);
    // Around the dock of the other robot.
    check(&plan_in("map", &[("yard", &rectangle([-4.0, 2.0], [0.0, 6.0]))]), &out, words);
    check(&plan_in("site", &[("yard", &yard)]), &out, words);
    for (template, _) in TEMPLATES.into_iter().filter(|(name, _)| *name != PATROL) {
        assert_eq!(visit(template, "yard", &plan_in("map", &[("yard", &yard)])), None, "{template} goes to no place");
    }
}

#[test]
fn me_16_a_small_place_is_visited_in_its_middle_and_a_large_one_where_limits_let_it() {
    assert_eq!(visited(&rectangle([2.0, 2.0], [3.0, 3.0])), [[2.5, 2.5]]);
    assert_eq!(visited(&rectangle([2.0, 2.0], [4.2, 4.2])), [[3.1, 3.1]], "its corners would come together");
    assert_eq!(visited(&rectangle([2.0, 2.0], [12.0, 6.0])), [[2.8, 2.8], [2.8, 5.2]], "the others are too far out");
    let clockwise: Vec<PlanPoint> = rectangle([2.0, 2.0], [6.0, 6.0]).into_iter().rev().collect();
    assert_eq!(visited(&clockwise).len(), 4);
    // The inner corner of an L is drawn inward too.
    let l = [[-6.0, -6.0], [6.0, -6.0], [6.0, -3.0], [-3.0, -3.0], [-3.0, 0.0], [-6.0, 0.0]];
    let points = visited(&l);
    assert!(points.len() >= 5 && points.iter().all(|point| is_inside(&l, *point)), "{points:?}");
    // Of a thin L the middle lies outside.
    let thin = [[0.0, -7.0], [6.0, -7.0], [6.0, -6.0], [1.0, -6.0], [1.0, -1.0], [0.0, -1.0]];
    assert_eq!(visited(&thin), Vec::<PlanPoint>::new());
    let round: Vec<PlanPoint> = (0..40)
        .map(|corner| f64::from(corner) / 40.0 * TAU)
        .map(|turn| [3.0 + 4.0 * turn.cos(), -3.0 + 4.0 * turn.sin()])
        .collect();
    assert_eq!(visited(&round).len(), POINTS_MAX);
}

proptest! {
    #[test]
    fn me_16_every_point_of_a_visit_lies_in_its_area_and_within_the_limits(
        radii in prop::collection::vec(0.5..9.0_f64, 3..24),
        x in -8.0..8.0_f64,
        y in -8.0..8.0_f64,
    ) {
        let count = radii.len() as f64;
        let corners: Vec<PlanPoint> = radii
            .iter()
            .enumerate()
            .map(|(corner, radius)| (corner as f64 / count * TAU, radius))
            .map(|(turn, radius)| [x + radius * turn.cos(), y + radius * turn.sin()])
            .collect();
        let points = visited(&corners);
        prop_assert!(points.len() <= POINTS_MAX);
        for [x, y] in points {
            // Whole centimetres may lie beside the middle of a very thin area.
            let is_near = is_inside(&corners, [x, y]) || edges(&corners).any(|(a, b)| distance_to([x, y], a, b) < 0.01);
            prop_assert!(is_near);
            prop_assert!(x.abs() <= 7.2 && y.abs() <= 7.2);
            prop_assert!((x + 2.0).hypot(y - 4.0) >= 2.0);
        }
    }
}
