//! Programs that run a text they are given. A hole in that text would let the model that fills it choose what runs.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// The stable code of the refusal.
pub(super) const CODE: &str = "script_is_hole";

/// Programs that run another one, which their arguments name.
const RUNNERS: &[&str] = &[
    "busybox",
    "chroot",
    "chrt",
    "doas",
    "env",
    "exec",
    "find",
    "flock",
    "ionice",
    "ld",
    "nice",
    "nohup",
    "nsenter",
    "parallel",
    "prlimit",
    "runuser",
    "script",
    "setarch",
    "setpriv",
    "setsid",
    "ssh",
    "stdbuf",
    "strace",
    "su",
    "sudo",
    "systemd-run",
    "taskset",
    "time",
    "timeout",
    "toybox",
    "unshare",
    "watch",
    "xargs",
];

/// Interpreters, without the version at the end of their names, and the options behind which their text stands.
const INTERPRETERS: &[(&[&str], Text)] = &[
    (&["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "rbash", "pwsh"], Text::Cluster('c')),
    (&["python", "pypy", "jython", "micropython"], Text::Cluster('c')),
    (&["perl", "ruby", "jruby", "lua", "luajit", "guile", "elixir", "julia", "osascript"], Text::Cluster('e')),
    (&["node", "nodejs", "bun", "deno"], Text::Words(&["-e", "-p", "-pe", "--eval", "--print", "eval"])),
    (&["php", "R", "Rscript"], Text::Words(&["-r", "-B", "-R", "-E", "-e"])),
    (&["awk", "gawk", "mawk", "nawk", "sed", "jq", "m4", "bc", "dc"], Text::Words(&["-e", "--expression", "--source"])),
    (
        &["tclsh", "wish", "expect", "emacs", "vi", "vim", "nvim", "ed", "ex", "gdb", "make", "sqlite"],
        Text::Words(&["-c"]),
    ),
];

/// The options behind which an interpreter's text stands.
#[derive(Debug, Clone, Copy)]
enum Text {
    /// A letter, alone or the last of several behind one hyphen.
    Cluster(char),
    /// One of these words.
    Words(&'static [&'static str]),
}

/// Options of interpreters other than shells and Python whose value is no script.
const VALUED: &[&str] =
    &["-C", "-I", "-L", "-M", "-c", "-d", "-l", "-r", "-v", "--env-file", "--import", "--loader", "--require"];
/// The words of `find` behind which a program stands.
const EXECUTING: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];

/// The meaning of an absolute path for the holes behind it.
enum Place {
    /// It is the script or the program: they are its arguments.
    Script,
    /// It may be the value of an option: a hole behind another option that takes a text could be the script.
    ScriptOrValue,
    /// It is neither.
    Value,
}

/// Refuses a command in which a hole stands where an interpreter takes its script, or a runner its program. A hole may
/// stand behind a script that is written out, or behind the absolute path of one.
pub(super) fn check(program: &Path, arguments: &[String]) -> Result<(), String> {
    let refused = |argument: &str, runs: &str| {
        Err(format!(
            "arguments: {CODE}: {argument:?} lets whoever fills it choose what {runs} runs; put the script into a file and \
             give its absolute path before the first hole"
        ))
    };
    let mut runs = name_of(program);
    let mut text = match kind_of(program) {
        Some(Kind::Interpreter(found)) => Some(found),
        Some(Kind::Runner) => None,
        None => return Ok(()),
    };
    let (mut rest, mut before, mut may_be_named) = (arguments.iter(), "", false);
    while let Some(argument) = rest.next() {
        // As long as no script or program is fixed, whatever fills the hole could become it.
        if argument.contains('{') && (!may_be_named || argument.starts_with('-')) {
            return refused(argument, &runs);
        }
        let place = place_of(argument, before, text);
        before = argument;
        match (text, place) {
            (Some(found), _) if found.is_before_text(argument) => {
                let written_out = rest.next();
                return match written_out.filter(|script| script.contains('{')).or_else(|| next_text(found, rest)) {
                    Some(hole) => refused(hole, &runs),
                    None => Ok(()),
                };
            }
            (Some(_), None) => {}
            (None, Some(Place::Value)) if runs == "find" => {
                let Some(executing) = rest.find(|argument| EXECUTING.contains(&argument.as_str())) else {
                    return Ok(());
                };
                runs.clone_from(executing);
            }
            (None, place) => match (kind_of(Path::new(argument)), place) {
                (Some(Kind::Interpreter(found)), _) => {
                    (text, runs, may_be_named) = (Some(found), argument.clone(), false)
                }
                (Some(Kind::Runner), _) => (runs, may_be_named) = (argument.clone(), false),
                (None, Some(Place::Script)) => return Ok(()),
                (None, place) => may_be_named |= matches!(place, Some(Place::ScriptOrValue)),
            },
            (Some(_), Some(Place::Script)) => return Ok(()),
            (Some(_), Some(place)) => may_be_named |= matches!(place, Place::ScriptOrValue),
        }
    }
    Ok(())
}

