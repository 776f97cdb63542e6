//! Shapes of robots for the scene: the URDF beside the manifest, `robots/<id>.urdf`, and the meshes that it names, in
//! the folder `robots/<id>`. They are drawn; nothing is judged by them.

use std::io;
use std::path::{Path, PathBuf};

use robot::RobotId;
use runtime::disk;
use runtime::error::OpError;

use crate::code::FleetCode;

/// The largest URDF.
const URDF_BYTES_MAX: u64 = 5 * 1024 * 1024;
/// The largest mesh.
const MESH_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Folders on the way to a mesh, and the mesh.
const NAMES_MAX: usize = 8;
/// The longest name of a folder or a mesh, bytes.
const NAME_BYTES_MAX: usize = 64;

/// The text of the robot's URDF, if it has one.
pub(crate) async fn urdf(folder: &Path, robot: &RobotId) -> Result<Option<String>, OpError> {
    let path = folder.join(format!("{robot}.urdf"));
    let shown = path.display().to_string();
    match disk::blocking(move || files::read_text(&path, URDF_BYTES_MAX)).await {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(OpError::new(FleetCode::ModelUnreadable, format!("{shown}: {error}."))),
    }
}

/// The bytes of a mesh as a URDF names it, with `package://` or
/// without; none if the folder of the robot has no such file.
pub(crate) async fn mesh(folder: &Path, robot: &RobotId, name: &str) -> Result<Option<Vec<u8>>, OpError> {
    let plain = name.strip_prefix("package://").unwrap_or(name);
    let names: Vec<String> = plain.split('/').map(str::to_owned).collect();
    // The URDF is a file from outside: a name with `..` or an empty part could lead out of the robot's folder.
    if names.len() > NAMES_MAX || !names.iter().all(|name| is_plain(name)) {
        return Ok(None);
    }
    let root: PathBuf = folder.join(robot.as_str());
    let shown = name.to_owned();
    let read = disk::blocking(move || {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        files::read_below(&root, &names, MESH_BYTES_MAX)
    });
    match read.await {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(OpError::new(FleetCode::ModelUnreadable, format!("{shown}: {error}."))),
    }
}

/// True for a name that stays where it is put.
fn is_plain(name: &str) -> bool {
    let is_in_grammar = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    !name.is_empty() && name.len() <= NAME_BYTES_MAX && !name.starts_with('.') && name.chars().all(is_in_grammar)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn robot() -> RobotId {
        RobotId::new("arm-1").unwrap()
    }

    #[tokio::test]
    async fn u_1103_a_urdf_is_read_beside_the_manifest_and_a_link_in_its_place_is_not() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(urdf(folder.path(), &robot()).await.unwrap(), None);
        std::fs::write(folder.path().join("arm-1.urdf"), "<robot name=\"arm\"/>").unwrap();
        assert_eq!(urdf(folder.path(), &robot()).await.unwrap().as_deref(), Some("<robot name=\"arm\"/>"));
        std::fs::remove_file(folder.path().join("arm-1.urdf")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("arm-1.urdf")).unwrap();
        assert_eq!(urdf(folder.path(), &robot()).await.unwrap_err().code, FleetCode::ModelUnreadable);
    }

    #[tokio::test]
    async fn u_1103_a_mesh_is_read_below_the_folder_of_its_robot_and_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        let meshes = folder.path().join("arm-1/arm_description/meshes");
        std::fs::create_dir_all(&meshes).unwrap();
        std::fs::write(meshes.join("link.stl"), b"solid").unwrap();
        std::fs::write(folder.path().join("secret.stl"), b"secret").unwrap();
        std::os::unix::fs::symlink("/etc", folder.path().join("arm-1/etc")).unwrap();
        let found = mesh(folder.path(), &robot(), "package://arm_description/meshes/link.stl").await;
        assert_eq!(found.unwrap().as_deref(), Some(b"solid".as_slice()));
        let nowhere = ["package://arm_description/meshes/other.stl", "../secret.stl", "/etc/passwd", "a//link.stl"];
        for name in nowhere {
            assert_eq!(mesh(folder.path(), &robot(), name).await.unwrap(), None, "{name}");
        }
        for name in ["etc/passwd", "arm_description/meshes"] {
            let refused = mesh(folder.path(), &robot(), name).await.unwrap_err();
            assert_eq!(refused.code, FleetCode::ModelUnreadable, "{name}");
        }
    }
}
