//! Missions that are asked for in one's own words.

use super::*;

#[test]
fn me_16_each_shipped_mission_is_asked_for_in_words() {
    check(
        "patrol the loading dock every evening at ten until Friday",
        expect![[r#"
            > draft_mission {"cron":"0 22 * * *","place":"loading dock","template":"security-patrol","title":"Patrol of the loading dock","until":"Friday"}
            Draft: A mission. Nothing runs before a person activates it in Missions.
            - line 3: There is no robot `rover-9`.
        "#]],
    );
    check(
        "Please watch the dog!",
        expect![[r#"
            > draft_mission {"template":"dog-monitor"}
            Draft: A mission. Nothing runs before a person activates it in Missions.
            - line 3: There is no robot `rover-9`.
        "#]],
    );
    check(
        "weld the frame after calibrating",
        expect![[r#"
            > draft_mission {"template":"run-welding-task","title":"Weld the frame"}
            Draft: A mission. Nothing runs before a person activates it in Missions.
            - line 3: There is no robot `rover-9`.
        "#]],
    );
    check(
        "check the filters of both machines every monday at 9 am for 2 weeks",
        expect![[r#"
            > draft_mission {"cron":"0 9 * * 1","template":"maintenance-check","title":"Check the filters of both machines","until":"2 weeks"}
            Draft: A mission. Nothing runs before a person activates it in Missions.
            - line 3: There is no robot `rover-9`.
        "#]],
    );
    check(
        "childproof the home",
        expect![[r#"
            > draft_mission {"template":"childproof-home"}
            Draft: A mission. Nothing runs before a person activates it in Missions.
            - line 3: There is no robot `rover-9`.
        "#]],
    );
}

#[test]
fn me_16_a_wish_that_a_draft_does_not_follow_is_told() {
    check(
        "patrol the yard every day at 22:00",
        expect![[r#"
            > draft_mission {"cron":"0 22 * * *","place":"yard","template":"security-patrol","title":"Patrol of the yard"}
            Draft: A mission. Nothing runs before a person activates it in Missions.
            - The site plan has no area `yard`. The draft visits the points of its template.
            - line 3: There is no robot `rover-9`.
        "#]],
    );
}

#[test]
fn me_16_what_is_missing_is_asked_for_and_nothing_is_written() {
    check(
        "patrol the loading dock",
        expect![[r#"
            Nothing was sent: expected when to patrol; for example: patrol the loading dock every evening at ten until friday
        "#]],
    );
    check(
        "patrol the yard every day at ten",
        expect![[r#"
            Nothing was sent: it could be 10:00 or 22:00. Say which.
        "#]],
    );
    check(
        "weld",
        expect![[r#"
            Nothing was sent: expected what to weld; for example: weld the frame after calibrating
        "#]],
    );
    check(
        "watch the dog every blue moon",
        expect![[r#"
            Nothing was sent: expected a day, a part of the day or hour behind every; for example: watch the dog until friday
        "#]],
    );
}

#[test]
fn me_16_times_are_read_as_people_say_them() {
    let cron = |said: &str| {
        let printed = converse(&[&format!("patrol the yard {said}")]);
        let input = printed.lines().find_map(|line| line.strip_prefix("> draft_mission ")).unwrap_or("{}");
        let input: serde_json::Value = serde_json::from_str(input).unwrap();
        input["cron"].as_str().unwrap_or_default().to_owned()
    };
    for (said, expected) in [
        ("daily at 22:00", "0 22 * * *"),
        ("every morning at seven", "0 7 * * *"),
        ("every night at eleven", "0 23 * * *"),
        ("every night at three", "0 3 * * *"),
        ("every night at twelve", "0 0 * * *"),
        ("every day at noon", "0 12 * * *"),
        ("every day at 7:30 pm", "30 19 * * *"),
        ("every day at 7pm", "0 19 * * *"),
        ("every weekday at 06:15", "15 6 * * 1-5"),
        ("every friday evening at ten", "0 22 * * 5"),
        ("each day at ten in the evening", "0 22 * * *"),
        ("every hour", "0 * * * *"),
        ("every day at 25:00", ""),
        ("every day at 7:75", ""),
    ] {
        assert_eq!(cron(said), expected, "{said}");
    }
}
