/**
 * Who may do what. Everybody works as maru_app, which sees only rows of whom the transaction is for. Facts and messages
 * are never changed: what can be taken away is erased, not edited; only the running counts beside a fact follow what is erased.
 */
export const rights = `
do $$ begin
  create role maru_app nologin;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  if not pg_has_role(current_user, 'maru_app', 'member') then execute format('grant maru_app to %I', current_user); end if;
end $$;

revoke all on schema maru from public;
grant usage on schema maru to maru_app;
revoke execute on all functions in schema maru from public;
grant execute on function maru.uid() to maru_app;
grant usage on sequence maru.epoch to maru_app;

grant select on maru.account to maru_app;
grant select, insert, update, delete on maru.project, maru.conversation, maru.lease, maru.tag, maru.job, maru.bucket to maru_app;
grant select, insert, delete on maru.fact, maru.admission, maru.message, maru.hidden, maru.blob to maru_app;
grant update (messages, tokens) on maru.fact to maru_app;
grant select, insert, update, delete on maru.holding to maru_app;

alter table maru.account enable row level security;
create policy own on maru.account for select to maru_app using (id = (select maru.uid()));
do $$
declare name text;
begin
  foreach name in array array['project', 'conversation', 'fact', 'admission', 'message', 'hidden', 'blob', 'holding',
                              'lease', 'tag', 'job', 'bucket'] loop
    execute format('alter table maru.%I enable row level security', name);
    execute format('create policy own on maru.%I to maru_app using (owner = (select maru.uid())) '
      || 'with check (owner = (select maru.uid()))', name);
  end loop;
end $$;
`