/// The meaning of `argument` behind `before` for the interpreter of `text`, or for a runner; none if it is no absolute path.
fn place_of(argument: &str, before: &str, text: Option<Text>) -> Option<Place> {
    let path = Path::new(argument);
    if !path.is_absolute() {
        return None;
    }
    let is_behind_option = before.starts_with(['-', '+']) && !before.contains('=') && before != "--";
    let (is_valued, is_flag) = match text {
        None => (!is_program(path), false),
        Some(text) => (path.is_dir() || text.takes_value(before), text.is_flag(before)),
    };
    Some(match (is_valued, is_behind_option && !is_flag) {
        (true, _) => Place::Value,
        (false, true) => Place::ScriptOrValue,
        (false, false) => Place::Script,
    })
}

/// True if it is a file that can be run.
fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// A hole in one more text of the same command line.
fn next_text<'a>(text: Text, rest: impl Iterator<Item = &'a String>) -> Option<&'a String> {
    let mut is_text = false;
    for argument in rest {
        if is_text && argument.contains('{') {
            return Some(argument);
        }
        is_text = text.is_before_text(argument);
    }
    None
}

enum Kind {
    Interpreter(Text),
    Runner,
}

/// The program by its name, and an interpreter also by the name of what a link leads to: where all programs are one,
/// each link to it is a program of its own.
fn kind_of(program: &Path) -> Option<Kind> {
    let name = name_of(program);
    let behind = program.is_absolute().then(|| program.canonicalize().ok()).flatten().map(|behind| name_of(&behind));
    let text = [Some(&name), behind.as_ref()].into_iter().flatten().find_map(|name| text_of(name));
    text.map(Kind::Interpreter).or_else(|| RUNNERS.contains(&name.as_str()).then_some(Kind::Runner))
}

fn text_of(name: &str) -> Option<Text> {
    INTERPRETERS.iter().find(|(names, _)| names.contains(&name)).map(|(_, text)| *text)
}

/// `python3.12` is `python`; `ld-linux-x86-64.so.2` is `ld`.
fn name_of(program: &Path) -> String {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    if name.starts_with("ld-") || name == "ld.so" {
        return "ld".to_owned();
    }
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    stem.trim_end_matches(".exe").to_owned()
}

impl Text {
    /// True if `option` takes a value that is no script.
    fn takes_value(self, option: &str) -> bool {
        match self {
            Self::Cluster('c') if !option.starts_with("--") => {
                option.starts_with(['-', '+']) && option.ends_with(['o', 'O', 'Q', 'W', 'X'])
            }
            Self::Cluster('c') => ["--init-file", "--rcfile"].contains(&option),
            Self::Cluster(_) | Self::Words(_) => VALUED.contains(&option),
        }
    }

    /// True if `option` is known to take no value: the short ones of shells and of Python, and what is before a script.
    fn is_flag(self, option: &str) -> bool {
        match self {
            Self::Cluster('c') => !option.starts_with("--"),
            Self::Cluster(_) | Self::Words(_) => ["-f", "--file"].contains(&option),
        }
    }

