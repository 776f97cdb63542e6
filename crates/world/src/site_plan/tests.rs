use super::*;

fn plan(walls: Vec<Vec<PlanPoint>>, areas: Vec<PlanArea>) -> SitePlan {
    SitePlan { frame: FrameId::new("map").unwrap(), walls, areas }
}

fn area(name: &str, corners: &[PlanPoint]) -> PlanArea {
    PlanArea { name: name.into(), corners: corners.to_vec() }
}

const SQUARE: [PlanPoint; 4] = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];

/// The field that a plan is refused for; empty if it is not.
fn fault(plan: &SitePlan) -> String {
    plan.check().err().map(|error| error.path).unwrap_or_default()
}

#[test]
fn ws_53_a_plan_of_walls_and_named_areas_is_accepted_and_so_is_an_empty_one() {
    let l_shaped = [[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
    let areas = vec![area("loading dock", &SQUARE), area("Küche", &l_shaped)];
    let drawn = plan(vec![vec![[0.0, 0.0], [5.0, 0.0], [5.0, 5.0]]], areas);
    assert_eq!(drawn.check(), Ok(()));
    assert_eq!(SitePlan::empty(FrameId::new("map").unwrap()).check(), Ok(()));
}

#[test]
fn ws_53_the_bounds_of_a_plan_are_named_by_the_field_that_breaks_them() {
    let wall = || vec![[0.0, 0.0], [1.0, 0.0]];
    assert_eq!(fault(&plan(vec![wall(); WALLS_MAX], vec![])), "");
    assert_eq!(fault(&plan(vec![wall(); WALLS_MAX + 1], vec![])), "walls");
    assert_eq!(fault(&plan(vec![vec![[0.0, 0.0]; POINTS_MAX + 1]], vec![])), "walls");
    assert_eq!(fault(&plan(vec![wall(), vec![[0.0, 0.0]]], vec![])), "walls[1]");
    assert_eq!(fault(&plan(vec![vec![[0.0, 0.0], [10_000.5, 0.0]]], vec![])), "walls[0][1]");
    assert_eq!(fault(&plan(vec![vec![[f64::NAN, 0.0], [1.0, 0.0]]], vec![])), "walls[0][0]");
    let many = (0..=AREAS_MAX).map(|at| area(&at.to_string(), &SQUARE)).collect();
    assert_eq!(fault(&plan(vec![], many)), "areas");
}

#[test]
fn ws_53_a_name_that_cannot_be_read_or_stands_twice_is_refused() {
    let long = "x".repeat(NAME_CHARS_MAX + 1);
    for name in ["", " ", " dock", &long, "a\nb", "do\u{202e}ck", "do\u{200b}ck"] {
        assert_eq!(fault(&plan(vec![], vec![area(name, &SQUARE)])), "areas[0].name", "{name:?}");
    }
    assert_eq!(fault(&plan(vec![], vec![area("dock", &SQUARE), area("dock", &SQUARE)])), "areas[1].name");
    assert_eq!(fault(&plan(vec![], vec![area(&"ä".repeat(NAME_CHARS_MAX), &SQUARE)])), "");
}

#[test]
fn ws_53_an_area_whose_edge_crosses_or_touches_itself_or_encloses_nothing_is_refused() {
    let bow_tie = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
    let line = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]];
    let spike = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [2.0, 0.5], [0.0, 2.0]];
    let touching = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 0.0], [0.0, 4.0]];
    let doubled = [[0.0, 0.0], [0.0, 0.0], [2.0, 0.0], [2.0, 2.0]];
    for corners in [&bow_tie[..], &line, &spike, &touching, &doubled, &SQUARE[..2]] {
        assert_eq!(fault(&plan(vec![], vec![area("dock", corners)])), "areas[0].corners", "{corners:?}");
    }
    let with_a_corner_on_a_straight_edge = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 2.0]];
    assert_eq!(fault(&plan(vec![], vec![area("dock", &with_a_corner_on_a_straight_edge)])), "");
    let round: Vec<PlanPoint> = (0..=CORNERS_MAX)
        .map(|at| f64::from(u32::try_from(at).unwrap()) * std::f64::consts::TAU / 501.0)
        .map(|angle| [angle.cos(), angle.sin()])
        .collect();
    assert_eq!(fault(&plan(vec![], vec![area("dock", &round)])), "areas[0].corners");
    assert_eq!(fault(&plan(vec![], vec![area("dock", &round[..CORNERS_MAX])])), "");
}
