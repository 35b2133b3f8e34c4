-- What recall compares: one vector a mistake card, what learners say against a likeness, and how likeness is judged.

-- The key is a shelf number << 24 | a number on that shelf, so that the rows of one learner lie side by side.
-- Not WITHOUT ROWID: rows this wide would make a far larger tree.
CREATE TABLE mistake_vector (
    id           INTEGER PRIMARY KEY,
    mistake_id   INTEGER NOT NULL UNIQUE REFERENCES mistake ON DELETE CASCADE,
    user_id      INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    embedder     TEXT    NOT NULL,      -- vectors of different embedders or card versions are never compared
    card_version INTEGER NOT NULL,
    width        INTEGER NOT NULL CHECK (width > 0),
    vector       BLOB    NOT NULL CHECK (length(vector) = 2 * width) -- little-endian float16
) STRICT;
CREATE INDEX mistake_vector_user ON mistake_vector (user_id);
CREATE INDEX mistake_vector_space ON mistake_vector (embedder, card_version, mistake_id);

CREATE TABLE dismissal (
    user_id INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    one     INTEGER NOT NULL REFERENCES mistake ON DELETE CASCADE,
    other   INTEGER NOT NULL REFERENCES mistake ON DELETE CASCADE,
    at      INTEGER NOT NULL,
    PRIMARY KEY (one, other),
    CHECK (one < other)                 -- a pair has no order
) STRICT, WITHOUT ROWID;
CREATE INDEX dismissal_user ON dismissal (user_id);
CREATE INDEX dismissal_other ON dismissal (other);

CREATE TABLE calibration (
    embedder     TEXT    NOT NULL,
    card_version INTEGER NOT NULL,
    figures      TEXT    NOT NULL CHECK (json_valid(figures)),
    at           INTEGER NOT NULL,
    PRIMARY KEY (embedder, card_version)
) STRICT, WITHOUT ROWID;
