use Seen::{Confirms, Contradicts, Neutral};

use super::*;

fn named(kind: &str) -> Kind {
    let (name, params) = kind.split_once(' ').unwrap_or((kind, "{}"));
    let name: KindName = serde_json::from_value(name.into()).unwrap();
    Kind::new(name, Some(&serde_json::from_str(params).unwrap())).unwrap()
}

/// Compares each observed value with `held`, by a kind with its parameters, or by the inferred one.
fn check(kind: &str, held: &str, observed: &[(&str, Seen)]) {
    let kind = if kind.is_empty() { Kind::infer(held) } else { named(kind) };
    for (observed, expected) in observed {
        assert_eq!(kind.compare(held, observed), *expected, "{kind:?}: {held:?} and {observed:?}");
    }
}

#[test]
fn cw_08_an_observed_value_confirms_contradicts_or_says_nothing() {
    check("", "kitchen counter", &[("kitchen area", Neutral)]);
    check("", "08:00,18:00", &[("08:00", Confirms)]);
    check("", "kitchen", &[("bedroom", Contradicts)]);
}

#[test]
fn bl_06_a_kind_is_inferred_in_order() {
    use KindName::{Boolean, Number, Set, Text};
    for (value, kind) in [
        ("true", Boolean),
        (" FALSE ", Boolean),
        ("42", Number),
        ("-1.5e3", Number),
        ("inf", Text),
        ("NaN", Text),
        ("a,b", Set),
        ("1,2", Set),
        ("08:00", Text),
        ("yes", Text),
    ] {
        assert_eq!(Kind::infer(value).name(), kind, "{value:?}");
    }
}

#[test]
fn bl_07_each_kind_compares_in_its_own_way() {
    check("boolean", "true", &[("TRUE", Confirms), ("false", Contradicts), ("maybe", Neutral), ("1", Neutral)]);
    let near = [("21", Confirms), ("19", Confirms), ("21.01", Contradicts), ("warm", Neutral), ("inf", Neutral)];
    check("number", "20", &near);
    check("number", "-20", &[("-21", Confirms), ("-21.1", Contradicts)]);
    check("number {\"tolerance_rel\": 0, \"tolerance_abs\": 0.1}", "20", &[("20.1", Confirms), ("20.11", Contradicts)]);
    check("number", "0", &[("0", Confirms), ("0.001", Contradicts)]);
    let some = [("b, a", Confirms), ("a,x", Neutral), ("x,y", Contradicts), (" , ", Neutral), ("A", Confirms)];
    check("set", "a, b, c", &some);
    let door = "enum {\"words\": [\"open\", \"half open\", \"closed\"]}";
    check(door, "closed", &[("Closed", Confirms), ("half_open", Contradicts), ("ajar", Neutral)]);
    check(
        "text",
        "Front-Door  open",
        &[
            (" front_door OPEN ", Confirms),
            ("door", Neutral),
            ("doorway", Contradicts),
            ("the door.", Neutral),
            ("", Neutral),
            (" \t", Neutral),
        ],
    );
}

#[test]
fn bl_07_the_same_value_is_equal_and_not_merely_near() {
    for (kind, a, b, same) in [
        ("boolean", "true", "True", true),
        ("boolean", "true", "yes", false),
        ("number", "20", "20.0", true),
        ("number", "20", "20.5", false),
        ("number", "1e12", "1000000000000.5", true),
        ("set", "a, b", "b,A", true),
        ("set", "a, b", "a", false),
        ("text", "kitchen counter", "Kitchen_Counter", true),
        ("text", "kitchen", "kitchens", false),
    ] {
        assert_eq!(named(kind).same(a, b), same, "{kind} {a:?} {b:?}");
    }
}

#[test]
fn bl_06_parameters_belong_to_their_kind() {
    for (name, params) in [
        (KindName::Text, r#"{"tolerance_abs": 1}"#),
        (KindName::Number, r#"{"words": ["a"]}"#),
        (KindName::Number, r#"{"tolerance_rel": -0.1}"#),
        (KindName::Enum, "{}"),
        (KindName::Enum, r#"{"words": []}"#),
        (KindName::Enum, r#"{"words": [" "]}"#),
    ] {
        let refused = Kind::new(name, Some(&serde_json::from_str(params).unwrap())).unwrap_err();
        assert_eq!(refused.field, "kind_params", "{name:?} {params}");
    }
}
