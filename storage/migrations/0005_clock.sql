-- The clock: schedules and what became of each post, drills that several people answer, days of practice.

ALTER TABLE learner ADD COLUMN named   INTEGER NOT NULL DEFAULT 0 CHECK (named IN (0, 1));   -- on shared cards
ALTER TABLE learner ADD COLUMN counted INTEGER NOT NULL DEFAULT 0 CHECK (counted IN (0, 1)); -- in reviews of a group
ALTER TABLE learner ADD COLUMN streaks INTEGER NOT NULL DEFAULT 1 CHECK (streaks IN (0, 1));

-- A learner's own one hangs on the learner; that of a channel is the server's.
CREATE TABLE schedule (
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- what a button carries
    kind       TEXT    NOT NULL CHECK (kind IN ('review', 'reminder', 'group_review', 'daily_drill')),
    user_id    INTEGER REFERENCES learner ON DELETE CASCADE,
    guild_id   INTEGER,
    channel_id INTEGER,
    made_by    INTEGER NOT NULL,        -- who is told what became of it
    time_zone  TEXT    NOT NULL CHECK (time_zone <> ''),
    minute     INTEGER NOT NULL CHECK (minute BETWEEN 0 AND 1439), -- of the local day
    weekdays   INTEGER NOT NULL CHECK (weekdays BETWEEN 1 AND 127), -- 1: Monday, 64: Sunday
    pack_id    INTEGER REFERENCES pack ON DELETE SET NULL,
    lessons    TEXT    NOT NULL,
    news       INTEGER NOT NULL CHECK (news IN (0, 1)),
    count      INTEGER NOT NULL CHECK (count BETWEEN 1 AND 50),
    state      TEXT    NOT NULL CHECK (state IN ('draft', 'active', 'paused')),
    next_due   INTEGER,
    next_day   INTEGER,                 -- the local day that is due then, since 1970
    last_day   INTEGER,                 -- the latest local day there was a post for
    paused_why TEXT    NOT NULL,
    paused_at  INTEGER,
    told_at    INTEGER,                 -- when its maker was told of the pause
    made_at    INTEGER NOT NULL,
    CHECK ((user_id IS NULL) = (kind IN ('group_review', 'daily_drill'))),
    CHECK ((user_id IS NULL) = (guild_id IS NOT NULL)),
    CHECK ((user_id IS NULL) = (channel_id IS NOT NULL)),
    CHECK ((state = 'active') = (next_due IS NOT NULL)),
    CHECK ((next_due IS NULL) = (next_day IS NULL)),
    CHECK ((state = 'paused') = (paused_at IS NOT NULL)),
    CHECK ((state = 'paused') = (paused_why <> ''))
) STRICT;
CREATE UNIQUE INDEX schedule_own ON schedule (user_id, kind);
CREATE INDEX schedule_due ON schedule (next_due) WHERE state = 'active';
CREATE INDEX schedule_guild ON schedule (guild_id, channel_id) WHERE guild_id IS NOT NULL;
CREATE INDEX schedule_paused ON schedule (made_by, told_at) WHERE state = 'paused';
CREATE INDEX schedule_draft ON schedule (made_at) WHERE state = 'draft';
CREATE INDEX schedule_pack ON schedule (pack_id) WHERE pack_id IS NOT NULL;

CREATE TABLE run (
    id          INTEGER PRIMARY KEY AUTOINCREMENT, -- names the post to Discord
    schedule_id INTEGER NOT NULL REFERENCES schedule ON DELETE CASCADE,
    user_id     INTEGER REFERENCES learner ON DELETE CASCADE, -- as the schedule's
    due_at      INTEGER NOT NULL,
    day         INTEGER NOT NULL,       -- the local day it is for, since 1970
    late        INTEGER NOT NULL CHECK (late >= 0), -- earlier ones that were passed over
    state       TEXT    NOT NULL CHECK (state IN ('claimed', 'sent', 'failed', 'skipped', 'unknown')),
    why         TEXT    NOT NULL,       -- it was not sent; or what was special about the post
    tried_at    INTEGER,                -- the first time it was handed to Discord
    settled_at  INTEGER,
    message_id  INTEGER,
    answered_at INTEGER,                -- a press on the message
    UNIQUE (schedule_id, due_at),
    CHECK ((state = 'claimed') = (settled_at IS NULL)),
    CHECK ((state = 'sent') = (message_id IS NOT NULL))
) STRICT;
CREATE INDEX run_user ON run (user_id);
CREATE INDEX run_open ON run (id) WHERE state = 'claimed';
CREATE INDEX run_at ON run (due_at);

