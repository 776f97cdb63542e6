//! Agents in a whole station: the tools that they may call, the words that they read, and the files that a key may reach.

mod carriers;
mod marks;
mod toolbox;
