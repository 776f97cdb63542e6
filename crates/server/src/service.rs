//! The server as a service of systemd.

use std::path::{Path, PathBuf};

use anyhow::Context;

/// Arguments of the server in its unit.
pub struct Service<'a> {
    /// Everything the station keeps.
    pub data_dir: &'a Path,
    /// The address to listen at.
    pub listen: std::net::SocketAddr,
    /// Certificate and key, if it listens with TLS.
    pub tls: Option<(&'a Path, &'a Path)>,
}

/// Writes the unit of the server into `folder`, or where systemd looks for units of this user, and gives its path.
///
/// # Errors
/// Names what the disk refused.
pub fn install(service: &Service<'_>, folder: Option<&Path>) -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe().context("this program cannot be found")?;
    let folder = match folder {
        Some(folder) => folder.to_owned(),
        None => user_units().context("neither XDG_CONFIG_HOME nor HOME is set; name a folder with --folder")?,
    };
    let path = folder.join("quarterdeck-server.service");
    let text = unit(&program, service)?;
    // Named by a person, or by where settings are kept under version control: it may be a link.
    files::make_named_folder(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    files::replace(&path, text.as_bytes()).with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(path)
}

fn user_units() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let settings = set("XDG_CONFIG_HOME").or_else(|| Some(set("HOME")?.join(".config")))?;
    Some(settings.join("systemd/user"))
}

/// The line with the address and the first token goes into memory that only this user can read, not into the journal.
fn unit(program: &Path, service: &Service<'_>) -> anyhow::Result<String> {
    let absolute = |path: &Path| {
        std::path::absolute(path).map(|path| quoted(&path)).with_context(|| format!("{} has no place", path.display()))
    };
    let mut command = format!("{} --data-dir {}", quoted(program), absolute(service.data_dir)?);
    command += &format!(" --listen {}", service.listen);
    if let Some((certificate, key)) = service.tls {
        command += &format!(" --tls-cert {} --tls-key {}", absolute(certificate)?, absolute(key)?);
    }
    // With a limit of starts systemd would give up after a few quick ones. With KillMode=mixed the station alone
    // hears SIGTERM, and ends its own programs.
    Ok(format!(
        "[Unit]\nDescription=Quarterdeck station\nStartLimitIntervalSec=0\n\n\
         [Service]\nType=exec\nExecStart={command}\nStandardOutput=truncate:%t/quarterdeck-server.json\n\
         Restart=always\nRestartSec=2\nKillMode=mixed\nTimeoutStopSec=30\nUMask=0077\nNoNewPrivileges=true\n\n\
         [Install]\nWantedBy=default.target\n"
    ))
}

/// A path as one word of a unit, in which `%` and `$` would stand for something.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%").replace('$', "$$");
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rd_01_a_unit_starts_the_server_again_and_keeps_its_first_token_out_of_the_journal() {
        let folder = tempfile::tempdir().unwrap();
        let (data_dir, certificate, key) = (Path::new("/a b/100%"), Path::new("/c.pem"), Path::new("/c.key"));
        let listen = std::net::SocketAddr::from(([0, 0, 0, 0], 8420));
        let service = Service { data_dir, listen, tls: Some((certificate, key)) };
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(folder.path(), &link).unwrap();
        let text = std::fs::read_to_string(install(&service, Some(&link)).unwrap()).unwrap();
        for line in ["Restart=always", "UMask=0077", "StandardOutput=truncate:%t/quarterdeck-server.json"] {
            assert!(text.lines().any(|written| written == line), "{line}\n{text}");
        }
        let arguments = "--data-dir \"/a b/100%%\" --listen 0.0.0.0:8420 --tls-cert \"/c.pem\" --tls-key \"/c.key\"";
        assert!(text.contains(arguments), "{text}");
    }
}
