use std::fmt;

use proptest::prelude::*;
use serde::de::Error;
use serde_json::{Map, Value, json};

use super::*;
use crate::definition::{Definitions, built_in};

/// One message of each type that is built in: its value, the bytes of `rosbags` 0.11.9 in both orders, and those of
/// `rclpy` of ROS 2 Kilted where its padding differs.
const SAMPLES: &str = include_str!("samples.jsonl");

/// A value as JSON; bytes are `{"bytes": "<hex>"}`.
struct Json;

impl<'de> DeserializeSeed<'de> for Json {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Json {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<Value, E> {
        Ok(truth.into())
    }

    fn visit_i64<E: Error>(self, int: i64) -> Result<Value, E> {
        Ok(int.into())
    }

    fn visit_u64<E: Error>(self, int: u64) -> Result<Value, E> {
        Ok(int.into())
    }

    fn visit_f64<E: Error>(self, float: f64) -> Result<Value, E> {
        Ok(float.into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Value, E> {
        Ok(json!({"bytes": hex::encode(bytes)}))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(element) = elements.next_element_seed(Json)? {
            array.push(element);
        }
        Ok(array.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = entries.next_key::<String>()? {
            map.insert(name, entries.next_value_seed(Json)?);
        }
        Ok(map.into())
    }
}

struct Recorded {
    definition: &'static Definition,
    value: Value,
    messages: Vec<Vec<u8>>,
}

fn recorded() -> Vec<Recorded> {
    let of = |line: &str| {
        let sample: Value = serde_json::from_str(line).unwrap();
        let bytes = |name: &str| sample[name].as_str().map(|text| hex::decode(text).unwrap());
        Recorded {
            definition: built_in().get(sample["message"].as_str().unwrap()).unwrap(),
            value: sample["value"].clone(),
            messages: ["little", "big", "ros"].into_iter().filter_map(bytes).collect(),
        }
    };
    SAMPLES.lines().map(of).collect()
}

#[test]
fn rg_61_messages_of_ros_2_have_the_fields_that_their_senders_gave_them() {
    let recorded = recorded();
    // Messages of detectors are none of the core; they are held where they are read.
    let core = built_in().iter().filter(|definition| !definition.name().starts_with("vision_msgs/"));
    assert_eq!(recorded.len(), core.count());
    for Recorded { definition, value, messages } in recorded {
        assert!(messages.len() >= 2);
        for message in messages {
            assert_eq!(read(&message, definition, Json).as_ref(), Ok(&value), "{}", definition.name());
        }
    }
}

#[test]
fn rg_61_a_message_that_is_cut_anywhere_is_an_error() {
    for Recorded { definition, messages, .. } in recorded() {
        for message in &messages[..2] {
            let shortest = (0..=message.len()).find(|end| read(&message[..*end], definition, Json).is_ok());
            // Only padding at the end may be missing.
            assert!(shortest.is_some_and(|end| end + 3 >= message.len()), "{}", definition.name());
        }
    }
}

#[test]
fn rg_61_a_length_beyond_the_message_takes_no_memory() {
    for Recorded { definition, messages, .. } in recorded() {
        let message = &messages[0];
        for at in (ENCAPSULATION_BYTES..message.len().saturating_sub(3)).step_by(4) {
            let mut hostile = message.clone();
            hostile[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
            let _ = read(&hostile, definition, Json);
        }
    }
    let text = built_in().get("std_msgs/msg/String").unwrap();
    assert_eq!(read(b"\0\x01\0\0\xff\xff\xff\x00map\0", text, Json), Err(CdrError::Truncated));
}

#[test]
fn rg_23_what_is_not_plain_cdr_is_refused_with_its_reason() {
    let text = built_in().get("std_msgs/msg/String").unwrap();
    let refused = |message: &[u8]| read(message, text, Json).unwrap_err().to_string();
    assert_eq!(refused(b"\0\x03\0\0\x04\0\0\0map\0"), "the representation 0x0003 is not plain CDR");
    assert_eq!(refused(b"\0\x07\0\0\x04\0\0\0map\0"), "the representation 0x0007 is not plain CDR");
    assert_eq!(refused(b"\0\x01"), "the message ends early");
    assert_eq!(refused(b"\0\x01\0\0\x03\0\0\0map\0"), "a text is not UTF-8 with a zero at its end");
    assert_eq!(refused(b"\0\x01\0\0\x03\0\0\0\xff\xff\0"), "a text is not UTF-8 with a zero at its end");
    let truth = built_in().get("std_msgs/msg/Bool").unwrap();
    assert_eq!(read(b"\0\x01\0\0\x02", truth, Json), Err(CdrError::Bool));
}

#[test]
fn rg_23_an_array_or_a_text_beyond_its_bound_is_refused() {
    let definitions = Definitions::parse("MSG: lab_msgs/Tag\nstring<=3 name\nint16[<=2] marks").unwrap();
    let tag = definitions.get("lab_msgs/msg/Tag").unwrap();
    let fits = b"\0\x01\0\0\x04\0\0\0abc\0\x02\0\0\0\x01\0\x02\0";
    assert_eq!(read(fits, tag, Json), Ok(json!({"name": "abc", "marks": [1, 2]})));
    let too_many = |name: &str, count, count_max| Err(CdrError::TooMany { name: name.to_owned(), count, count_max });
    assert_eq!(read(b"\0\x01\0\0\x05\0\0\0abcd\0", tag, Json), too_many("name", 4, 3));
    assert_eq!(read(b"\0\x01\0\0\x04\0\0\0abc\0\x03\0\0\0", tag, Json), too_many("marks", 3, 2));
}

proptest! {
    #[test]
    fn no_bytes_panic(message in proptest::collection::vec(any::<u8>(), 0..200), index in 0_usize..128, little in any::<bool>()) {
        let mut message = message;
        if let Some(start) = message.get_mut(..2) {
            start.copy_from_slice(&[0, u8::from(little)]);
        }
        let definition = built_in().iter().nth(index).unwrap();
        let _ = read(&message, definition, Json);
    }
}
