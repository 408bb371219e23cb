-- Times are milliseconds since 1970 in UTC and truth values are 0 or 1, so
-- that the same statements serve any database. Texts from GitHub are stored as
-- they came.

-- +goose Up
CREATE TABLE deliveries (
    id          TEXT    NOT NULL PRIMARY KEY, -- X-GitHub-Delivery; a redelivery has the same
    event       TEXT    NOT NULL,
    action      TEXT    NOT NULL,
    received_at BIGINT  NOT NULL,
    outcome     TEXT    NOT NULL
);
CREATE INDEX deliveries_received_at ON deliveries (received_at);

-- The newest known state of a pull request, by GitHub's order of events.
CREATE TABLE pulls (
    repository_id   BIGINT  NOT NULL,
    number          BIGINT  NOT NULL,
    installation_id BIGINT  NOT NULL,
    owner           TEXT    NOT NULL,
    repo            TEXT    NOT NULL,
    head_sha        TEXT    NOT NULL,
    before_sha      TEXT    NOT NULL, -- head before the last push, '' when unknown
    base_ref        TEXT    NOT NULL,
    fork            INTEGER NOT NULL,
    draft           INTEGER NOT NULL,
    is_open         INTEGER NOT NULL,
    updated_at      BIGINT  NOT NULL, -- pull_request.updated_at of that event
    generation      BIGINT  NOT NULL, -- number of triggers that asked for work
    comment         TEXT    NOT NULL, -- what was published as comment, JSON
    PRIMARY KEY (repository_id, number)
);
CREATE INDEX pulls_head ON pulls (repository_id, head_sha);

-- What was published on a commit: all pull requests with this head share it.
CREATE TABLE heads (
    repository_id BIGINT NOT NULL,
    sha           TEXT   NOT NULL,
    pair          BIGINT NOT NULL, -- how many pairs of check runs it has had
    checks        TEXT   NOT NULL, -- the newest pair, JSON
    PRIMARY KEY (repository_id, sha)
);

-- One piece of work: a pull request's head at a generation.
CREATE TABLE runs (
    id            INTEGER NOT NULL PRIMARY KEY,
    repository_id BIGINT  NOT NULL,
    pr            BIGINT  NOT NULL,
    generation    BIGINT  NOT NULL,
    head_sha      TEXT    NOT NULL,
    job_id        BIGINT  NOT NULL,
    state         TEXT    NOT NULL,
    afresh        INTEGER NOT NULL, -- wants new check runs on a commit that has finished ones
    superseded_by TEXT    NOT NULL, -- head that replaced this one, '' when none
    lint          TEXT    NOT NULL, -- conclusion, '' until known
    lock          TEXT    NOT NULL,
    sarif         TEXT    NOT NULL, -- the upload, JSON
    created_at    BIGINT  NOT NULL,
    started_at    BIGINT  NOT NULL, -- 0: GitHub has heard nothing of it
    finished_at   BIGINT  NOT NULL, -- 0: not finished
    UNIQUE (repository_id, pr, generation)
);
CREATE INDEX runs_head ON runs (repository_id, head_sha);

-- +goose Down
DROP TABLE runs;
DROP TABLE heads;
DROP TABLE pulls;
DROP TABLE deliveries;
