//! Names of topics as `rmw_zenoh`, the middleware of ROS 2 over Zenoh, gives them.

use crate::definition::{Definition, built_in};

/// Hash that ROS 2 Humble writes, which knows none.
const NO_HASH: &str = "TypeHashNotSupported";

/// A topic by its key expression: `<domain>/<topic>/<DDS type>/<hash>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic<'k> {
    /// The ROS domain.
    pub domain: u32,
    /// Its name without the first slash, for example `tb4/odom`.
    name: &'k str,
    /// Type of its messages as DDS names it, for example `nav_msgs::msg::dds_::Odometry_`.
    dds_type: &'k str,
    /// Hash of their definition, if its sender knows hashes.
    hash: Option<&'k str>,
}

/// Reason that messages of a topic cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownMessage {
    /// Nobody defined such a message here.
    NoDefinition,
    /// The sender defines it otherwise.
    OtherDefinition,
}

impl<'k> Topic<'k> {
    /// The topic of `key`, if it is the key expression of one.
    #[must_use]
    pub fn parse(key: &'k str) -> Option<Self> {
        // From the end, because the name of the topic has slashes of its own.
        let (key, hash) = key.rsplit_once('/')?;
        let (key, dds_type) = key.rsplit_once('/')?;
        let (domain, name) = key.split_once('/')?;
        let hash = match hash.strip_prefix("RIHS01_") {
            Some(digits) if digits.len() == 64 => Some(hash),
            None if hash == NO_HASH => None,
            Some(_) | None => return None,
        };
        // Keys of other programs may have as many chunks; the form of the type tells them apart.
        let is_type = dds_type.contains("::dds_::") && dds_type.ends_with('_');
        let domain = domain.parse().ok().filter(|_| is_type)?;
        Some(Self { domain, name, dds_type, hash })
    }

    /// Its name, for example `/tb4/odom`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("/{}", self.name)
    }

    /// Type of its messages, for example `nav_msgs/msg/Odometry`.
    #[must_use]
    pub fn message(&self) -> String {
        self.dds_type.replace("::dds_::", "/").replace("::", "/").trim_end_matches('_').to_owned()
    }

    /// The definition that its messages follow.
    ///
    /// # Errors
    ///
    /// [`UnknownMessage`] if none is known whose hash is the sender's. One that sends no hash is taken at its type's
    /// name.
    pub fn definition(&self) -> Result<&'static Definition, UnknownMessage> {
        let known = built_in().of_dds_type(self.dds_type).ok_or(UnknownMessage::NoDefinition)?;
        match self.hash {
            Some(hash) if hash != known.hash() => Err(UnknownMessage::OtherDefinition),
            Some(_) | None => Ok(known),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ODOMETRY: &str = "RIHS01_3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0";

    fn key(hash: &str) -> String {
        format!("42/tb4/odom/nav_msgs::msg::dds_::Odometry_/{hash}")
    }

    #[test]
    fn rg_21_a_key_expression_names_domain_topic_and_message() {
        let key = key(ODOMETRY);
        let topic = Topic::parse(&key).unwrap();
        assert_eq!((topic.domain, topic.name().as_str()), (42, "/tb4/odom"));
        assert_eq!(topic.message(), "nav_msgs/msg/Odometry");
        assert_eq!(topic.definition().unwrap().name(), "nav_msgs/msg/Odometry");
    }

    #[test]
    fn rg_22_a_message_of_another_definition_is_never_taken_for_the_known_one() {
        let other = key(&format!("RIHS01_{}", "0".repeat(64)));
        assert_eq!(Topic::parse(&other).unwrap().definition(), Err(UnknownMessage::OtherDefinition));
        let unknown = key(ODOMETRY).replace("Odometry", "Odometer");
        assert_eq!(Topic::parse(&unknown).unwrap().definition(), Err(UnknownMessage::NoDefinition));
        let humble = key(NO_HASH);
        assert_eq!(Topic::parse(&humble).unwrap().definition().unwrap().hash(), ODOMETRY);
    }

    #[test]
    fn rg_21_other_key_expressions_name_no_topic() {
        for key in ["lab/arm-1/out/state/pose", "0/odom", "x/odom/nav_msgs::msg::dds_::Odometry_/RIHS01_00", ""] {
            assert_eq!(Topic::parse(key), None, "{key}");
        }
    }

    proptest! {
        #[test]
        fn no_key_expression_panics(key in "[0-9]{0,3}(/[a-z_:]{0,12}){0,4}/?(RIHS01_)?[0-9a-fé]{0,66}") {
            let _ = Topic::parse(&key);
        }
    }
}
