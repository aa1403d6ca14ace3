import { shown } from './search.ts'

/**
 * The search of the newest messages, as it was, but that it no longer walks through everything when the pieces of a word
 * are each frequent and hardly ever stand side by side.
 */
export const candidates = `
-- The newest messages before the cursor that hold all words, at most \`size\`.
create or replace function maru.find_messages(words text[], f maru.search_filter, before timestamptz, before_session bigint,
  before_seq int, size int)
returns setof maru.message
-- In the order of the index, so that it stops when there are enough.
language plpgsql stable set enable_seqscan = off set enable_sort = off as $$
declare
  who uuid := maru.uid();
  wanted text[] := maru.patterns(words);
  query tsquery := maru.gram_query(who, words);
  found int := 0;
  got int;
  step int := 1000;
  empty int := 0;
  last record;
begin
  if who is null or wanted is null then return; end if;
  loop
    -- Frequent words are among the newest: a stretch of them is looked through, until there are enough.
    select c.at, c.session, c.seq into last from maru.message c
      where c.owner = who and (c.at, c.session, c.seq) < (before, before_session, before_seq)
      order by c.at desc, c.session desc, c.seq desc offset step - 1 limit 1;
    return query
      select c.* from maru.message c
      where c.owner = who and (c.at, c.session, c.seq) < (before, before_session, before_seq)
        and (c.at, c.session, c.seq) >= (coalesce(last.at, '-infinity'), coalesce(last.session, 0), coalesce(last.seq, 0))
        and lower(c.content) like all (wanted) and ${shown('c')}
      order by c.at desc, c.session desc, c.seq desc limit size - found;
    get diagnostics got = row_count;
    found := found + got;
    if got = 0 then empty := empty + 1; end if;
    if found >= size or last.at is null then return; end if;
    before := last.at; before_session := last.session; before_seq := last.seq;
    -- Rare ones are all taken from the index at once. So are those that a second stretch does not hold: their pieces may
    -- be frequent, but to walk on would read everything there is.
    if empty = 2 or step = 1000
      and (select count(*) from (select from maru.message c where maru.grams(c.owner, c.content) @@ query limit 2000) h) < 2000 then
      return query
        with c as materialized (
          select w from maru.message w where maru.grams(w.owner, w.content) @@ query and lower(w.content) like all (wanted))
        select (c.w).* from c
        where (c.w).owner = who and ((c.w).at, (c.w).session, (c.w).seq) < (before, before_session, before_seq)
          and ${shown('(c.w)')}
        order by (c.w).at desc, (c.w).session desc, (c.w).seq desc limit size - found;
      return;
    end if;
    step := least(step * 4, 50000);
  end loop;
end $$;
`
