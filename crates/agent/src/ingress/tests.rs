use super::*;
use crate::{Policy, Preset};

/// A message as `ms room sender flags text`: a room of `-` is none; flags are `a`dmin, `m`entions, `s`igned in, and `1`
/// or `2` for so many hops.
fn message(number: usize, line: &str) -> RawMessage {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [ms, room, sender, flags, id] = words[..] else { panic!("{line}") };
    RawMessage {
        id: if id == "+" { format!("m{number}") } else { id.to_owned() },
        room: (room != "-").then(|| room.to_owned()),
        sender: sender.to_owned(),
        is_signed_in: flags.contains('s'),
        is_admin: flags.contains('a'),
        mentions: flags.contains('m'),
        hop: flags.chars().find_map(|flag| flag.to_digit(10)).map_or(0, |hop| u8::try_from(hop).unwrap()),
        text: "hello".into(),
        at: Instant::from_millis(ms.parse().unwrap()),
    }
}

fn ingress(change: impl FnOnce(&mut IngressPolicy)) -> Ingress {
    let mut policy = Policy::preset(Preset::Chat).ingress;
    change(&mut policy);
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Ingress::new(policy, names(&["eva"]), names(&["ops"]))
}

/// Feeds these messages in and compares the results, each with its time.
fn check(mut ingress: Ingress, lines: &[&str], expected: &[&str]) {
    let mut out = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let message = message(number, line);
        release_until(&mut ingress, message.at, &mut out);
        let at = message.at;
        out.extend(ingress.take(message).iter().map(|what| print(at, what)));
    }
    release_until(&mut ingress, Instant::from_millis(u64::from(u32::MAX)), &mut out);
    assert_eq!(out, expected, "{lines:?}");
}

fn release_until(ingress: &mut Ingress, now: Instant, out: &mut Vec<String>) {
    while let Some(due) = ingress.due().filter(|due| *due <= now) {
        out.extend(ingress.tick(due).iter().map(|what| print(due, what)));
    }
}

fn print(at: Instant, what: &Ingressed) -> String {
    let ids =
        |messages: &[RawMessage]| messages.iter().map(|message| message.id.as_str()).collect::<Vec<_>>().join("+");
    let ms = at.ms_since(Instant::from_millis(0));
    match what {
        Ingressed::Passed { history, messages } if history.is_empty() => format!("{ms} {}", ids(messages)),
        Ingressed::Passed { history, messages } => format!("{ms} {} after {}", ids(messages), ids(history)),
        Ingressed::Stopped { id, step } => format!("{ms} {id} {step:?}"),
        Ingressed::Waits { id } => format!("{ms} {id} waits"),
    }
}

fn fast(policy: &mut IngressPolicy) {
    (policy.sender_per_s, policy.room_per_min) = (None, None);
}

#[test]
fn t_01_s_49_messages_of_a_room_are_gathered_and_direct_ones_and_admins_go_at_once() {
    check(ingress(fast), &["0 ops dan m +", "1000 ops eva m +"], &["2500 m0+m1"]);
    check(ingress(fast), &["0 - eva - +"], &["0 m0"]);
    check(ingress(fast), &["0 ops dan m +", "100 ops ann am +"], &["100 m0+m1"]);
    // The window moves with each message, to three times its length.
    let steady = ["0 ops dan m +", "1400 ops dan m +", "2800 ops dan m +", "4200 ops dan m +", "4600 ops dan m +"];
    check(ingress(fast), &steady, &["4500 m0+m1+m2+m3", "6100 m4"]);
    // Rooms do not wait for each other.
    check(ingress(fast), &["0 ops dan m +", "10 lab dan m +"], &["1500 m0", "1510 m1"]);
}