-- One card for many; what each of them answers is a drill of their own.
CREATE TABLE shared_drill (
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- what a button carries
    kind       TEXT    NOT NULL CHECK (kind IN ('daily', 'race')),
    run_id     INTEGER UNIQUE REFERENCES run ON DELETE SET NULL, -- NULL: asked for by a person
    guild_id   INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    started_by INTEGER REFERENCES learner ON DELETE SET NULL, -- NULL: a schedule, or somebody who is forgotten
    track      TEXT    NOT NULL CHECK (track IN ('lesson', 'exercise')),
    title      TEXT    NOT NULL,
    pack_id    INTEGER REFERENCES pack ON DELETE SET NULL, -- NULL: none was named
    lessons    TEXT    NOT NULL,
    seconds    INTEGER CHECK (seconds > 0), -- for one question; NULL: no limit
    typed      INTEGER NOT NULL CHECK (typed IN (0, 1)), -- answers are read in the channel as well
    state      TEXT    NOT NULL CHECK (state IN ('open', 'ended')),
    ended_why  TEXT    NOT NULL CHECK (ended_why IN ('', 'finished', 'unanswered', 'stopped', 'lost')),
    position   INTEGER NOT NULL CHECK (position > 0), -- of the question that is open, or was last
    phase      TEXT    NOT NULL CHECK (phase IN ('waiting', 'asking', 'closed')), -- of that question
    phase_at   INTEGER NOT NULL,        -- since when
    hints      INTEGER NOT NULL CHECK (hints >= 0), -- shown with that question
    message_id INTEGER,                 -- of that question's card
    last_id    INTEGER,                 -- of the card that tells how it ended
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    CHECK ((state = 'open') = (ended_at IS NULL)),
    CHECK ((state = 'open') = (ended_why = ''))
) STRICT;
CREATE UNIQUE INDEX shared_drill_race ON shared_drill (channel_id) WHERE state = 'open' AND kind = 'race';
CREATE INDEX shared_drill_unfinished ON shared_drill (id) WHERE kind = 'race' AND last_id IS NULL AND ended_why <> 'lost';
CREATE INDEX shared_drill_channel ON shared_drill (channel_id, started_at);
CREATE INDEX shared_drill_guild ON shared_drill (guild_id);
CREATE INDEX shared_drill_starter ON shared_drill (started_by);

