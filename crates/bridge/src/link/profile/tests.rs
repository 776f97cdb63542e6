use expect_test::{Expect, expect};

use super::*;

fn check(listen: &[&str], file: Option<&str>, expected: Expect) {
    let folder = tempfile::tempdir().unwrap();
    let path = file.map(|text| {
        let path = folder.path().join("zenoh.json5");
        std::fs::write(&path, text).unwrap();
        path
    });
    let listen = listen.iter().map(|endpoint| (*endpoint).to_owned()).collect();
    let outcome = local_config(&LinkConfig { listen, connect: Vec::new(), file: path });
    let shown = match outcome {
        Ok(config) => {
            let fields = [LISTEN, CONNECT, DISCOVERY[0], DISCOVERY[1], LEASE];
            fields.map(|field| format!("{field}: {}", value(&config, field).unwrap())).join("\n")
        }
        Err(error) => format!("{}: {error}", error.code()),
    };
    expected.assert_eq(&shown);
}

#[test]
fn accepts_loopback_and_switches_discovery_off() {
    check(
        &["tcp/127.0.0.1:0", "tcp/[::1]:7447", "tcp/localhost:7448"],
        None,
        expect![[r#"
            listen/endpoints: ["tcp/127.0.0.1:0","tcp/[::1]:7447","tcp/localhost:7448"]
            connect/endpoints: []
            scouting/multicast/enabled: false
            scouting/gossip/enabled: false
            transport/link/tx/lease: 2000"#]],
    );
    check(
        &[],
        Some("{ connect: { endpoints: ['tcp/127.0.0.1:7447'] }, transport: { link: { tx: { lease: 3000 } } } }"),
        expect![[r#"
            listen/endpoints: []
            connect/endpoints: ["tcp/127.0.0.1:7447"]
            scouting/multicast/enabled: false
            scouting/gossip/enabled: false
            transport/link/tx/lease: 3000"#]],
    );
}

#[test]
fn refuses_what_reaches_beyond_this_computer_and_names_the_field() {
    check(
        &["tcp/0.0.0.0:7447"],
        None,
        expect![[
            r#"zenoh_config_refused: Zenoh setting listen/endpoints is refused: expected tcp on a loopback address in the local profile, not "tcp/0.0.0.0:7447""#
        ]],
    );
    check(
        &[],
        Some("{ connect: { endpoints: { peer: ['tcp/127.0.0.1:1', 'tcp/robot.example:7447'] } } }"),
        expect![[
            r#"zenoh_config_refused: Zenoh setting connect/endpoints is refused: expected tcp on a loopback address in the local profile, not "tcp/robot.example:7447""#
        ]],
    );
    check(
        &[],
        Some("{ scouting: { multicast: { enabled: true } } }"),
        expect![
            "zenoh_config_refused: Zenoh setting scouting/multicast/enabled is refused: expected false in the local profile"
        ],
    );
    check(
        &[],
        Some("{ transport: { link: { tx: { lease: 60000 } } } }"),
        expect!["zenoh_config_refused: Zenoh setting transport/link/tx/lease is refused: expected 1000 to 5000 ms"],
    );
}
