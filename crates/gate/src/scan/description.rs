//! A robot's description, URDF: limits of joints, and a sphere around everything that can collide.

use std::collections::BTreeMap;

use roxmltree::{Document, Node, ParsingOptions};

use robot::{FIND_TEXT_CHARS_MAX, FoundJoint};

/// Elements and attributes of one description.
const NODES_MAX: u32 = 200_000;
/// Links, joints and whatever else stands beside them in one description: the largest humanoids have some hundred, and
/// the time to read grows with the square.
const PARTS_MAX: usize = 4_000;
/// Bytes from one `<` to the next: the parser compares every attribute of an element with every other.
const TAG_BYTES_MAX: usize = 16 * 1024;
/// Joints of one description.
const JOINTS_MAX: usize = 64;
/// Links within one another.
const DEPTH_MAX: u8 = 64;
/// Kinds of joints that turn or slide.
const MOVING: [&str; 3] = ["revolute", "continuous", "prismatic"];

/// A joint of an arm.
#[derive(Debug, Clone, PartialEq)]
pub struct ArmJoint {
    /// The joint with its limits.
    pub joint: FoundJoint,
    /// Farthest that the last link of the arm can be from its axis, metres; 1 for one that slides.
    pub reach_m: Option<f64>,
}

fn parse(text: &str) -> Option<Document<'_>> {
    if text.split('<').any(|tag| tag.len() > TAG_BYTES_MAX) {
        return None;
    }
    let options = ParsingOptions { nodes_limit: NODES_MAX, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).ok()?;
    let parts = document.root_element().children().filter(Node::is_element).count();
    (parts <= PARTS_MAX).then_some(document)
}

/// True for a name that can be shown in a line.
fn is_plain(name: &str) -> bool {
    let is_shown = |c: char| c.is_alphanumeric() || c.is_ascii_graphic() || c == ' ';
    name.chars().count() <= FIND_TEXT_CHARS_MAX && name.chars().all(is_shown)
}

/// The joints that move, with their limits.
pub fn joints(text: &str) -> Vec<FoundJoint> {
    let Some(document) = parse(text) else { return Vec::new() };
    let moves = |joint: &Node<'_, '_>| MOVING.contains(&joint.attribute("type").unwrap_or_default());
    let joints = document.root_element().children().filter(|node| node.has_tag_name("joint")).filter(moves);
    let found = joints.filter_map(|joint| {
        let name = joint.attribute("name").filter(|name| is_plain(name))?;
        let limit = child(joint, "limit");
        let range = [number(limit, "lower"), number(limit, "upper")];
        Some(FoundJoint {
            name: name.to_owned(),
            range: match range {
                // URDF has no range for a joint that turns without end: numbers that stand there bind nothing.
                [Some(lower), Some(upper)] if joint.attribute("type") != Some("continuous") => Some([lower, upper]),
                [_, _] => None,
            },
            speed_max: number(limit, "velocity"),
            effort_max: number(limit, "effort"),
            slides: joint.attribute("type") == Some("prismatic"),
        })
    });
    found.take(JOINTS_MAX).collect()
}

/// The joints of these names in their order, each with its reach: the way through every link behind it to the last of
/// them. A joint that the description lacks is left out, and a reach that cannot be told is none.
pub fn arm(text: &str, names: &[String]) -> Vec<ArmJoint> {
    let (all, document) = (joints(text), parse(text));
    let chain = document.as_ref().and_then(|document| chain(document.root_element(), names));
    let reach_m = |joint: &FoundJoint| if joint.slides { Some(1.0) } else { reach_of(chain.as_deref()?, &joint.name) };
    let named = names.iter().filter_map(|name| all.iter().find(|joint| joint.name == *name));
    named.map(|joint| ArmJoint { joint: joint.clone(), reach_m: reach_m(joint) }).collect()
}

/// The link before the first of these joints, and that behind the last, by the chain that they form.
pub fn ends(text: &str, names: &[String]) -> Option<(String, String)> {
    let document = parse(text)?;
    let chain = chain(document.root_element(), names)?;
    let link = |joint: &Node<'_, '_>, end: &str| Some(child(*joint, end)?.attribute("link")?.to_owned());
    Some((link(chain.first()?, "parent")?, link(chain.last()?, "child")?))
}

