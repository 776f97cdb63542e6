//! Builds the server again once the window was built: without this, a server that was built first would never serve it.

fn main() {
    println!("cargo:rerun-if-changed=../../ui/dist");
}
