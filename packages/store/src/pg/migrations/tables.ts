/**
 * The tables. The owner leads every key, so that they can be spread by owner. A conversation has a number of its own
 * beside its id: when it is erased while forks still read from it, its id goes and its number stays.
 */
export const tables = `
create schema maru;

create function maru.uid() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.user_id', true), '')::uuid $$;

create table maru.account (
  id uuid primary key default gen_random_uuid(),
  name text not null unique,
  created_at timestamptz not null default now()
);

create table maru.project (
  owner uuid not null default maru.uid() references maru.account on delete cascade,
  name text not null,
  description text not null default '',
  created_at timestamptz not null default now(),
  primary key (owner, name)
);

create table maru.conversation (
  owner uuid not null default maru.uid() references maru.account on delete cascade,
  no bigint not null generated always as identity,
  id text collate "C",
  start json,
  title text,
  title_seq int,
  description text not null default '',
  project text,
  service text,
  status text not null default 'active' check (status in ('active', 'archived', 'summarized')),
  -- A fork reads 1..fork_seq through its parent.
  parent bigint,
  fork_seq int not null default 0,
  -- The last fact's number, and the last that a runner wrote.
  head int not null,
  runner int not null default 0,
  is_moved boolean not null default false,
  -- Which model the turn under way was asked of: its end does not say.
  turn_id text,
  turn_model text,
  messages int not null default 0,
  tokens bigint not null default 0,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  last_at timestamptz not null,
  -- By the clock of the database, which all nodes share.
  touched_at timestamptz not null default clock_timestamp(),
  primary key (owner, no),
  unique (owner, id),
  foreign key (owner, parent) references maru.conversation (owner, no)
) with (fillfactor = 85);
create index conversation_list on maru.conversation (owner, status, last_at desc, no desc) where id is not null;
create index conversation_forks on maru.conversation (owner, parent) where parent is not null;

create table maru.fact (
  owner uuid not null default maru.uid(),
  session bigint not null,
  seq int not null,
  kind text not null,
  -- json, not jsonb: what was written comes back letter by letter, in its order, U+0000 included.
  body json not null,
  at timestamptz not null,
  -- As they stood after this fact; a fork begins with what its cut says.
  runner int not null,
  messages int not null,
  tokens bigint not null,
  primary key (owner, session, seq),
  foreign key (owner, session) references maru.conversation (owner, no) on delete cascade
);

-- Names that no second fact of a session may take.
create table maru.admission (
  owner uuid not null default maru.uid(),
  session bigint not null,
  key text collate "C" not null,
  seq int not null,
  primary key (owner, session, key),
  foreign key (owner, session) references maru.conversation (owner, no) on delete cascade
);

create table maru.message (
  owner uuid not null default maru.uid(),
  session bigint not null,
  -- Its fact's.
  seq int not null,
  role text not null check (role in ('user', 'assistant', 'system', 'note', 'title')),
  content text not null,
  model text,
  tokens int,
  finish text,
  metadata json,
  at timestamptz not null,
  primary key (owner, session, seq),
  foreign key (owner, session) references maru.conversation (owner, no) on delete cascade
);
create index message_walk on maru.message (owner, at desc, session desc, seq desc);
create index message_titles on maru.message (owner, session, seq) where role = 'title';

-- In this conversation, and in forks that were made behind seq, target is not shown.
create table maru.hidden (
  owner uuid not null default maru.uid(),
  session bigint not null,
  target int not null,
  seq int not null,
  primary key (owner, session, target),
  foreign key (owner, session) references maru.conversation (owner, no) on delete cascade
);

create table maru.blob (
  owner uuid not null default maru.uid() references maru.account on delete cascade,
  hash text collate "C" not null,
  content bytea not null,
  primary key (owner, hash)
);
-- Who needs a blob: a session by its id, or '#' and its number when only forks are left. seq is the first fact that
-- refers to it, as far as there is one: a fork made behind it may read it.
create table maru.holding (
  owner uuid not null default maru.uid(),
  holder text collate "C" not null,
  hash text collate "C" not null,
  seq int,
  primary key (owner, holder, hash),
  foreign key (owner, hash) references maru.blob (owner, hash) on delete cascade
);
create index holding_hash on maru.holding (owner, hash);

create sequence maru.epoch as bigint;
create table maru.lease (
  owner uuid not null default maru.uid(),
  session bigint not null,
  epoch bigint not null,
  node text not null,
  lease_until timestamptz not null,
  primary key (owner, session),
  foreign key (owner, session) references maru.conversation (owner, no) on delete cascade
);

create table maru.tag (
  owner uuid not null default maru.uid(),
  session bigint not null,
  name text not null,
  primary key (owner, session, name),
  foreign key (owner, session) references maru.conversation (owner, no) on delete cascade
);
create index tag_name on maru.tag (owner, name, session);

create table maru.job (
  owner uuid not null default maru.uid() references maru.account on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null,
  -- The same work asked for twice is one job.
  key text collate "C" not null,
  payload json not null,
  run_at timestamptz not null default now(),
  lease uuid,
  lease_until timestamptz,
  attempts int not null default 0,
  problem text,
  primary key (owner, id),
  unique (owner, kind, key)
);
create index job_due on maru.job (run_at);

-- Nothing is lost with it but a minute of counting.
create unlogged table maru.bucket (
  owner uuid not null default maru.uid() references maru.account on delete cascade,
  kind text not null,
  tokens double precision not null,
  at timestamptz not null,
  primary key (owner, kind)
);
`
