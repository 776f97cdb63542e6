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
        let payload = message(&mut canvas, "arm-1", encoding, 0).unwrap();
        let read = bridge::read_picture(encoding, &payload.into()).unwrap();
        assert_eq!([read.width_px, read.height_px], SIZE_PX.map(u32::from));
        assert!(read.bytes().len() < 64 * 1024, "{} bytes", read.bytes().len());
    }
}
