//! Lines about what is to be remembered, and what is.

use super::check;
use expect_test::expect;

#[test]
fn m_02_what_is_to_be_remembered_stays_as_it_was_written() {
    check(
        "remember person location = kitchen",
        expect![[r#"
        > update_belief {"confidence":0.9,"predicate":"location","subject":"person","value":"kitchen"}
        It waits for your decision. Proposal pr-1.
    "#]],
    );
    check(
        "/remember cup place = (under the sink), left = dry!",
        expect![[r#"
        > update_belief {"confidence":0.9,"predicate":"place","subject":"cup","value":"(under the sink), left = dry"}
        Belief (cup, place) updated with confidence 0.9.
    "#]],
    );
}

#[test]
fn m_02_a_belief_is_told_with_how_sure_it_is() {
    check(
        "belief person location",
        expect![[r#"
        > get_belief {"predicate":"location","subject":"person"}
        person location = "kitchen" (0.85, held, last confirmed by sensor)
    "#]],
    );
    check(
        "belief person",
        expect![[r#"
        > get_belief {"subject":"person"}
        person location = "kitchen" (0.85, held, last confirmed by sensor)
        person location = "kitchen" (0.85, held, last confirmed by sensor)
    "#]],
    );
    check(
        "belief nobody",
        expect![[r#"
        > get_belief {"subject":"nobody"}
        not found: there is no belief about nobody
    "#]],
    );
}

#[test]
fn m_08_a_line_that_names_too_little_to_remember_calls_nothing() {
    check(
        "remember the milk",
        expect![[r#"
        Nothing was sent: expected a subject, a property, = and a value; for example: remember person location = kitchen
    "#]],
    );
    check(
        "remember person location =",
        expect![[r#"
        Nothing was sent: expected a subject, a property, = and a value; for example: remember person location = kitchen
    "#]],
    );
    check(
        "remember location = kitchen",
        expect![[r#"
        Nothing was sent: expected a subject, a property, = and a value; for example: remember person location = kitchen
    "#]],
    );
    check(
        "belief",
        expect![[r#"
        Nothing was sent: expected a subject; for example: belief person location
    "#]],
    );
}
