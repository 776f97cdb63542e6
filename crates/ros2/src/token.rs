//! Tokens of liveliness by which `rmw_zenoh` shows the graph: one for each node and for each end of a topic or a
//! service.

/// Key expression of every token. `**` does not match its first chunk, which must be named.
pub const TOKENS: &str = "@ros2_lv/**";

/// Kind of a thing that is alive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A node.
    Node,
    /// A publisher.
    Publisher,
    /// A subscriber.
    Subscriber,
    /// The server of a service.
    Server,
    /// A client of a service.
    Client,
}

/// A token, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The ROS domain.
    pub domain: u16,
    /// Kind of the thing.
    pub kind: TokenKind,
    /// Namespace of its node, with the slash at its beginning.
    pub namespace: String,
    /// Name of its node.
    pub node: String,
    /// Name and type in DDS of its topic or service; none for a node.
    pub topic: Option<(String, String)>,
}

impl Token {
    /// The token of `key`, if it is one.
    #[must_use]
    pub fn parse(key: &str) -> Option<Self> {
        let chunks: Vec<&str> = key.split('/').collect();
        // A slash within a name stands as `%`, so that the chunks can be counted.
        let ["@ros2_lv", domain, _session, _node, _entity, kind, _enclave, namespace, node, rest @ ..] =
            chunks.as_slice()
        else {
            return None;
        };
        let kind = match *kind {
            "NN" => TokenKind::Node,
            "MP" => TokenKind::Publisher,
            "MS" => TokenKind::Subscriber,
            "SS" => TokenKind::Server,
            "SC" => TokenKind::Client,
            _ => return None,
        };
        let topic = match (kind, rest) {
            (TokenKind::Node, []) => None,
            (
                TokenKind::Publisher | TokenKind::Subscriber | TokenKind::Server | TokenKind::Client,
                [name, dds_type, _hash, _qos],
            ) => Some((plain(name), (*dds_type).to_owned())),
            (
                TokenKind::Node | TokenKind::Publisher | TokenKind::Subscriber | TokenKind::Server | TokenKind::Client,
                _,
            ) => return None,
        };
        let namespace = match plain(namespace) {
            empty if empty.is_empty() => "/".to_owned(),
            named => named,
        };
        Some(Self { domain: domain.parse().ok()?, kind, namespace, node: plain(node), topic })
    }
}

/// A chunk with its slashes; one that is empty stands as `%`.
fn plain(chunk: &str) -> String {
    if chunk == "%" { String::new() } else { chunk.replace('%', "/") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rg_21_tokens_of_liveliness_name_nodes_and_the_ends_of_topics() {
        let node = Token::parse("@ros2_lv/7/aa/0/0/NN/%/%/talker").unwrap();
        let expected =
            Token { domain: 7, kind: TokenKind::Node, namespace: "/".into(), node: "talker".into(), topic: None };
        assert_eq!(node, expected);
        let key =
            "@ros2_lv/0/aa/3/4/MS/%/%spot/driver/%spot%cmd_vel/geometry_msgs::msg::dds_::Twist_/RIHS01_9c/::,1:,:,:,,";
        let end = Token::parse(key).unwrap();
        assert_eq!((end.kind, end.namespace.as_str(), end.node.as_str()), (TokenKind::Subscriber, "/spot", "driver"));
        assert_eq!(end.topic, Some(("/spot/cmd_vel".into(), "geometry_msgs::msg::dds_::Twist_".into())));
    }

    #[test]
    fn rg_21_other_keys_are_no_tokens() {
        for key in ["", "@ros2_lv/0/a/0/0/NN/%/%", "@ros2_lv/0/a/0/0/XX/%/%/n", "@ros2_lv/x/a/0/0/NN/%/%/n", "lab/x"] {
            assert_eq!(Token::parse(key), None, "{key}");
        }
    }

    proptest! {
        #[test]
        fn no_token_panics(key in "(@ros2_lv)?(/[a-zA-Z0-9%:é]{0,6}){0,14}") {
            let _ = Token::parse(&key);
        }
    }
}