    fn is_before_text(self, argument: &str) -> bool {
        match self {
            Self::Words(words) => words.contains(&argument),
            Self::Cluster(letter) => {
                let letters = argument.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
                letters.is_some_and(|letters| letters.to_ascii_lowercase().ends_with(letter))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(command: &str) -> Result<(), String> {
        let mut words = command.split(' ').map(str::to_owned);
        let program = words.next().unwrap();
        check(Path::new(&program), &words.collect::<Vec<_>>())
    }

    #[test]
    fn att_22_a_hole_is_never_what_an_interpreter_runs() {
        for command in [
            "/bin/sh -c {hole}",
            "/bin/bash -lc {hole}",
            "/bin/sh {hole}",
            "/bin/sh -c ls;{hole}",
            "/bin/dash -c {hole} x",
            "/usr/bin/env sh -c {hole}",
            "/usr/bin/env -i A=1 bash -c {hole}",
            "/usr/bin/env {hole}",
            "/usr/bin/timeout 5 /bin/sh -c {hole}",
            "/usr/bin/nice -n 5 /usr/bin/env python3 -c {hole}",
            "/bin/busybox sh -c {hole}",
            "/lib64/ld-linux-x86-64.so.2 /bin/sh -c {hole}",
            "/usr/bin/python3 -c {hole}",
            "/usr/bin/python3.12 -Ic {hole}",
            "/usr/bin/python3 -m {hole}",
            "/usr/bin/python3 script.py {hole}",
            "/usr/bin/perl -e {hole}",
            "/usr/bin/perl -E {hole}",
            "/usr/bin/perl -e 1 -e {hole}",
            "/usr/bin/perl -e{hole}",
            "/usr/bin/node -e {hole}",
            "/usr/bin/node --eval={hole}",
            "/usr/bin/php -r {hole}",
            "/usr/bin/ruby -e {hole}",
            "/usr/bin/awk {hole}",
            "/usr/bin/awk -F , {hole}",
            "/usr/bin/awk -v n={hole} -f /opt/n.awk",
            "/bin/sed -e {hole}",
            "/usr/bin/xargs {hole}",
            "/usr/bin/flock /run/lock/x sh -c {hole}",
            "/usr/bin/flock /run/lock/x -c {hole}",
            "/usr/sbin/chroot / sh -c {hole}",
            "/usr/bin/env -C /tmp python3 -c {hole}",
            "/usr/bin/env -u /usr/bin/env sh -c {hole}",
            "/usr/bin/perl -I /usr/lib -e {hole}",
            "/usr/bin/perl -I /usr/lib {hole}",
            "/usr/bin/perl -T /opt/x -e {hole}",
            "/usr/bin/perl -T /opt/x -e{hole}",
            "/bin/bash --rcfile /etc/x -c {hole}",
            "/bin/bash --rcfile /etc/x {hole}",
            "/bin/bash -eo /etc/x {hole}",
            "/usr/bin/python3 -W /etc/x {hole}",
            "/usr/bin/find /srv -exec sh -c {hole}",
        ] {
            let refused = checked(command).unwrap_err();
            assert!(refused.starts_with("arguments: script_is_hole: "), "{command}: {refused}");
            assert!(refused.contains("absolute path"), "{command}: {refused}");
        }
    }

    #[test]
    fn a_hole_behind_a_script_that_is_written_out_is_its_argument() {
        for command in [
            "/bin/sh",
            "/usr/bin/head --lines={lines} {file}",
            "/bin/sh /opt/read.sh {file}",
            "/bin/sh -e /opt/read.sh -c {file}",
            "/bin/sh -c ls x {hole}",
            "/usr/bin/python3 -I /opt/read.py --lines {lines}",
            "/usr/bin/env python3 /opt/read.py {file}",
            "/usr/bin/timeout 5 /usr/bin/head {file}",
            "/usr/bin/awk -f /opt/sum.awk {file}",
            "/usr/bin/grep sh {file}",
            "/usr/bin/flock /run/lock/x /usr/bin/head {file}",
            "/usr/bin/env -i /usr/bin/head {file}",
            "/bin/bash --norc /opt/read.sh {file}",
            "/usr/bin/perl -T /opt/read.pl {file}",
            "/usr/bin/perl -I /usr/lib /opt/read.pl {file}",
            "/usr/bin/find /srv -name {name}",
            "/usr/bin/find /srv -name {name} -exec /usr/bin/head",
        ] {
            assert_eq!(checked(command), Ok(()), "{command}");
        }
    }
}
