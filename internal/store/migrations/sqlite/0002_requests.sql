-- What people ask for: comments with commands, and buttons on check runs.

-- +goose Up
-- The delivery that asked for the run, '' when a push did: a job that dies after
-- it has started a run starts no second one.
ALTER TABLE runs ADD COLUMN asked_by TEXT NOT NULL DEFAULT '';
-- 1: somebody with write access has asked to start a fork's servers on this commit.
ALTER TABLE runs ADD COLUMN approved INTEGER NOT NULL DEFAULT 0;

-- The lock that a check run offers to commit.
CREATE TABLE offers (
    repository_id BIGINT NOT NULL,
    check_run_id  BIGINT NOT NULL,
    pr            BIGINT NOT NULL,
    generation    BIGINT NOT NULL, -- of the run that computed it
    sha           TEXT   NOT NULL, -- of the commit that was checked
    path          TEXT   NOT NULL, -- by the trusted configuration
    lock          TEXT   NOT NULL, -- the file's bytes, '' once nobody can accept it any more
    commit_sha    TEXT   NOT NULL, -- of the commit that was made of it, '' for none
    created_at    BIGINT NOT NULL,
    PRIMARY KEY (repository_id, check_run_id)
);
CREATE INDEX offers_pull ON offers (repository_id, pr);
CREATE INDEX runs_asked_by ON runs (asked_by);

-- +goose Down
DROP INDEX runs_asked_by;
DROP TABLE offers;
ALTER TABLE runs DROP COLUMN approved;
ALTER TABLE runs DROP COLUMN asked_by;
