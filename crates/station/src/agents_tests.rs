//! Agents in a whole station: what they may call, whose words they read, and which files a key may reach.

mod carriers;
mod marks;
mod toolbox;
