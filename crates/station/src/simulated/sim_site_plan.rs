//! The plan of the simulated site: a building with the places that its camera and its missions name.

use robot::{FrameId, IdError};
use world::SitePlan;
use world::site_plan::{PlanArea, PlanPoint};

/// The building; its gaps are doors. No way of the example missions leads through a wall.
const WALLS: &[&[PlanPoint]] = &[
    &[[7.5, 0.9], [7.5, 7.5], [-7.5, 7.5], [-7.5, -6.5], [7.5, -6.5], [7.5, -0.9]],
    &[[3.5, 7.5], [3.5, 5.4]],
    &[[5.2, 3.5], [7.5, 3.5]],
    &[[-3.6, 7.5], [-3.6, 5.2]],
    &[[-3.6, 3.6], [-3.6, 2.0], [-4.8, 2.0]],
    &[[-6.2, 2.0], [-7.5, 2.0]],
    &[[-7.5, -2.0], [-6.2, -2.0]],
    &[[-4.8, -2.0], [-3.6, -2.0], [-3.6, -6.5]],
    &[[7.5, -2.0], [4.6, -2.0], [4.6, -1.0]],
    &[[4.6, 1.0], [4.6, 2.0], [7.5, 2.0]],
];

/// Each place with two opposite corners.
const PLACES: [(&str, PlanPoint, PlanPoint); 7] = [
    ("kitchen", [-7.5, 2.0], [-3.6, 7.5]),
    ("stairs", [-7.5, -6.5], [-3.6, -2.0]),
    ("hallway", [-7.5, -2.0], [-1.5, 2.0]),
    ("weld_cell", [-1.5, -2.0], [3.0, 2.0]),
    ("loading_dock", [3.5, 3.5], [7.5, 7.5]),
    ("front_door", [4.6, -2.0], [7.5, 2.0]),
    ("street", [7.5, -6.5], [9.0, 7.5]),
];

/// The plan of the simulated site, in `map`.
pub(crate) fn plan() -> Result<SitePlan, IdError> {
    let walls = WALLS.iter().map(|wall| wall.to_vec()).collect();
    let areas = PLACES.iter().map(|&(name, [left, bottom], [right, top])| PlanArea {
        name: name.to_owned(),
        corners: vec![[left, bottom], [right, bottom], [right, top], [left, top]],
    });
    Ok(SitePlan { walls, areas: areas.collect(), ..SitePlan::empty(FrameId::new("map")?) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ws_55_the_plan_of_the_simulated_site_is_one_that_could_be_saved() {
        assert_eq!(plan().unwrap().check(), Ok(()));
    }

    #[test]
    fn ws_55_the_plan_of_the_simulated_site_names_every_place_that_its_camera_names() {
        let drawn = plan().unwrap();
        let providers = crate::simulated::sim_providers::providers();
        let named = providers.iter().flat_map(|provider| provider.closed_sets.get("zone").into_iter().flatten());
        let missing: Vec<&String> = named.filter(|name| drawn.areas.iter().all(|area| area.name != **name)).collect();
        assert_eq!(missing, Vec::<&String>::new());
    }
}
