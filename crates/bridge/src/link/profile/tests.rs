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
    let outcome = config_of(&LinkConfig { listen, connect: Vec::new(), file: path }).map(|(config, _)| config);
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

const PRODUCTION: &str = r#"{
    mode: "client", connect: { endpoints: ["tls/router.lab:7447"] },
    transport: { link: { tls: { enable_mtls: true, root_ca_certificate: "ca.pem", connect_certificate: "certificate.pem",
                                connect_private_key: "/run/keys/key.pem" } } },
}"#;

/// The production file with a part replaced, as the session is opened with it, or the refusal.
fn produced(part: &str, by: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("zenoh.json5");
    let text = PRODUCTION.replace(part, by);
    assert!(part.is_empty() || text != PRODUCTION, "{part}");
    std::fs::write(&path, text).unwrap();
    match config_of(&LinkConfig { file: Some(path), ..LinkConfig::default() }) {
        Ok((config, profile)) => {
            let fields = [
                "mode",
                LISTEN,
                CONNECT,
                DISCOVERY[0],
                LEASE,
                MESSAGE_SIZE,
                "transport/link/protocols",
                "transport/link/tls/verify_name_on_connect",
                "transport/link/tls/close_link_on_expiration",
                "transport/link/tls/root_ca_certificate",
                "transport/link/tls/connect_private_key",
                "adminspace/enabled",
            ];
            let shown = fields.map(|field| format!("{field}: {}", value(&config, field).unwrap())).join("\n");
            format!("{profile:?}\n{}", shown.replace(&*folder.path().to_string_lossy(), "FOLDER"))
        }
        Err(error) => format!("{}: {error}", error.code()),
    }
}

#[test]
fn att_15_a_file_of_the_production_profile_is_a_client_with_every_check_on() {
    expect![[r#"
        Production
        mode: "client"
        listen/endpoints: []
        connect/endpoints: ["tls/router.lab:7447"]
        scouting/multicast/enabled: false
        transport/link/tx/lease: 2000
        transport/link/rx/max_message_size: 16777216
        transport/link/protocols: ["tls"]
        transport/link/tls/verify_name_on_connect: true
        transport/link/tls/close_link_on_expiration: true
        transport/link/tls/root_ca_certificate: "FOLDER/ca.pem"
        transport/link/tls/connect_private_key: "/run/keys/key.pem"
        adminspace/enabled: false"#]]
    .assert_eq(&produced("", ""));
}

#[test]
fn att_15_between_the_profiles_there_is_nothing_and_the_field_is_named() {
    let refused = [
        ("enable_mtls: true", "enable_mtls: false"),
        ("enable_mtls: true", "verify_name_on_connect: true"),
        ("enable_mtls: true,", "enable_mtls: true, verify_name_on_connect: false,"),
        ("enable_mtls: true,", "enable_mtls: true, close_link_on_expiration: false,"),
        (r#"root_ca_certificate: "ca.pem", "#, ""),
        (r#"connect_certificate: "certificate.pem","#, ""),
        (r#"connect_private_key: "/run/keys/key.pem""#, ""),
        (r#"mode: "client""#, r#"mode: "peer""#),
        (r#""tls/router.lab:7447""#, r#""tcp/router.lab:7447""#),
        (r#""tls/router.lab:7447""#, r#""tls/router.lab:7447", "tcp/127.0.0.1:7447""#),
        (r#""tls/router.lab:7447""#, r##""tls/router.lab:7447#verify_name_on_connect=false""##),
        (r#""tls/router.lab:7447""#, ""),
        (r#"mode: "client","#, r#"mode: "client", listen: { endpoints: ["tls/0.0.0.0:7447"] },"#),
        (r#"mode: "client","#, r#"mode: "client", scouting: { multicast: { enabled: true } },"#),
        (r#"mode: "client","#, r#"mode: "client", adminspace: { enabled: true },"#),
    ];
    let shown: String = refused.iter().map(|(part, by)| produced(part, by) + "\n").collect();
    expect![[r#"
        zenoh_config_refused: Zenoh setting transport/link/tls/enable_mtls is refused: expected true in the production profile
        zenoh_config_refused: Zenoh setting transport/link/tls/enable_mtls is refused: expected true in the production profile
        zenoh_config_refused: Zenoh setting transport/link/tls/verify_name_on_connect is refused: expected true in the production profile
        zenoh_config_refused: Zenoh setting transport/link/tls/close_link_on_expiration is refused: expected true in the production profile
        zenoh_config_refused: Zenoh setting transport/link/tls/root_ca_certificate is refused: expected the path of a file in the production profile
        zenoh_config_refused: Zenoh setting transport/link/tls/connect_certificate is refused: expected the path of a file in the production profile
        zenoh_config_refused: Zenoh setting transport/link/tls/connect_private_key is refused: expected the path of a file in the production profile
        zenoh_config_refused: Zenoh setting mode is refused: expected "client" in the production profile
        zenoh_config_refused: Zenoh setting connect/endpoints is refused: expected the endpoint of a router, tls/HOST:PORT, in the production profile
        zenoh_config_refused: Zenoh setting connect/endpoints is refused: expected tls/HOST:PORT without further parts in the production profile, not "tcp/127.0.0.1:7447"
        zenoh_config_refused: Zenoh setting connect/endpoints is refused: expected tls/HOST:PORT without further parts in the production profile, not "tls/router.lab:7447#verify_name_on_connect=false"
        zenoh_config_refused: Zenoh setting connect/endpoints is refused: expected the endpoint of a router, tls/HOST:PORT, in the production profile
        zenoh_config_refused: Zenoh setting listen/endpoints is refused: expected no endpoint in the production profile, not "tls/0.0.0.0:7447"
        zenoh_config_refused: Zenoh setting scouting/multicast/enabled is refused: expected false in the production profile
        zenoh_config_refused: Zenoh setting adminspace/enabled is refused: expected false in the production profile
    "#]].assert_eq(&shown);
}

#[test]
fn a_stations_keys_reach_zenoh_in_memory_and_are_not_shown() {
    let link = RouterLink {
        routers: vec!["tls/router.lab:7447".into()],
        authority: "AUTHORITY".into(),
        certificate: "CERTIFICATE".into(),
        key: "PRIVATE".into(),
    };
    let config = station_config(&link).unwrap();
    assert!(!format!("{config} {config:?} {link:?}").contains("UFJJVkFURQ"), "the key in base64");
    assert_eq!(value(&config, "mode").unwrap(), "client");
}
