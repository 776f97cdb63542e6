//! The network of a site in the production profile: its certificates, the rules of its router, and the bundles that people
//! carry to the router and to the robots.

mod bundles;
mod certificates;
mod expiry;
mod link;
mod site;

pub(crate) use expiry::days_left;
pub(crate) use expiry::start as watch_expiry;
pub(crate) use link::{Opened, open_link};
pub(crate) use site::{Exported, Network, Wanted};
