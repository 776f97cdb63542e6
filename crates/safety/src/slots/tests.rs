use super::*;

/// Hands over `orders`, written `<actuator><number>`, and says what was replaced and what is taken out after.
fn check(orders: &[&str], replaced: &[&str], taken: &[&str]) {
    let slots = Slots::default();
    let given_back: Vec<String> = orders
        .iter()
        .filter_map(|order| {
            let actuator = ActuatorId::new(&order[..order.len() - 1]).unwrap();
            slots.hand_over(&actuator, (*order).to_owned())
        })
        .collect();
    assert_eq!(given_back, replaced, "{orders:?}");
    let out: Vec<String> = taken.iter().map(|_| slots.next().unwrap()).collect();
    assert_eq!(out, taken, "{orders:?}");
    assert_eq!(slots.close(), Vec::<String>::new(), "{orders:?}");
}

#[test]
fn a_newer_command_takes_the_place_of_the_one_that_waits_for_the_same_actuator() {
    check(&["arm1"], &[], &["arm1"]);
    check(&["arm1", "arm2", "arm3"], &["arm1", "arm2"], &["arm3"]);
}

#[test]
fn actuators_wait_apart_and_leave_in_the_order_in_which_their_newest_came() {
    check(&["arm1", "gripper2"], &[], &["arm1", "gripper2"]);
    check(&["arm1", "gripper2", "arm3"], &["arm1"], &["gripper2", "arm3"]);
}

#[test]
fn nothing_leaves_closed_slots_and_nothing_is_lost_in_them() {
    let (slots, arm) = (Slots::default(), ActuatorId::new("arm").unwrap());
    assert_eq!(slots.hand_over(&arm, 1), None);
    assert_eq!(slots.close(), [1]);
    assert_eq!(slots.hand_over(&arm, 2), Some(2));
    assert_eq!(slots.next(), None);
}
