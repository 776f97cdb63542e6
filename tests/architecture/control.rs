//! The way out: nothing but an approved command reaches a robot, and only through the bridge's own senders.

use crate::repository::{Violation, crates_but, has_word, read, refuse, rust};

/// Something that may stand in the named files of the bridge only.
struct Confined {
    code: &'static str,
    files: &'static [&'static str],
    reason: &'static str,
}

const CONFINED: &[Confined] = &[
    Confined {
        code: "control_publisher(",
        files: &["link.rs", "robot_link.rs", "robot_gate/shell.rs", "room.rs"],
        reason: "a control publisher can put on a command key; a robot's link alone holds those, a gate its answers, and a \
                 room's its one key",
    },
    Confined {
        code: "self.commands",
        files: &["send.rs"],
        reason: "command publishers are used by `send`, which spends an approval",
    },
    Confined {
        code: "into_command(",
        files: &[],
        reason: "it takes the approval away without the fence's test at the moment of sending",
    },
    Confined {
        code: "declare_publisher(",
        files: &["link.rs"],
        reason: "a publisher made elsewhere would not be tested for command keys",
    },
];

#[test]
fn an_approval_has_one_maker_and_is_spent_once() {
    let approved = read("crates/safety/src/approved.rs");
    let (before, declared) = approved.split_once("pub struct Approved<").expect("safety declares Approved");
    let attributes = before.rsplit("\n\n").next().unwrap_or_default();
    let body = &declared[..declared.find("}\n").expect("Approved has a body")];
    for word in ["Clone", "Copy", "Deserialize", "Serialize", "Default"] {
        assert!(!attributes.contains(word), "Approved must not derive {word}: that is a second way to make one");
    }
    let public = body.lines().find(|line| line.trim_start().starts_with("pub"));
    assert_eq!(public, None, "Approved has private fields only: a public one can be swapped after the judgement");
    let command = approved.split("impl Approved<Command>").nth(1).expect("safety makes approved commands");
    let maker = command.lines().find(|line| line.contains("-> Self")).unwrap_or_default();
    assert!(maker.trim_start().starts_with("pub(crate) fn"), "only `safety::judge` makes an approved command: {maker}");
}

#[test]
fn sending_takes_an_approval_by_value() {
    let send = read("crates/bridge/src/send.rs");
    assert!(
        send.contains("approved: Approved<Command>") && send.contains(".pass(approved"),
        "`RobotLink::send` takes `Approved<Command>` by value and spends it inside the fence"
    );
}

#[test]
fn command_keys_are_written_by_the_bridges_senders_only() {
    let mut found = Vec::new();
    for source in rust("crates/bridge/src") {
        for Confined { code, files, reason } in CONFINED {
            let name = source.path.trim_start_matches("crates/bridge/src/");
            if !files.contains(&name) {
                found.extend(source.places(|line| line.contains(code)).into_iter().map(|edge| Violation {
                    edge,
                    reason,
                    remedy: "send through `RobotLink::send`, `stop` or `beat`, or `Claims::claim` or `release`",
                }));
            }
        }
    }
    refuse(found);
}

#[test]
fn no_other_crate_spells_a_command_key() {
    let mut found = Vec::new();
    // A manifest checks the keys it names, and the fixtures of the judge hold manifests.
    for source in crates_but(&["bridge", "robot", "safety"]) {
        found.extend(source.places(|line| line.contains("/cmd/")).into_iter().map(|edge| Violation {
            edge,
            reason: "who can spell a command key can be made to put on it",
            remedy: "name the robot and the actuator, and let the bridge find the key",
        }));
    }
    refuse(found);
}

#[test]
fn the_fleet_alone_judges_commands_and_holds_the_publishers_of_robots() {
    let mut found = Vec::new();
    // The simulator plays robots.
    for source in crates_but(&["safety", "bridge", "fleet", "sim"]) {
        found.extend(source.places(moves_robots).into_iter().map(|edge| Violation {
            edge,
            reason: "beside the gate there is no lease, no approval, no record and nobody who holds the robot again",
            remedy: "submit the command to `fleet::gate`, or stop through `fleet::stops`",
        }));
    }
    refuse(found);
}

fn moves_robots(line: &str) -> bool {
    let of = |word: &str, home: &str| has_word(line, word) && line.contains(home);
    has_word(line, "RobotLink") || line.contains(".link.robot(") || of("Claims", "bridge") || of("judge", "safety")
}

#[test]
fn a_means_of_moving_a_robot_is_recognised() {
    for line in [
        "use bridge::{Link, RobotLink};",
        "use bridge::Claims;",
        "use safety::{Approach, judge};",
        "let link = x.link.robot(manifest);",
    ] {
        assert!(moves_robots(line), "{line}");
    }
    assert!(!moves_robots("use world::alarm::BuiltIn::RobotLinkLost;"));
}
