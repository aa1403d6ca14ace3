/** Which files were mirrored into the history, and how far: by where they lie, so that several places can share a server. */
export const mirrors = `
create table maru.mirror (
  owner uuid not null default maru.uid() references maru.account on delete cascade,
  source text collate "C" not null,
  id text collate "C" not null,
  -- The file as it was when it was last read, and where its next line begins.
  inode text not null,
  size bigint not null,
  changed double precision not null,
  place bigint not null,
  line int not null,
  seq int not null,
  primary key (owner, source, id)
);
alter table maru.mirror enable row level security;
create policy own on maru.mirror to maru_app using (owner = (select maru.uid())) with check (owner = (select maru.uid()));
grant select, insert, update, delete on maru.mirror to maru_app;
`
