/**
 * Who may come in, and by what. All of it is asked before anybody has a name here, by the owner of the tables alone: the
 * application's role has no right to any of these tables, and no policy would show it a row.
 */
export const access = `
create table maru.password (
  owner uuid primary key references maru.account on delete cascade,
  hash text not null,
  changed_at timestamptz not null default clock_timestamp()
);

create table maru.key (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null references maru.account on delete cascade,
  kind text not null check (kind in ('token', 'cookie')),
  -- Of the secret, which is nowhere.
  hash text collate "C" not null unique,
  label text not null,
  scopes text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  used_at timestamptz,
  revoked_at timestamptz
);
create index key_owner on maru.key (owner);

create table maru.one_time (
  kind text not null check (kind in ('link', 'pair')),
  hash text collate "C" not null,
  owner uuid not null references maru.account on delete cascade,
  expires_at timestamptz not null,
  primary key (kind, hash)
);
create index one_time_owner on maru.one_time (owner);

create table maru.audit (
  no bigint primary key generated always as identity,
  at timestamptz not null default clock_timestamp(),
  owner uuid references maru.account on delete cascade,
  action text not null,
  door text,
  address text,
  detail text
);
create index audit_owner on maru.audit (owner, no desc);

-- Nothing is lost with it but a minute of counting. A subject may be somebody without a name: an address.
create unlogged table maru.allowance (
  subject text collate "C" not null,
  kind text collate "C" not null,
  tokens double precision not null,
  at timestamptz not null,
  -- From then on it says nothing that a new one would not.
  full_at timestamptz not null,
  primary key (subject, kind)
);
create index allowance_full on maru.allowance (full_at);

-- 0, or the seconds to wait. A negative number gives back.
create function maru.allow(p_subject text, p_kind text, p_count double precision, p_capacity double precision,
  p_rate double precision)
returns double precision language plpgsql as $$
declare
  held double precision;
  is_new boolean;
  rest double precision;
begin
  loop
    insert into maru.allowance values (p_subject, p_kind, p_capacity, clock_timestamp(), clock_timestamp())
      on conflict do nothing;
    is_new := found;
    select least(p_capacity, tokens + p_rate * greatest(0, extract(epoch from clock_timestamp() - at))) into held
      from maru.allowance where subject = p_subject and kind = p_kind for update;
    -- Somebody may have tidied it away in between.
    exit when found;
  end loop;
  if is_new then
    delete from maru.allowance where ctid = any(array(select ctid from maru.allowance
      where full_at < clock_timestamp() and (subject, kind) <> (p_subject, p_kind)
      order by full_at limit 100 for update skip locked));
  end if;
  if held < p_count then
    return case when p_count > p_capacity or p_rate <= 0 then 'infinity' else (p_count - held) / p_rate end;
  end if;
  rest := least(p_capacity, held - p_count);
  update maru.allowance set tokens = rest, at = clock_timestamp(), full_at = case when p_rate <= 0 then 'infinity'
      else clock_timestamp() + make_interval(secs => least(1e9, (p_capacity - rest) / p_rate)) end
    where subject = p_subject and kind = p_kind;
  return 0;
end $$;
revoke execute on function maru.allow from public;

do $$
declare name text;
begin
  foreach name in array array['password', 'key', 'one_time', 'audit', 'allowance'] loop
    execute format('revoke all on maru.%I from public', name);
    execute format('alter table maru.%I enable row level security', name);
  end loop;
end $$;

-- Both work on what their caller may see, and say nothing else.
grant execute on function maru.heir(bigint, int), maru.patterns(text[]) to maru_app;

create index fact_summaries on maru.fact (owner, session, seq) where kind = 'summary-add';
`
