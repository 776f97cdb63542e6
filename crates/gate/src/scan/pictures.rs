//! Cameras and maps of a robot.

use robot::{CameraId, FieldProposal, FieldSource, FindField};

use super::group::Group;
use super::proposal::{chosen, offered, proposal};
use super::seen::EndKind;

/// Pictures as they are.
const IMAGE: &str = "sensor_msgs/msg/Image";
/// Pictures in JPEG, or another compression.
const COMPRESSED: &str = "sensor_msgs/msg/CompressedImage";
/// Lenses of cameras.
const CAMERA_INFO: &str = "sensor_msgs/msg/CameraInfo";
/// Maps of cells.
const GRID: &str = "nav_msgs/msg/OccupancyGrid";
/// Last part of the topic of compressed pictures of a camera.
const IN_JPEG: &str = "/compressed";
/// Parts of a topic's name that name no camera.
const COMMON: [&str; 7] =
    ["image", "image_raw", "image_color", "image_rect", "image_rect_color", "compressed", "image_mono"];
/// Cameras of one robot.
const CAMERAS_MAX: usize = 8;

/// Cameras and map.
pub fn proposals(group: &Group<'_>) -> Vec<FieldProposal> {
    cameras(group).into_iter().chain(map(group)).collect()
}

/// The cameras, each once. They are a guess if one has no lens beside it, for it may be something else that is drawn.
fn cameras(group: &Group<'_>) -> Option<FieldProposal> {
    let compressed =
        group.named(EndKind::Publisher, &[COMPRESSED]).into_iter().filter(|topic| topic.ends_with(IN_JPEG));
    let compressed: Vec<&str> = compressed.filter(|topic| is_for_people(topic)).collect();
    let plain = group.named(EndKind::Publisher, &[IMAGE]).into_iter().filter(|topic| is_for_people(topic));
    // The same picture comes twice, and the compressed one costs the network less.
    let plain = plain.filter(|topic| !compressed.contains(&format!("{topic}{IN_JPEG}").as_str()));
    let topics = compressed.iter().map(|topic| ("compressed_image", *topic)).chain(plain.map(|topic| ("image", topic)));
    let (mut lines, mut ids, mut is_guess) = (Vec::new(), Vec::new(), false);
    for (encoding, topic) in topics.take(CAMERAS_MAX) {
        let id = unused(camera_id(&group.namespace, topic), &ids);
        lines.push(format!("{id} {encoding} {topic}"));
        is_guess |= !has_lens(group, topic);
        ids.push(id);
    }
    let first = lines.first()?.rsplit(' ').next()?.to_owned();
    Some(proposal(FindField::Cameras, lines.join("; "), FieldSource::Topic, &first, is_guess))
}

/// Pictures of distances are for programs.
fn is_for_people(topic: &str) -> bool {
    !topic.to_ascii_lowercase().contains("depth")
}

/// True if the topic of a lens stands beside that of the pictures.
fn has_lens(group: &Group<'_>, topic: &str) -> bool {
    let plain = topic.strip_suffix(IN_JPEG).unwrap_or(topic);
    let beside = plain.rsplit_once('/').map_or("", |(before, _)| before);
    group.named(EndKind::Publisher, &[CAMERA_INFO]).contains(&format!("{beside}/camera_info").as_str())
}

/// `oakd-rgb` of `/tb4/oakd/rgb/image_raw/compressed` in `/tb4`.
fn camera_id(namespace: &str, topic: &str) -> String {
    let within = topic.strip_prefix(namespace).unwrap_or(topic);
    let parts: Vec<&str> = within.split('/').filter(|part| !part.is_empty() && !COMMON.contains(part)).collect();
    let id = parts.join("-").to_ascii_lowercase().replace('_', "-");
    CameraId::new(id).map_or_else(|_| "camera".to_owned(), |id| id.to_string())
}

fn unused(id: String, used: &[String]) -> String {
    let mut numbered = (2..).map(|number| format!("{id}-{number}"));
    if used.contains(&id) { numbered.find(|id| !used.contains(id)).unwrap_or(id) } else { id }
}

/// The map. Costmaps are grids too, and are only offered.
fn map(group: &Group<'_>) -> Option<FieldProposal> {
    let grids = group.named(EndKind::Publisher, &[GRID]);
    let maps: Vec<&str> = grids.iter().copied().filter(|topic| topic.rsplit('/').next() == Some("map")).collect();
    let offered = offered(FindField::Map, &grids, FieldSource::Topic)?;
    let Some(map) = chosen(FindField::Map, &maps, FieldSource::Topic) else { return Some(offered) };
    Some(FieldProposal { choices: offered.choices, ..map })
}
