//! The headless host: HTTP and WebSocket over the operation table.
