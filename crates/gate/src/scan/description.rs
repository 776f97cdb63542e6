//! A robot's description, URDF: limits of joints, and a sphere around everything that can collide.

use roxmltree::{Document, Node, ParsingOptions};

use robot::{FIND_TEXT_CHARS_MAX, FoundJoint};

/// Elements and attributes of one description.
const NODES_MAX: u32 = 200_000;
/// Joints of one description.
const JOINTS_MAX: usize = 64;
/// Links within one another.
const DEPTH_MAX: u8 = 64;
/// Kinds of joints that turn or slide.
const MOVING: [&str; 3] = ["revolute", "continuous", "prismatic"];

fn parse(text: &str) -> Option<Document<'_>> {
    Document::parse_with_options(text, ParsingOptions { nodes_limit: NODES_MAX, ..ParsingOptions::default() }).ok()
}

/// The joints that move, with their limits.
pub fn joints(text: &str) -> Vec<FoundJoint> {
    let Some(document) = parse(text) else { return Vec::new() };
    let moves = |joint: &Node<'_, '_>| MOVING.contains(&joint.attribute("type").unwrap_or_default());
    let joints = document.root_element().children().filter(|node| node.has_tag_name("joint")).filter(moves);
    let found = joints.filter_map(|joint| {
        let name = joint.attribute("name").filter(|name| name.chars().count() <= FIND_TEXT_CHARS_MAX)?;
        let limit = child(joint, "limit");
        let range = [number(limit, "lower"), number(limit, "upper")];
        Some(FoundJoint {
            name: name.to_owned(),
            range: match range {
                [Some(lower), Some(upper)] if joint.attribute("type") != Some("continuous") => Some([lower, upper]),
                [_, _] => None,
            },
            speed_max: number(limit, "velocity"),
        })
    });
    found.take(JOINTS_MAX).collect()
}

/// Radius of a sphere around the origin of the outermost link that holds every shape of collision, however its joints
/// stand, metres. None if a shape is a mesh, if there is none, or if a joint slides without end.
pub fn radius_m(text: &str) -> Option<f64> {
    let document = parse(text)?;
    let robot = document.root_element();
    let is_child = |link: &Node<'_, '_>| {
        let name = link.attribute("name");
        robot.children().any(|joint| child(joint, "child").and_then(|child| child.attribute("link")) == name)
    };
    let root = robot.children().filter(|node| node.has_tag_name("link")).find(|link| !is_child(link))?;
    reach_m(robot, root, DEPTH_MAX)?.filter(|radius| *radius > 0.0 && radius.is_finite())
}

/// The farthest that the shapes of a link, and of those behind it, lie from its origin; inner none if it has no shape.
fn reach_m(robot: Node<'_, '_>, link: Node<'_, '_>, depth: u8) -> Option<Option<f64>> {
    let depth = depth.checked_sub(1)?;
    let mut reach: Option<f64> = None;
    let mut widen = |to: f64| reach = Some(reach.map_or(to, |reach| reach.max(to)));
    for collision in link.children().filter(|node| node.has_tag_name("collision")) {
        widen(offset_m(collision)? + half_diagonal_m(child(collision, "geometry")?)?);
    }
    for joint in robot.children().filter(|node| node.has_tag_name("joint")) {
        if child(joint, "parent")?.attribute("link") != link.attribute("name") {
            continue;
        }
        let next = child(joint, "child")?.attribute("link");
        let next = robot.children().find(|node| node.has_tag_name("link") && node.attribute("name") == next)?;
        if let Some(behind) = reach_m(robot, next, depth)? {
            widen(offset_m(joint)? + travel_m(joint)? + behind);
        }
    }
    Some(reach)
}

/// The farthest that a joint slides.
fn travel_m(joint: Node<'_, '_>) -> Option<f64> {
    match joint.attribute("type")? {
        "fixed" | "revolute" | "continuous" => Some(0.0),
        "prismatic" => {
            let limit = child(joint, "limit");
            Some(number(limit, "lower")?.abs().max(number(limit, "upper")?.abs()))
        }
        _ => None,
    }
}

fn half_diagonal_m(geometry: Node<'_, '_>) -> Option<f64> {
    let of = |tag: &str, name: &str| number(child(geometry, tag), name);
    if let Some(size) = child(geometry, "box").and_then(|shape| shape.attribute("size")) {
        return Some(length(&numbers(size)?) / 2.0);
    }
    if let (Some(radius), Some(height)) = (of("cylinder", "radius"), of("cylinder", "length")) {
        return Some(radius.hypot(height / 2.0));
    }
    of("sphere", "radius")
}

fn offset_m(node: Node<'_, '_>) -> Option<f64> {
    match child(node, "origin").and_then(|origin| origin.attribute("xyz")) {
        Some(xyz) => Some(length(&numbers(xyz)?)),
        None => Some(0.0),
    }
}

fn child<'a, 'i>(node: Node<'a, 'i>, tag: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.has_tag_name(tag))
}

fn number(node: Option<Node<'_, '_>>, name: &str) -> Option<f64> {
    node?.attribute(name)?.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

fn numbers(text: &str) -> Option<[f64; 3]> {
    let numbers: Vec<f64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    numbers.try_into().ok().filter(|numbers: &[f64; 3]| numbers.iter().all(|number| number.is_finite()))
}

fn length(vector: &[f64; 3]) -> f64 {
    vector.iter().map(|part| part * part).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ROVER: &str = r#"<robot name="r">
      <link name="base"><collision><geometry><box size="0.6 0.4 0"/></geometry></collision></link>
      <link name="mast"><collision><origin xyz="0 0 0.1"/><geometry><sphere radius="0.05"/></geometry></collision></link>
      <joint name="lift" type="prismatic"><parent link="base"/><child link="mast"/><origin xyz="0 0 0.2"/>
        <limit lower="0" upper="0.3" velocity="0.1" effort="5"/></joint>
      <link name="wheel"/>
      <joint name="wheel" type="continuous"><parent link="base"/><child link="wheel"/></joint>
    </robot>"#;

    #[test]
    fn rg_40_a_description_gives_limits_of_joints_and_a_sphere_around_what_collides() {
        let joints = joints(ROVER);
        assert_eq!(joints[0].name, "lift");
        assert_eq!((joints[0].range, joints[0].speed_max), (Some([0.0, 0.3]), Some(0.1)));
        assert_eq!((joints[1].range, joints[1].speed_max), (None, None));
        // 0.2 up to the joint, 0.3 of travel, 0.1 to the shape, 0.05 of it.
        assert!((radius_m(ROVER).unwrap() - 0.65).abs() < 1e-9);
    }

    #[test]
    fn rg_40_a_mesh_an_endless_slide_or_no_shape_gives_no_radius() {
        let mesh = ROVER.replace("<sphere radius=\"0.05\"/>", "<mesh filename=\"mast.stl\"/>");
        assert_eq!(radius_m(&mesh), None);
        assert_eq!(radius_m(&ROVER.replace(" upper=\"0.3\"", "")), None);
        assert_eq!(radius_m("<robot><link name=\"a\"/></robot>"), None);
        let circle = ROVER.replace("child link=\"wheel\"", "child link=\"base\"");
        assert_eq!(radius_m(&circle), None);
    }

    proptest! {
        #[test]
        fn no_description_panics(text in "(<(robot|link|joint|box|collision|geometry|child|parent)( [a-z]+=\"[a-z0-9. -]{0,5}\")?/?>|</(robot|link|joint)>|[a-z ]){0,12}") {
            let _ = (joints(&text), radius_m(&text));
        }
    }
}
