//! Names of operations that are used below their rows as well: a tool stands for another, a record names what was done.

/// Stands for every tool of an external MCP server.
pub const CALL_MCP_TOOL: &str = "call_mcp_tool";

/// Stands for every declared program.
pub(crate) const RUN_SHELL_TOOL: &str = "run_shell_tool";

/// Also on record when a post of an agent has been let.
pub(crate) const POST_ROOM: &str = "post_room";

/// Also written by a review.
pub(crate) const UPDATE_BELIEF: &str = "update_belief";

/// Also on record for each belief that a search finds.
pub(crate) const FORGET_BELIEF: &str = "forget_belief";
