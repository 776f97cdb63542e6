//! Embeds the windows' configuration. Their pages may call the two commands named here and nothing else.

/// One way in, one way out: every operation goes through `call`, every event through `subscribe`.
const COMMANDS: &[&str] = &["call", "subscribe"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let attributes = tauri_build::Attributes::new()
        .app_manifest(tauri_build::AppManifest::new().commands(COMMANDS))
        .capabilities_path_pattern("src-tauri/capabilities/**/*");
    // The folder, so that a new file in it counts too.
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    tauri_build::try_build(attributes)?;
    Ok(())
}
