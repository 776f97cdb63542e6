use super::*;

const X11: Screen = Screen { nvidia: false, wayland: false, safe_graphics: false };

fn check(screen: Screen, set: &[(&str, &str)], expected: &[&str]) {
    let value_of = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
    assert_eq!(missing_variables(screen, value_of), expected);
}

#[test]
fn leaves_other_drivers_alone() {
    check(X11, &[], &[]);
    check(Screen { wayland: true, ..X11 }, &[], &[]);
}

#[test]
fn nvidia_gets_the_variable_of_its_display_server() {
    check(Screen { nvidia: true, ..X11 }, &[], &[NO_DMABUF]);
    check(Screen { nvidia: true, wayland: true, ..X11 }, &[], &[NO_EXPLICIT_SYNC]);
}

#[test]
fn keeps_what_the_operator_set() {
    check(Screen { nvidia: true, ..X11 }, &[(NO_DMABUF, "0")], &[]);
}

#[test]
fn safe_graphics_forces_both_and_then_is_content() {
    let safe = Screen { safe_graphics: true, ..X11 };
    check(safe, &[(NO_DMABUF, "0")], &[NO_DMABUF, NO_EXPLICIT_SYNC]);
    check(safe, &[(NO_DMABUF, "1"), (NO_EXPLICIT_SYNC, "1")], &[]);
}
