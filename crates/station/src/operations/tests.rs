use std::collections::BTreeSet;

use robot::{Effect, Role};

use super::*;

mod vouched_places;

#[test]
fn names_are_unique_and_every_row_says_what_it_does() {
    let names: BTreeSet<_> = table().iter().map(|row| row.name).collect();
    assert_eq!(names.len(), table().len());
    for row in table() {
        assert!(row.description.ends_with('.') && row.description.len() <= 100, "{}", row.name);
        assert!((row.input_schema)()["type"] == "object", "{} takes no object", row.name);
    }
}

#[test]
fn no_call_is_on_record_under_a_word_that_a_start_goes_by() {
    let by = Session::app_window();
    let stops_and_approvals = ["stop", "stop_release", "approval", "standing_approval"];
    let kept = ["audit_mark", "settings", "constraint_set", "constraint_seal"];
    for word in stops_and_approvals.into_iter().chain(kept) {
        let record = call_of(&by, word, row_of(word), &json!({})).ended(&Ok(json!({})));
        assert_eq!(record.operation, runtime::audit::OTHER_CALL, "{word}");
    }
}

#[test]
fn anybody_may_stop_and_nobody_but_a_person_may_let_motion_pass() {
    for row in table() {
        let for_people_only = row.audience == [Audience::Ui];
        match row.name {
            "stop_all" | "stop_robot" | "hold_robot" => assert_eq!((row.role, for_people_only), (Role::Viewer, false)),
            "force_control" => assert_eq!((row.role, for_people_only), (Role::Admin, true)),
            "take_control"
            | "request_control"
            | "answer_control_request"
            | "release_control"
            | "hand_to_agent"
            | "jog" => assert_eq!((row.role, for_people_only), (Role::Operator, true), "{}", row.name),
            "arm_robot" | "release_stop" | "acknowledge_cause" | "recommission" | "approve_proposal"
            | "reject_proposal" => {
                assert!(for_people_only && row.role >= Role::Operator, "{}", row.name);
            }
            _ => {}
        }
        // The effect of a loosening is shown to those who may loosen; the whole record leaves with an Admin; earlier
        // words are found by those who may speak; keys and pins are listed to those who set them.
        let for_more = [
            "preview_constraint_change",
            "export_audit",
            "memory_search",
            "get_record",
            "list_notes",
            "list_secrets",
            "list_tokens",
            "list_mcp_servers",
            "read_output",
            "ask_output",
        ];
        if row.effect == Effect::Read && !for_more.contains(&row.name) {
            assert_eq!(row.role, Role::Viewer, "{} only reads", row.name);
        }
    }
}

#[test]
fn the_agent_cannot_change_limits_providers_or_alerts() {
    let names: BTreeSet<String> =
        table().iter().filter(|row| row.is_for(Audience::Agent)).map(|row| row.name.to_owned()).collect();
    for forbidden in [
        "register_constraint",
        "loosen_constraint",
        "tighten_constraint",
        "act_as_admin",
        "configure_context",
        "register_alert",
        "approve_proposal",
        "release_stop",
        "remove_robot",
        "set_secret",
        "list_secrets",
        "set_provider",
        "select_model",
        "add_budget",
        "list_model_calls",
    ] {
        assert!(!names.contains(forbidden), "{forbidden} is a tool");
    }
    assert!(names.contains("send_command") && names.contains("stop_all"));
}

#[test]
fn mi_09_a_mission_calls_what_an_agent_may_and_nothing_about_missions_jobs_proposals_or_control() {
    for row in table().iter().filter(|row| row.in_missions) {
        let name = row.name;
        assert!(row.is_for(Audience::Agent) && row.role <= Role::Operator && row.stops == Stops::No, "{name}");
        assert_ne!(row.effect, Effect::Irreversible, "{name}");
        for word in ["mission", "job", "task", "proposal", "control", "forget", "remove"] {
            assert!(!name.contains(word), "{name}");
        }
    }
    let moving: Vec<&str> = table().iter().filter(|row| row.moves_robot).map(|row| row.name).collect();
    assert_eq!(moving, ["send_command"]);
    assert!(row_of("send_command").is_some_and(|row| row.in_missions));
}

#[test]
fn every_example_is_an_input_of_its_operation() {
    let mut refused = Vec::new();
    for row in table() {
        let required = (row.input_schema)()["required"].as_array().is_some_and(|names| !names.is_empty());
        assert!(!required || row.example.is_object(), "{} needs an example", row.name);
        if row.example.is_object() {
            refused.extend(row.check_input(&row.example).err().map(|error| (row.name, error.message)));
        }
    }
    assert_eq!(refused, []);
}

#[test]
fn s_26_work_at_a_station_begins_with_stops_motion_missions_jobs_and_memory() {
    let expected = "ask_output+cancel_job+check_command+create_proposal+explain_verdict+get_job+get_mission+hold_robot+\
                    list_alarms+list_constraints+list_jobs+list_missions+list_proposals+list_robots+list_verdicts+\
                    list_world_state+memory_search+pause_all_missions+pause_job+pause_mission+preview_schedule+\
                    read_output+remember_note+resume_job+resume_mission+retry_job+run_job+safety_status+\
                    schedule_task+send_command+stop_all+stop_robot+update_belief+why_idle";
    let core: Vec<&str> = table()
        .iter()
        .filter(|row| row.is_for(Audience::Agent))
        .filter(|row| row.tool.core)
        .map(|row| row.name)
        .collect();
    assert_eq!(core.join("+"), expected);
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest() {
    assert_eq!(input_bytes_max("stop_al"), 1024 * 1024, "its input is read, so that the answer names it");
    assert_eq!(unknown("stop_al").details["nearest"][0], "stop_all");
}

#[test]
fn of_an_unknown_name_no_more_is_looked_at_than_any_name_is_long() {
    assert!(table().iter().all(|row| row.name.len() <= NAME_BYTES_MAX));
    let long = unknown(&format!("stop_al{}", "ä".repeat(1 << 19)));
    assert!(long.message.len() < 300 && long.message.contains("stop_alä"), "{}", long.message);
}

#[test]
fn al_14_only_a_person_acts_on_an_alarm() {
    for name in ["acknowledge_alarms", "shelve_alarm", "unshelve_alarm", "reset_alarm", "set_alarm_service"] {
        let row = table().iter().find(|row| row.name == name).unwrap();
        assert_eq!(row.audience, [Audience::Ui], "{name}");
    }
}

#[test]
fn f27_an_answer_that_tells_of_a_late_record_is_believed_as_far_as_it_is_without() {
    let row = table().iter().find(|row| row.name == "stop_all").unwrap();
    let answer = json!({ "stop_id": 1, "latch_saved": true, "robots": [] });
    let late = told(Ok(answer.clone()), runtime::audit::OnRecord::Pending).unwrap();
    assert_eq!(late["record"], "pending");
    assert_eq!(row.trust_of(&late), row.trust_of(&answer));
    assert_eq!(row.trust_of(&late), robot::Trust::Trusted);
}

#[test]
fn f27_every_act_answers_an_object_so_that_a_late_record_can_be_told() {
    for row in table().iter().filter(|row| row.effect != Effect::Read) {
        let schema = (row.output_schema)();
        assert!(schema["type"] != "array" && schema["type"] != "null", "{} answers {}", row.name, schema["type"]);
    }
}
