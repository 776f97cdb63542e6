//! Readers of topics that are handed on, made anew whenever a station looks.

use ros2_client::dds::rustdds::DomainParticipant;

use super::*;
use crate::adapters::ros2::domain::durable;
use crate::adapters::ros2::relay::{Kind, open};

const TEXT: &str = "std_msgs/msg/String";
const CAMERA: Kind = Kind::Camera(Duration::ZERO);

fn texts(participant: &DomainParticipant, name: &str, kind: Kind) -> impl FnMut() -> Option<String> {
    let reader = open(participant, name, TEXT, kind).unwrap();
    move || {
        let message = take(&reader)?.unwrap();
        // Its length with the zero at its end, the text, and room up to a whole word.
        let length = u32::from_le_bytes(message[4..8].try_into().unwrap()) as usize;
        Some(String::from_utf8(message[8..8 + length - 1].to_vec()).unwrap())
    }
}

#[test]
fn u_406_a_camera_that_is_looked_at_again_shows_no_picture_of_the_last_time() {
    let (namespace, domain) = place();
    let mut robot = node(domain, &namespace, "robot");
    let name = format!("{namespace}/camera");
    let camera = publisher::<String>(&mut robot, &name, ("std_msgs", "String"));
    let participant = DomainParticipantBuilder::new(domain).build().unwrap();
    let mut look = texts(&participant, &name, CAMERA);
    let (mut sent, mut looks, mut last) = (0, 0, None);
    // Until the last of them is there: one that is still on its way would come while somebody looks again.
    until("the last picture", || {
        if looks % 100 == 0 {
            sent += 1;
            assert!(camera.publish(format!("old {sent}")).is_ok());
        }
        looks += 1;
        last = std::iter::from_fn(&mut look).last().or(last.take());
        last == Some(format!("old {sent}"))
    });
    drop(look);
    let mut look = texts(&participant, &name, CAMERA);
    until("a picture of now", || {
        assert!(camera.publish("new".to_owned()).is_ok());
        let seen = look();
        assert!(seen.as_ref().is_none_or(|seen| seen == "new"), "{seen:?}");
        seen.is_some()
    });
}

#[test]
fn u_1102_of_a_map_that_is_sent_again_and_again_only_the_newest_few_are_kept() {
    const MAPS: usize = 20;
    let (namespace, domain) = place();
    let mut robot = node(domain, &namespace, "robot");
    let (name, text) = (format!("{namespace}/map"), MessageTypeName::new("std_msgs", "String"));
    let topic = robot.create_topic(&Name::parse(&name).unwrap(), text, &durable()).unwrap();
    let maps: Publisher<String> = robot.create_publisher(&topic, Some(durable())).unwrap();
    let participant = DomainParticipantBuilder::new(domain).build().unwrap();
    let mut look = texts(&participant, &name, Kind::Map);
    for number in 0..MAPS {
        // Large, because small ones are cleared away seldom.
        assert!(maps.publish(format!("{number:02}{}", " ".repeat(70_000))).is_ok());
        until("a map", || look().is_some_and(|map| map.starts_with(&format!("{number:02}"))));
    }
    let mut again = texts(&participant, &name, Kind::Map);
    let mut kept = Vec::new();
    until("the newest map", || {
        kept.extend(again().map(|map| map[..2].to_owned()));
        kept.last().is_some_and(|last| *last == format!("{:02}", MAPS - 1))
    });
    assert!(kept.len() <= 4, "{kept:?}");
}
