use expect_test::expect;
use zenoh::Config;

use super::*;
use crate::fixtures::manifest;

fn robot(id: &str, certificate_name: Option<&str>) -> Manifest {
    let manifest = manifest();
    Manifest {
        id: id.parse().unwrap(),
        certificate_name: certificate_name.map(str::to_owned),
        state: manifest
            .state
            .into_iter()
            .map(|source| robot::StateSource { key: source.key.replace("arm-1", id), ..source })
            .collect(),
        ..manifest
    }
}

fn config(robots: &[&Manifest], sources: &[SourceCertificate]) -> Value {
    RouterRules { site: "lab", station: "station.lab", robots, sources, port: ROUTER_PORT }.config()
}

#[test]
fn att_16_the_routers_rules_follow_from_the_manifests() {
    let (arm, unnamed) = (robot("arm-1", Some("arm-1.lab")), robot("rover-9", None));
    let camera = SourceCertificate { id: "cam-1".into(), certificate_name: "cam-1.lab".into() };
    let config = config(&[&arm, &unnamed], &[camera]);
    let lines = |control: &Value| control.as_array().unwrap().iter().map(|row| format!("{row}\n")).collect::<String>();
    let control = &config["access_control"];
    assert_eq!((&control["enabled"], &control["default_permission"]), (&json!(true), &json!("deny")));
    let shown = [
        &control["rules"],
        &control["subjects"],
        &control["policies"],
        &config["low_pass_filter"],
        &config["downsampling"],
        &config["qos"]["network"],
    ]
    .map(lines)
    .concat();
    expect![[r#"
        {"flows":["ingress"],"id":"station-commands","key_exprs":["lab/*/cmd/**"],"messages":["put"],"permission":"allow"}
        {"flows":["egress"],"id":"station-sees-robots","key_exprs":["lab/*/cmd/**"],"messages":["declare_subscriber"],"permission":"allow"}
        {"flows":["ingress"],"id":"station-subscribes","key_exprs":["lab/*/out/**","lab/*/vision/**"],"messages":["declare_subscriber"],"permission":"allow"}
        {"flows":["egress"],"id":"station-hears","key_exprs":["lab/*/out/**","lab/*/vision/**"],"messages":["put"],"permission":"allow"}
        {"flows":["ingress"],"id":"station-rooms-ingress-put","key_exprs":["lab/room/**"],"messages":["put"],"permission":"allow"}
        {"flows":["ingress"],"id":"station-rooms-ingress-declare_subscriber","key_exprs":["lab/room/**"],"messages":["declare_subscriber"],"permission":"allow"}
        {"flows":["egress"],"id":"station-rooms-egress-put","key_exprs":["lab/room/**"],"messages":["put"],"permission":"allow"}
        {"flows":["egress"],"id":"station-rooms-egress-declare_subscriber","key_exprs":["lab/room/**"],"messages":["declare_subscriber"],"permission":"allow"}
        {"flows":["ingress"],"id":"client-arm-1-publishes","key_exprs":["lab/arm-1/out/**"],"messages":["put"],"permission":"allow"}
        {"flows":["egress"],"id":"client-arm-1-sees-station","key_exprs":["lab/arm-1/out/**"],"messages":["declare_subscriber"],"permission":"allow"}
        {"flows":["ingress"],"id":"client-arm-1-subscribes","key_exprs":["lab/arm-1/cmd/**"],"messages":["declare_subscriber"],"permission":"allow"}
        {"flows":["egress"],"id":"client-arm-1-hears","key_exprs":["lab/arm-1/cmd/**"],"messages":["put"],"permission":"allow"}
        {"flows":["ingress"],"id":"client-cam-1-publishes","key_exprs":["lab/cam-1/out/**","lab/cam-1/vision/**"],"messages":["put"],"permission":"allow"}
        {"flows":["egress"],"id":"client-cam-1-sees-station","key_exprs":["lab/cam-1/out/**","lab/cam-1/vision/**"],"messages":["declare_subscriber"],"permission":"allow"}
        {"cert_common_names":["station.lab"],"id":"station"}
        {"cert_common_names":["arm-1.lab"],"id":"client-arm-1"}
        {"cert_common_names":["cam-1.lab"],"id":"client-cam-1"}
        {"rules":["station-commands","station-sees-robots","station-subscribes","station-hears","station-rooms-ingress-put","station-rooms-ingress-declare_subscriber","station-rooms-egress-put","station-rooms-egress-declare_subscriber"],"subjects":["station"]}
        {"rules":["client-arm-1-publishes","client-arm-1-sees-station","client-arm-1-subscribes","client-arm-1-hears"],"subjects":["client-arm-1"]}
        {"rules":["client-cam-1-publishes","client-cam-1-sees-station"],"subjects":["client-cam-1"]}
        {"flows":["ingress"],"key_exprs":["lab/*/cmd/stop","lab/*/cmd/hold","lab/*/cmd/claim","lab/*/cmd/release","lab/*/cmd/beat"],"messages":["put"],"size_limit":8192}
        {"flows":["ingress"],"key_exprs":["lab/*/cmd/**"],"messages":["put"],"size_limit":524288}
        {"flows":["ingress"],"id":"declared-rates","messages":["put"],"rules":[{"freq":200.0,"key_expr":"lab/arm-1/out/state/pose"},{"freq":200.0,"key_expr":"lab/rover-9/out/state/pose"}]}
        {"flows":["ingress"],"id":"priority-data","key_exprs":["lab/arm-1/out/state/pose","lab/rover-9/out/state/pose"],"messages":["put"],"overwrite":{"congestion_control":"drop","priority":"data"}}
    "#]].assert_eq(&shown);
    assert!(!shown.contains("deny") && !shown.contains("rover-9-"), "{shown}");
}

#[test]
fn att_15_a_router_of_the_production_profile_asks_everybody_for_a_certificate() {
    let mut config = config(&[], &[]);
    for part in ["access_control", "low_pass_filter", "downsampling", "qos"] {
        config.as_object_mut().unwrap().remove(part);
    }
    expect![[r#"
        {
          "adminspace": {
            "enabled": false,
            "permissions": {
              "read": false,
              "write": false
            }
          },
          "connect": {
            "endpoints": []
          },
          "listen": {
            "endpoints": [
              "tls/0.0.0.0:7447"
            ]
          },
          "mode": "router",
          "plugins_loading": {
            "enabled": false
          },
          "scouting": {
            "gossip": {
              "enabled": false
            },
            "multicast": {
              "enabled": false
            }
          },
          "transport": {
            "link": {
              "protocols": [
                "tls"
              ],
              "rx": {
                "max_message_size": 16777216
              },
              "tls": {
                "close_link_on_expiration": true,
                "enable_mtls": true,
                "listen_certificate": "certificate.pem",
                "listen_private_key": "key.pem",
                "root_ca_certificate": "ca.pem",
                "verify_name_on_connect": true
              },
              "tx": {
                "keep_alive": 4,
                "lease": 2000
              }
            },
            "shared_memory": {
              "enabled": false
            },
            "unicast": {
              "accept_pending": 16,
              "max_sessions": 200
            }
          }
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&config).unwrap());
}

#[test]
fn att_16_nobody_gets_a_rule_under_the_name_of_the_station() {
    let impostor = robot("arm-1", Some("station.lab"));
    let camera = SourceCertificate { id: "cam-1".into(), certificate_name: "station.lab".into() };
    let control = config(&[&impostor], &[camera])["access_control"].to_string();
    assert_eq!(control.matches("station.lab").count(), 1, "{control}");
}

#[test]
fn zenoh_reads_both_configurations() {
    let arm = robot("arm-1", Some("arm-1.lab"));
    let router = Config::from_json5(&config(&[&arm], &[]).to_string()).unwrap();
    assert_eq!(router.get_json("access_control/default_permission").unwrap(), "\"deny\"");
    let robot = Config::from_json5(&client_config("tls/router.lab:7447").to_string()).unwrap();
    assert_eq!(robot.get_json("mode").unwrap(), "\"client\"");
}

#[test]
fn a_large_site_has_sessions_for_all_its_clients() {
    let robots: Vec<Manifest> = (0..1_000).map(|n| robot(&format!("light-{n}"), Some("light.lab"))).collect();
    let config = config(&robots.iter().collect::<Vec<_>>(), &[]);
    assert_eq!(config["transport"]["unicast"]["max_sessions"], 2_002);
}
