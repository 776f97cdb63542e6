//! Programs that run a text they are given. A hole in that text would let the model that fills it choose what runs.

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
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        // As long as no script or program is fixed, whatever fills the hole could become it.
        if argument.contains('{') {
            return refused(argument, &runs);
        }
        match text {
            // The script itself: what is behind it are its arguments.
            Some(_) if argument.starts_with('/') => return Ok(()),
            Some(found) if found.is_before_text(argument) => {
                let written_out = rest.next();
                return match written_out.filter(|script| script.contains('{')).or_else(|| next_text(found, rest)) {
                    Some(hole) => refused(hole, &runs),
                    None => Ok(()),
                };
            }
            Some(_) => {}
            None => match kind_of(Path::new(argument)) {
                Some(Kind::Interpreter(found)) => (text, runs) = (Some(found), argument.clone()),
                Some(Kind::Runner) => runs.clone_from(argument),
                None if argument.starts_with('/') => return Ok(()),
                None => {}
            },
        }
    }
    Ok(())
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
        ] {
            assert_eq!(checked(command), Ok(()), "{command}");
        }
    }
}