#[test]
fn t_01_c_03_twenty_messages_are_gathered_at_most() {
    let lines: Vec<String> = (0..21).map(|number| format!("{number} ops dan m +")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let first: Vec<String> = (0..20).map(|number| format!("m{number}")).collect();
    check(ingress(fast), &lines, &[&format!("19 {}", first.join("+")), "1520 m20"]);
}

#[test]
fn t_01_an_id_counts_once() {
    check(ingress(fast), &["0 - eva - x", "5000 - eva - x", "6000 - eva - y"], &["0 x", "5000 x Dedupe", "6000 y"]);
    let mut many = ingress(fast);
    for number in 0..501 {
        many.take(message(number, &format!("{number} - eva - +")));
    }
    assert_eq!(many.take(message(0, "9000 - eva - +")).len(), 1, "five hundred ids are remembered");
    assert!(matches!(many.take(message(0, "9001 - eva - m500"))[..], [Ingressed::Stopped { .. }]));
}

#[test]
fn t_02_t_03_s_50_who_is_let_in() {
    let direct = |policy: DirectPolicy, flags: &str, sender: &str, passes: bool| {
        let expected = if passes { "0 m0" } else { "0 m0 Policy" };
        let line = format!("0 - {sender} {flags} +");
        check(ingress(|ingress| ingress.direct = policy), &[&line], &[expected]);
    };
    direct(DirectPolicy::Allowlist, "-", "eva", true);
    direct(DirectPolicy::Allowlist, "-", "dan", false);
    direct(DirectPolicy::Allowlist, "a", "dan", true);
    direct(DirectPolicy::Open, "-", "dan", true);
    direct(DirectPolicy::AdminOnly, "-", "eva", false);
    direct(DirectPolicy::AdminOnly, "a", "dan", true);
    direct(DirectPolicy::SignedIn, "-", "eva", false);
    direct(DirectPolicy::SignedIn, "s", "dan", true);
    direct(DirectPolicy::Disabled, "a", "eva", false);
    let room = |policy: RoomPolicy, room: &str, passes: bool| {
        let expected = if passes { "1500 m0" } else { "1500 m0 Policy" };
        check(ingress(|ingress| ingress.rooms = policy), &[&format!("0 {room} dan m +")], &[expected]);
    };
    room(RoomPolicy::Open, "lab", true);
    room(RoomPolicy::Allowlist, "ops", true);
    room(RoomPolicy::Allowlist, "lab", false);
    room(RoomPolicy::Disabled, "ops", false);
}

#[test]
fn t_04_s_51_one_message_a_second_and_twenty_a_minute() {
    check(ingress(|_| {}), &["0 - eva - +", "999 - eva - +", "1000 - eva - +"], &["0 m0", "999 m1 Rate", "1000 m2"]);
    let at_once = |ingress: &mut IngressPolicy| ingress.debounce_ms = 0;
    let lines: Vec<String> = (0..22).map(|number| format!("{} ops p{number} m +", number * 100)).collect();
    let mut lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    lines.push("60000 ops late m +");
    let mut expected: Vec<String> = (0..20).map(|number| format!("{} m{number}", number * 100)).collect();
    expected.extend(["2000 m20 Rate".to_owned(), "2100 m21 Rate".to_owned(), "60000 m22".to_owned()]);
    check(ingress(at_once), &lines, &expected.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn t_05_c_03_messages_that_name_nobody_wait_for_one_that_does() {
    check(
        ingress(fast),
        &["0 ops dan - +", "5000 ops eva - +", "9000 ops dan m +", "20000 ops dan m +"],
        &["1500 m0 waits", "6500 m1 waits", "10500 m2 after m0+m1", "21500 m3"],
    );
    check(ingress(|ingress| ingress.mention = false), &["0 ops dan - +"], &["1500 m0"]);
    // A message that has waited a day is not read along.
    check(
        ingress(fast),
        &["0 ops dan - +", "1000000 ops dan - +", "86401000 ops dan m +"],
        &["1500 m0 waits", "1001500 m1 waits", "86402500 m2 after m1"],
    );
}

#[test]
fn c_01_what_agents_say_begins_turns_for_so_many_hops_only() {
    let lines = ["0 ops north m1 +", "5000 ops dan m +", "9000 ops north m2 +"];
    check(ingress(fast), &lines, &["1500 m0 waits", "6500 m1 after m0", "10500 m2 waits"]);
    check(ingress(fast).with_hops_max(1), &lines, &["1500 m0", "6500 m1", "10500 m2 waits"]);
    let any = |policy: &mut IngressPolicy| policy.mention = false;
    check(ingress(any), &["0 ops north 1 +", "5000 ops dan - +"], &["1500 m0 waits", "6500 m1 after m0"]);
}

#[test]
fn c_03_what_no_turn_was_told_of_is_read_along_with_the_next() {
    let mut ingress = ingress(fast);
    ingress.put_back(vec![message(7, "0 ops dan m +"), message(8, "1 ops eva - +")], Instant::from_millis(1));
    assert_eq!(ingress.due(), None, "nothing starts by itself");
    check(ingress, &["5000 ops dan m +"], &["6500 m0 after m7+m8"]);
}

#[test]
fn l_10_a_message_is_stopped_at_the_first_step_that_does() {
    let closed = |ingress: &mut IngressPolicy| ingress.direct = DirectPolicy::Disabled;
    check(ingress(closed), &["0 - eva - x", "0 - eva - x"], &["0 x Policy", "0 x Dedupe"]);
}

#[test]
fn t_01_conversations_that_are_followed_are_bounded() {
    let mut many = ingress(|ingress| ingress.direct = DirectPolicy::Open);
    for number in 0..300 {
        many.take(message(number, &format!("{number} - p{number} - +")));
    }
    assert_eq!(many.chats.len(), CHATS_MAX);
    assert!(many.chats.contains_key("@p299") && !many.chats.contains_key("@p0"));
}
