/** Version of the tables and their content; a journal of version 1 is upgraded, any other is refused. */
export const SCHEMA_VERSION = 2

/** States. */
export const SNAPSHOTS_TABLE = `
  -- The state after an entry. chain is the hash of that entry, klines that of the latest row of klines; hash covers the
  -- state and both.
  CREATE TABLE snapshots (
    seq INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,
    state TEXT NOT NULL,
    hash TEXT NOT NULL,
    chain TEXT NOT NULL,
    klines TEXT NOT NULL
  ) STRICT;`

/** Klines. */
export const KLINES_TABLE = `
  -- The klines seen between two snapshots, up to entry seq; indicators are made again from them. series is symbol and
  -- interval, data six doubles a kline (openTime, open, high, low, close, volume; little-endian). hash covers the row and
  -- the hash of the row before.
  CREATE TABLE klines (
    number INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    series TEXT NOT NULL,
    data BLOB NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;`

/** The tables; readable with any SQLite tool. */
export const SCHEMA = `
  CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Every input and decision, in order. body and decisions are JSON; hash covers the entry and previous, the hash of
  -- the entry before. Old entries are dropped in time; the oldest snapshot then stands right before those that are left.
  CREATE TABLE entries (
    seq INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('session', 'event', 'send', 'operator', 'note')),
    body TEXT NOT NULL,
    decisions TEXT,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;

${SNAPSHOTS_TABLE}

${KLINES_TABLE}

  CREATE VIEW events AS
    SELECT seq, datetime(time / 1000, 'unixepoch') AS at, json_extract(body, '$.type') AS type,
           coalesce(json_extract(body, '$.symbol'), json_extract(body, '$.fill.symbol')) AS symbol, body, decisions
    FROM entries WHERE kind = 'event';
`

/** Inserts an entry: seq, time, kind, body, decisions, previous, hash. */
export const INSERT_ENTRY =
  'INSERT INTO entries (seq, time, kind, body, decisions, previous, hash) VALUES (?, ?, ?, ?, ?, ?, ?)'
