//! Tries to get out of a cell, once. A cell that does not hold is not used, and no weaker one takes its place.

use std::path::{Path, PathBuf};

use super::sandbox_process::{Cell, Purpose, Tools};
use super::{Bounds, run};
use runtime::wire::SandboxFault;

/// The last line of a cell that holds, with nothing before it.
const HELD: &str = "held";

/// Each line that it prints names something that is not enforced. Its arguments are paths that must not be there.
pub(super) const ATTEMPTS: &str = r#"
exec 2>/dev/null
for path in "$@"; do [ -e "$path" ] && echo "$path can be seen"; done
[ "$(wc -l </proc/net/route)" -le 1 ] || echo "the network can be reached"
grep -q '^Seccomp:[[:space:]]*2' /proc/self/status || echo "system calls are not filtered"
grep -q '^NoNewPrivs:[[:space:]]*1' /proc/self/status || echo "privileges can be gained"
grep -q '^CapEff:[[:space:]]*0*$' /proc/self/status || echo "it has capabilities"
unshare --user true && echo "namespaces can be made"
touch /usr/.quarterdeck && echo "the system can be written"
for path in / /dev/; do touch "${path}.quarterdeck" && echo "$path of the cell can be written"; done
touch /cell/.quarterdeck || echo "its own folder cannot be written"
touch /tmp/.quarterdeck || echo "its temporary folder cannot be written"
truncate --size 65M /tmp/big && echo "the size of files is not limited"
dd if=/dev/zero of=/dev/null bs=600M count=1 && echo "memory is not limited"
(i=0; while [ $i -lt 40 ]; do sleep 9 & i=$((i+1)); done) && echo "the number of processes is not limited"
echo held
"#;

/// Finds the programs that make cells and tries to get out of one; `hidden` must not be visible in it.
pub(super) async fn test(hidden: &[PathBuf]) -> Result<Tools, SandboxFault> {
    if !cfg!(target_os = "linux") {
        return Err(SandboxFault::NeedsLinux);
    }
    let tools = Tools::find()?;
    let cell = Cell { purpose: Purpose::Run, work: None, readable: &[], may_grow: true };
    // `/` is there in every cell.
    let hidden = hidden.iter().filter(|path| path.as_path() != Path::new("/"));
    let arguments: Vec<String> = ["-c", ATTEMPTS, "sh"]
        .map(str::to_owned)
        .into_iter()
        .chain(hidden.map(|path| path.display().to_string()))
        .collect();
    let prepared = tools.prepare(&cell, "/bin/sh", &arguments);
    let prepared = prepared.map_err(|message| SandboxFault::NotPrepared { message })?;
    let ended = run(prepared, Bounds::default()).await;
    let ended = ended.map_err(|error| SandboxFault::NotStarted { message: error.to_string() })?;
    match ended.output.trim() {
        HELD => Ok(tools),
        "" => Err(SandboxFault::NoCell),
        escaped => Err(SandboxFault::Leaks { escapes: escaped.trim_end_matches(HELD).trim().replace('\n', ", ") }),
    }
}
