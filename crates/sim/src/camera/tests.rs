use super::*;

/// The picture of `robot`'s camera of a world, as pixels.
fn drawn(world: &SimWorld, robot: &str) -> Vec<u8> {
    let mut canvas = Canvas::new(SIZE_PX);
    canvas.draw(&eye_of(world, &RobotId::new(robot).unwrap()).unwrap(), &solids(world));
    canvas.pixels().to_vec()
}

#[test]
fn u_406_a_simulated_camera_draws_what_stands_before_it() {
    let mut world = SimWorld::new(1).unwrap();
    let [cell, front] = ["arm-1", "rover-1"].map(|robot| drawn(&world, robot));
    assert_eq!(drawn(&world, "arm-1"), cell, "the same site looks the same");
    let arm = RobotId::new("arm-1").unwrap();
    world.robots.get_mut(&arm).unwrap().mover.as_mut().unwrap().position_m = [0.6, 0.4, 1.2];
    let moved = drawn(&world, "arm-1");
    let changed = cell.chunks(3).zip(moved.chunks(3)).filter(|(before, after)| before != after).count();
    assert!(changed > 500, "{changed} pixels show that the arm has moved");
    let rover = RobotId::new("rover-1").unwrap();
    world.robots.get_mut(&rover).unwrap().mover.as_mut().unwrap().yaw_rad = 1.0;
    assert_ne!(drawn(&world, "rover-1"), front, "a rover that turns looks elsewhere");
}

#[test]
fn u_406_every_form_of_a_simulated_picture_are_read_as_a_station_reads_them() {
    let world = SimWorld::new(1).unwrap();
    let mut canvas = Canvas::new(SIZE_PX);
    let solids: Arc<[Solid]> = solids(&world).into();
    for encoding in [PictureEncoding::Jpeg, PictureEncoding::CompressedImage, PictureEncoding::Image] {
        let eye = eye_of(&world, &RobotId::new("arm-1").unwrap()).unwrap();
        canvas.draw(&eye, &solids);
        let payload = message(&mut canvas, &RobotId::new("arm-1").unwrap(), encoding, 0).unwrap();
        let read = bridge::read_picture(encoding, &payload.into()).unwrap();
        assert_eq!([read.width_px, read.height_px], SIZE_PX.map(u32::from));
        assert!(read.bytes().len() < 64 * 1024, "{} bytes", read.bytes().len());
    }
}

/// Detections in the picture of an eye at the origin that looks along x, with `solids` in the way.
fn found(named: &[Named], solids: &[Solid]) -> Vec<bridge::Detection> {
    let eye = Eye { position_m: [0.0, 0.0, 1.0], yaw_rad: 0.0, pitch_rad: 0.0, focal_px: 220.0 };
    let mut canvas = Canvas::new(SIZE_PX);
    let all: Vec<Solid> = named.iter().flat_map(|named| named.solids.clone()).chain(solids.iter().copied()).collect();
    canvas.draw(&eye, &all);
    detect(&canvas, &eye, named)
}

fn column_at(x_m: f64, y_m: f64) -> Solid {
    Solid { middle_m: [x_m, y_m, 1.0], half_m: [0.2, 0.2, 0.8], yaw_rad: 0.0, rgb: [200, 40, 40] }
}

#[test]
fn u_406_a_simulated_detector_finds_what_the_picture_shows_and_nothing_that_is_hidden() {
    let person = |x_m, y_m| Named { label: "person", solids: vec![column_at(x_m, y_m)] };
    let seen = found(&[person(4.0, 0.0)], &[]);
    assert_eq!((seen.len(), seen[0].label.as_str()), (1, "person"));
    let ([left, top], [right, bottom]) = (seen[0].min_px, seen[0].max_px);
    assert!((140.0..156.0).contains(&left) && (160.0..175.0).contains(&right), "{left} to {right}");
    assert!((70.0..90.0).contains(&top) && (150.0..170.0).contains(&bottom), "{top} to {bottom}");
    let wall = Solid { middle_m: [2.0, 0.0, 1.0], half_m: [0.1, 2.0, 1.0], yaw_rad: 0.0, rgb: [90; 3] };
    assert_eq!(found(&[person(4.0, 0.0)], &[wall]), [], "a wall hides it");
    assert_eq!(found(&[person(-4.0, 0.0)], &[]), [], "it stands behind the camera");
    assert_eq!(found(&[person(4.0, 40.0)], &[]), [], "it stands beside the picture");
    let [near, far] = [3.0, 8.0].map(|x_m| found(&[person(x_m, 0.0)], &[])[0].confidence);
    assert!(near > far && far > Some(0.5), "{near:?} {far:?}");
}

#[test]
fn u_406_the_site_has_names_for_its_walkers_and_for_the_other_rovers() {
    let world = SimWorld::new(1).unwrap();
    let labels =
        |robot: &str| named(&world, &RobotId::new(robot).unwrap()).iter().map(|named| named.label).collect::<Vec<_>>();
    assert_eq!(labels("arm-1"), ["person", "dog", "toddler", "robot", "robot"]);
    assert_eq!(labels("rover-1"), ["person", "dog", "toddler", "robot"]);
}