/// The joints from the first of these names to the last, with those between them that do not move. None if they form no
/// chain.
fn chain<'a, 'i>(robot: Node<'a, 'i>, names: &[String]) -> Option<Vec<Node<'a, 'i>>> {
    let is_named =
        |joint: &Node<'_, '_>| joint.attribute("name").is_some_and(|name| names.iter().any(|named| named == name));
    let all = || robot.children().filter(|node| node.has_tag_name("joint"));
    let named: Vec<Node<'_, '_>> = all().filter(is_named).collect();
    // Two joints of one name are no description of an arm; thousands of them would be followed one after the other.
    if named.len() != names.len() {
        return None;
    }
    let mut by_child: BTreeMap<&str, Node<'_, '_>> = BTreeMap::new();
    for joint in all() {
        if let Some(link) = child(joint, "child").and_then(|child| child.attribute("link")) {
            by_child.entry(link).or_insert(joint);
        }
    }
    let before = |joint: &Node<'a, 'i>| by_child.get(child(*joint, "parent")?.attribute("link")?).copied();
    let up = |from: Node<'a, 'i>| {
        let mut way = vec![from];
        while let Some(next) = way.last().and_then(&before).filter(|_| way.len() < usize::from(DEPTH_MAX)) {
            way.push(next);
        }
        way
    };
    // The last joint of the chain has all the others on its way up to the root.
    let whole = named.iter().copied().map(up);
    let mut way = whole.max_by_key(|way| way.iter().filter(|joint| is_named(joint)).count())?;
    if way.iter().filter(|joint| is_named(joint)).count() != names.len() {
        return None;
    }
    let first = way.iter().rposition(is_named)?;
    way.truncate(first + 1);
    way.reverse();
    Some(way)
}

/// The most that the last link can be away from the axis of a joint, metres.
fn reach_of(chain: &[Node<'_, '_>], name: &str) -> Option<f64> {
    let at = chain.iter().position(|joint| joint.attribute("name") == Some(name))?;
    let behind = chain.get(at + 1..)?.iter();
    let way = behind.map(|joint| Some(offset_m(*joint)? + travel_m(*joint)?)).sum::<Option<f64>>()?;
    // Up to the next millimetre; the error of a calculation alone makes no other one.
    (way.is_finite() && way > 0.0).then(|| (way * 1000.0 - 1e-6).ceil() / 1000.0)
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
    Reaches { robot, known: BTreeMap::new() }.of(root, DEPTH_MAX)?.filter(|radius| *radius > 0.0 && radius.is_finite())
}

/// The reaches of the links of one robot.
struct Reaches<'a, 'i> {
    robot: Node<'a, 'i>,
    /// Those that are known, by the names of the links: a description from the network may lead to one link by countless
    /// ways.
    known: BTreeMap<&'a str, Option<f64>>,
}

impl<'a, 'i> Reaches<'a, 'i> {
    /// The farthest that the shapes of a link, and of those behind it, lie from its origin, metres; inner none if it has no
    /// shape.
    fn of(&mut self, link: Node<'a, 'i>, depth: u8) -> Option<Option<f64>> {
        let name = link.attribute("name")?;
        if let Some(known) = self.known.get(name) {
            return Some(*known);
        }
        // Links may form a circle: nothing in a description rules it out.
        let reach = self.measured(link, depth.checked_sub(1)?)?;
        self.known.insert(name, reach);
        Some(reach)
    }

    fn measured(&mut self, link: Node<'a, 'i>, depth: u8) -> Option<Option<f64>> {
        let robot = self.robot;
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
            if let Some(behind) = self.of(next, depth)? {
                widen(offset_m(joint)? + travel_m(joint)? + behind);
            }
        }
        Some(reach)
    }
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
    fn rg_40_a_description_with_countless_ways_to_one_link_is_read_at_once() {
        let link = |at| {
            format!("<link name=\"l{at}\"><collision><geometry><sphere radius=\"0.1\"/></geometry></collision></link>")
        };
        let joint = |at: u32| {
            format!("<joint name=\"j\" type=\"fixed\"><parent link=\"l{at}\"/><child link=\"l{}\"/></joint>", at + 1)
        };
        let links: String = (0..60).map(link).collect();
        let joints: String = (0..59).map(|at| joint(at).repeat(2)).collect();
        assert!((radius_m(&format!("<robot>{links}{joints}</robot>")).unwrap() - 0.1).abs() < 1e-9);
    }

    #[test]
    fn rg_40_a_description_that_would_be_read_for_minutes_is_none() {
        let wide: String = (0..5_000).map(|at| format!("<link name=\"l{at}\"/>")).collect();
        assert!(parse(&format!("<robot>{wide}</robot>")).is_none());
        let attributes: String = (0..5_000).map(|at| format!(" a{at}=\"\"")).collect();
        assert!(parse(&format!("<robot><link{attributes}/></robot>")).is_none());
        let joint = "<joint name=\"turn\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint>";
        let names = ["turn".to_owned()];
        assert!(ends(&format!("<robot>{joint}</robot>"), &names).is_some());
        assert!(ends(&format!("<robot>{joint}{joint}</robot>"), &names).is_none(), "which of the two?");
    }

    #[test]
    fn rg_40_the_name_of_a_joint_is_one_that_can_be_shown() {
        let named = |name: &str| joints(&ROVER.replace("\"lift\" type", &format!("\"{name}\" type")));
        assert_eq!(named("FR_hip-1.x").len(), 2);
        for name in ["li\u{202e}ft", "li\u{200b}ft"] {
            assert_eq!(named(name).len(), 1, "{name:?}");
        }
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
