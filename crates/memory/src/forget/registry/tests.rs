use std::collections::BTreeSet;

use sqlx::SqlitePool;

use super::*;
use crate::{AgentDb, StationDb};

async fn columns_of(pool: &SqlitePool) -> BTreeSet<(String, String)> {
    let rows: Vec<(String, String)> = sqlx::query_as(
        "SELECT t.name, c.name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
         WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%'
             AND t.name <> '_sqlx_migrations' AND c.type IN ('TEXT', 'BLOB', 'ANY', '')",
    )
    .fetch_all(pool)
    .await
    .unwrap();
    rows.into_iter().collect()
}

fn registered(tables: &[Table]) -> BTreeSet<(String, String)> {
    let columns = |table: &Table| {
        let name = table.name.to_owned();
        table.columns.iter().map(move |(column, _)| (name.clone(), (*column).to_owned())).collect::<Vec<_>>()
    };
    tables.iter().flat_map(columns).collect()
}

#[tokio::test]
async fn e2_12_whoever_adds_a_column_says_what_becomes_of_the_words_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let agent = AgentDb::open(&folder.path().join("memory.db")).await.unwrap();
    let station = StationDb::open(&folder.path().join("station.db")).await.unwrap();
    for (file, found, known) in [
        ("memory.db", columns_of(&agent.readers()).await, registered(AGENT)),
        ("station.db", columns_of(&station.pool).await, registered(STATION)),
    ] {
        let missing: Vec<_> = found.difference(&known).collect();
        let gone: Vec<_> = known.difference(&found).collect();
        assert!(
            missing.is_empty() && gone.is_empty(),
            "{file}: forgetting does not know {missing:?}, and knows {gone:?} that are not there; add or remove \
             them in crates/memory/src/forget/registry.rs"
        );
    }
}
