//! Everything that is generated from the operation table and the codes of refusals: the window's types, the references,
//! the JSON schemas.

pub mod errors;
mod reference;
mod schemas;
mod types;
mod window;

use std::path::Path;

use ts_rs::{Config, ExportError};

/// A file as it should be.
#[derive(Debug)]
pub struct GeneratedFile {
    /// From the root of the repository.
    pub path: &'static str,
    /// All of it.
    pub text: String,
}

/// The folder of the types, from the root of the repository.
pub const BINDINGS: &str = "ui/src/generated/bindings";

/// The generated files; the types that they name are written into `bindings`, one file each.
pub fn files(bindings: &Path) -> Result<[GeneratedFile; 5], ExportError> {
    let bindings = Config::new().with_out_dir(bindings);
    types::export(&bindings)?;
    Ok([
        GeneratedFile { path: "ui/src/generated/operations.ts", text: window::operations(&bindings)? },
        GeneratedFile { path: "docs/operations.md", text: reference::operations() },
        GeneratedFile { path: "docs/operations.schema.json", text: schemas::operations() },
        GeneratedFile { path: "ui/src/generated/error-codes.ts", text: errors::typescript() },
        GeneratedFile { path: "docs/errors.md", text: errors::markdown() },
    ])
}
