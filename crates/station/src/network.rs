//! The network of a site in the production profile: its certificates, the rules of its router, and the bundles that people
//! carry to the router and to the robots.

mod bundles;
mod certificates;
mod link;
mod site;

pub(crate) use certificates::days_left;
pub(crate) use link::{Opened, open_link};
pub(crate) use site::{Exported, Network, Request, StationKey, Wanted};