CREATE TABLE shared_item (
    shared_id INTEGER NOT NULL REFERENCES shared_drill ON DELETE CASCADE,
    position  INTEGER NOT NULL CHECK (position > 0),
    item_id   INTEGER NOT NULL REFERENCES item,
    PRIMARY KEY (shared_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX shared_item_item ON shared_item (item_id);

ALTER TABLE drill ADD COLUMN shared_id INTEGER REFERENCES shared_drill ON DELETE SET NULL; -- NULL: nobody else's
CREATE UNIQUE INDEX drill_shared ON drill (shared_id, user_id);

DROP VIEW drill_tally;
CREATE VIEW drill_tally AS
SELECT
    drill.*,
    (SELECT kind FROM shared_drill WHERE shared_drill.id = drill.shared_id) AS shared_kind,
    (SELECT count(*) FROM exercise WHERE exercise.drill_id = drill.id) AS total,
    (
        SELECT count(*) FROM exercise JOIN attempt ON attempt.exercise_id = exercise.id
        WHERE exercise.drill_id = drill.id AND attempt.verdict NOT IN ('skipped', 'timeout')
    ) AS answered,
    (
        SELECT count(*) FROM exercise JOIN attempt ON attempt.exercise_id = exercise.id
        WHERE exercise.drill_id = drill.id AND attempt.verdict IN ('exact', 'equivalent')
    ) AS answered_right,
    (
        SELECT count(*) FROM exercise JOIN attempt ON attempt.exercise_id = exercise.id
        WHERE exercise.drill_id = drill.id AND attempt.verdict IN ('skipped', 'timeout')
    ) AS skipped,
    (
        SELECT count(*) FROM exercise JOIN attempt ON attempt.exercise_id = exercise.id
        WHERE exercise.drill_id = drill.id AND attempt.verdict = 'pending'
    ) AS waiting
FROM drill;

DROP VIEW exercise_state;
CREATE VIEW exercise_state AS
SELECT
    clipped_item.*,
    exercise.id AS exercise_id,
    exercise.drill_id,
    exercise.position AS place,
    exercise.hinted,
    exercise.retried_by,
    drill.user_id,
    drill.guild_id,
    drill.shared_id,
    drill.state,
    attempt.id AS attempt_id,
    attempt.verdict,
    attempt.typed,
    attempt.grade,
    EXISTS (SELECT 1 FROM appeal WHERE appeal.attempt_id = attempt.id) AS appealed,
    EXISTS ( -- a question of a race whose time is up
        SELECT 1 FROM shared_drill AS race
        WHERE race.id = drill.shared_id AND race.kind = 'race'
            AND (race.state = 'ended' OR race.phase <> 'asking' OR race.position <> exercise.position)
    ) AS time_up
FROM exercise
JOIN drill ON drill.id = exercise.drill_id
JOIN clipped_item ON clipped_item.id = exercise.item_id
LEFT JOIN attempt ON attempt.exercise_id = exercise.id AND attempt.user_id = drill.user_id;

-- What was answered in a shared drill, by whom; a skipped question is none.
CREATE VIEW shared_answer AS
SELECT
    drill.shared_id,
    exercise.position,
    drill.user_id,
    learner.named,
    attempt.verdict IN ('exact', 'equivalent') AS is_right,
    attempt.verdict = 'wrong' AS is_wrong,
    attempt.at,
    attempt.id AS attempt_id
FROM drill
JOIN learner ON learner.user_id = drill.user_id
JOIN exercise ON exercise.drill_id = drill.id
JOIN attempt ON attempt.exercise_id = exercise.id
WHERE attempt.verdict NOT IN ('skipped', 'timeout');

CREATE VIEW shared_tally AS
SELECT
    shared_drill.*,
    (SELECT count(*) FROM shared_item WHERE shared_item.shared_id = shared_drill.id) AS total,
    (
        SELECT count(*) FROM shared_answer
        WHERE shared_answer.shared_id = shared_drill.id AND shared_answer.position = shared_drill.position
    ) AS answered,
    (
        SELECT min(shared_answer.at) FROM shared_answer
        WHERE shared_answer.shared_id = shared_drill.id AND shared_answer.position = shared_drill.position AND is_right
    ) AS right_at,
    (
        SELECT max(shared_answer.at) FROM shared_answer
        WHERE shared_answer.shared_id = shared_drill.id AND shared_answer.position = shared_drill.position
    ) AS touched_at,
    (
        SELECT coalesce(max(shared_answer.position), 0) FROM shared_answer WHERE shared_answer.shared_id = shared_drill.id
    ) AS last_answered
FROM shared_drill;

CREATE TABLE study_day (
    user_id INTEGER NOT NULL REFERENCES learner ON DELETE CASCADE,
    day     INTEGER NOT NULL,           -- with an answer, since 1970, in the zone the learner lived in then
    PRIMARY KEY (user_id, day)
) STRICT, WITHOUT ROWID;
INSERT INTO study_day (user_id, day)
SELECT DISTINCT user_id, at / 86400000 FROM attempt WHERE verdict NOT IN ('skipped', 'timeout'); -- by UTC, for want of better

-- The time that the latest review of a group counted: no time of a server is counted twice, or two reviews could be
-- held against each other. It outlives its schedule and says nothing of anybody.
CREATE TABLE group_review (
    guild_id INTEGER PRIMARY KEY,
    run_id   INTEGER NOT NULL,
    since_at INTEGER NOT NULL,
    until_at INTEGER NOT NULL,
    CHECK (since_at <= until_at)
) STRICT;
CREATE INDEX visit_guild ON visit (guild_id);

-- Servers that were found to be without the bot: what is theirs is kept for a while, should they come back.
CREATE TABLE absence (
    guild_id   INTEGER PRIMARY KEY,
    since      INTEGER NOT NULL,
    cleared_at INTEGER                  -- when it was let go
) STRICT;
CREATE INDEX absence_open ON absence (since) WHERE cleared_at IS NULL;
