//! Folders of files that people carry to robots.

use std::io::ErrorKind;
use std::path::Path;

use runtime::disk;
use runtime::error::OpError;

use crate::code::StationCode;

/// Makes `folder` with `files`, by their names; whole or not at all.
///
/// # Errors
/// The folder is not free, or cannot be written. Nothing of it is there then.
pub(crate) async fn write_folder(folder: &Path, files: Vec<(String, Vec<u8>)>) -> Result<(), OpError> {
    let not_free = |message: String| OpError::new(StationCode::FolderNotFree, message);
    // A relative path would begin in the station's working directory, which nobody sees from a window.
    if !folder.is_absolute() {
        return Err(not_free("Give the whole path of the folder, from / on.".to_owned()));
    }
    let path = folder.to_owned();
    let shown = folder.display();
    let written = disk::blocking(move || files::make_whole_folder(&path, &files)).await;
    written.map_err(|error| {
        if error.kind() == ErrorKind::DirectoryNotEmpty {
            not_free(format!("There are files in {shown} already."))
        } else if error.kind() == ErrorKind::NotADirectory {
            not_free(format!("{shown} is a link or a file."))
        } else {
            OpError::new(StationCode::FolderNotWritten, format!("Nothing was exported. {shown}: {error}."))
        }
    })
}
