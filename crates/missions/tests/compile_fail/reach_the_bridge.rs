use bridge::RobotLink;

fn move_it(_link: &RobotLink) {}

fn main() {}
