//! Tools of an agent: what it may call, the external servers and programs behind some of them, and their long outputs.

pub(crate) mod hooks;
pub mod mcp;
pub(crate) mod sandbox;
pub(crate) mod tool_output_files;
pub mod toolbox;
