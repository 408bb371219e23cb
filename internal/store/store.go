// Package store keeps what the bot must remember between deliveries and across
// crashes: which deliveries it has seen, the newest state of each pull request,
// the runs, and what was published. The jobs themselves are River's, in the
// same database, so that one transaction covers both.
package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"time"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // database/sql driver "sqlite"
)

//go:embed migrations/sqlite/*.sql
var migrations embed.FS

// Store is the open database. It is safe for concurrent use.
type Store struct {
	queries
	db *sql.DB
}

// Tx is a transaction. The methods that Store and Tx share run inside it. While
// it is open no method of Store may be called by the same goroutine: there is
// one connection, and it would wait for itself.
type Tx struct {
	queries
	sql *sql.Tx
}

// SQL is the transaction itself, for the job queue.
func (t *Tx) SQL() *sql.Tx { return t.sql }

// queries are the statements, on the database or in a transaction.
type queries struct {
	on interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
		QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	}
	now func() time.Time
}

// Open opens the SQLite database at path, creating and migrating it as needed.
// now is the clock, nil for the system's.
//
// SQLite has one writer at a time. A pool of one connection queues writers in
// Go, where waiting is fair and free of SQLITE_BUSY; immediate transactions and
// the busy timeout serve other processes that look into the file.
func Open(ctx context.Context, path string, now func() time.Time) (*Store, error) {
	if now == nil {
		now = time.Now
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	dsn := url.URL{Scheme: "file", Path: abs, RawQuery: url.Values{
		"_txlock": {"immediate"},
		"_pragma": {"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)"},
	}.Encode()}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	if err := migrate(ctx, db); err != nil {
		db.Close()
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	return &Store{queries: queries{on: db, now: now}, db: db}, nil
}

func migrate(ctx context.Context, db *sql.DB) error {
	dir, err := fs.Sub(migrations, "migrations/sqlite")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, dir)
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	return nil
}

// DB is the pool, for the job queue.
func (s *Store) DB() *sql.DB { return s.db }

// Ping tells whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	var one int
	if err := s.db.QueryRowContext(ctx, `SELECT 1`).Scan(&one); err != nil {
		return fmt.Errorf("database: %w", err)
	}
	return nil
}

// Close closes the database.
func (s *Store) Close() error { return s.db.Close() }

// InTx runs f in a transaction: committed when f returns nil, otherwise rolled
// back with f's error.
func (s *Store) InTx(ctx context.Context, f func(*Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback() // no effect after Commit
	if err := f(&Tx{queries: queries{on: tx, now: s.now}, sql: tx}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// millis is how a time is stored; the zero time is 0.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
