//! What acts on our tables on a server, and our migrations did not make.

use myao_core::chat::ChannelKind;
use myao_store::{Store, Target};

use crate::foreign::{names, refused};
use crate::support::{World, at, channel, postgres};

/// Code of somebody else's, which the server would run as us.
const CODE: &str =
    "CREATE FUNCTION evil(v text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'public' $$;
     CREATE FUNCTION opens() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN new.kind := 'public'; RETURN new; END $$;";

/// Each with what the refusal must name.
const ACTING: [(&str, &[&str]); 12] = [
    (
        "CREATE TRIGGER opens_channels BEFORE INSERT ON channels FOR EACH ROW EXECUTE FUNCTION opens()",
        &["trigger `opens_channels` on `channels`"],
    ),
    ("CREATE RULE never AS ON DELETE TO messages DO INSTEAD NOTHING", &["rule `never` on `messages`"]),
    ("CREATE POLICY hides ON messages USING (deleted = 0)", &["policy `hides` on `messages`"]),
    ("ALTER TABLE messages ENABLE ROW LEVEL SECURITY", &["row-level security of `messages`"]),
    ("CREATE VIEW everything AS SELECT text FROM messages", &["view `everything`"]),
    ("CREATE MATERIALIZED VIEW copied AS SELECT text FROM messages", &["view `copied`"]),
    (
        "ALTER TABLE setbacks RENAME TO hidden; CREATE VIEW setbacks AS SELECT * FROM hidden",
        &["view `setbacks`"],
    ),
    ("CREATE INDEX slow ON messages (evil(text))", &["index `slow` on `messages`"]),
    ("ALTER TABLE channels ALTER COLUMN kind SET DEFAULT evil('x')", &["evil(text)", "`channels`"]),
    ("ALTER TABLE users ADD CONSTRAINT long CHECK (length(name) > 99)", &["constraint `long` on `users`"]),
    ("CREATE TABLE more () INHERITS (messages)", &["table `more`", "`messages`"]),
    ("CREATE TABLE keeps (id TEXT REFERENCES channels (id))", &["table `keeps`, which refers to `channels`"]),
];

async fn planted(statements: &str) -> World {
    let world = postgres().await;
    world.store.close().await;
    plant(&world, &format!("{CODE}{statements}")).await;
    world
}

/// As somebody does who owns the database.
async fn plant(world: &World, statements: &str) {
    let Target::Postgres(url) = &world.target else { panic!("PostgreSQL") };
    let pool = sqlx::PgPool::connect(url).await.expect("connected");
    sqlx::raw_sql(sqlx::AssertSqlSafe(statements.to_owned())).execute(&pool).await.expect(statements);
    pool.close().await;
}

#[tokio::test]
async fn what_could_act_is_named() {
    for (statements, named) in ACTING {
        let world = planted(statements).await;
        names(&refused(&world.target, statements).await, named);
    }
}

/// A function or an operator by the name of one of the server's may be taken for it.
#[tokio::test]
async fn what_stands_for_something_of_the_server_is_named() {
    let world = planted(
        "CREATE FUNCTION lower(v varchar) RETURNS text LANGUAGE sql AS $$ SELECT 'public' $$;
         CREATE FUNCTION same(a text, b varchar) RETURNS bool LANGUAGE sql AS $$ SELECT true $$;
         CREATE OPERATOR = (LEFTARG = text, RIGHTARG = varchar, FUNCTION = same)",
    )
    .await;
    names(&refused(&world.target, "shadows").await, &["function `lower`", "operator `=`"]);
}

/// An extension's objects are the server's, and other programs' tables nobody's business here.
#[tokio::test]
async fn what_cannot_act_is_left_alone() {
    let world = planted(
        "CREATE TABLE other (id TEXT PRIMARY KEY, kind TEXT CHECK (evil(kind) <> 'x'));
         CREATE TRIGGER opens_others BEFORE INSERT ON other FOR EACH ROW EXECUTE FUNCTION opens();
         CREATE VIEW others AS SELECT * FROM other;
         CREATE SCHEMA reports; CREATE VIEW reports.everything AS SELECT text FROM messages",
    )
    .await;
    let store = Store::open(&world.target).await.expect("opened");
    store.intake().apply(vec![channel("C9", ChannelKind::Private)], at(0)).await.expect("applied");
}

#[tokio::test]
async fn an_older_form_is_refused_before_it_is_migrated() {
    let database = crate::migrations::older_on_postgres().await;
    database.run("CREATE RULE never AS ON DELETE TO messages DO INSTEAD NOTHING").await;
    let before = database.dump().await;
    names(&refused(&database.target, "a rule").await, &["rule `never` on `messages`"]);
    assert_eq!(database.dump().await, before);
    database.close().await;
}
