import { shown } from './search.ts'

/**
 * The same hits for less. A rare word is known as one after the newest 200 messages instead of 1,000, and what the index
 * has of it is read once instead of twice. A run that is shorter than a gram is asked for only where there is nothing
 * longer to ask for: to gather every gram with that beginning took seconds, and LIKE decides in any case.
 */
export const rareWords = `
create or replace function maru.gram_query(owner uuid, words text[]) returns tsquery
language sql immutable parallel safe as $$
  with run as (
    select run, size, length(run) >= size as is_whole from unnest(words) word, maru.runs(word)
  ), term as (
    select distinct case
      when is_whole then quote_literal(substr(run, i, size))
      else quote_literal(run) || ':*' end as term
    from run, generate_series(1, greatest(1, length(run) - size + 1)) i
    where is_whole or not exists (select from run where is_whole)
  )
  select (quote_literal('o:' || owner) || coalesce(' & (' || quote_literal('x:') || ' | (' || string_agg(term, ' & ') || '))', ''))::tsquery
  from term
$$;

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
  step int := 200;
  empty int := 0;
  candidates tid[];
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
    if found >= size or last.at is null then return; end if;
    before := last.at; before_session := last.session; before_seq := last.seq;
    if got = 0 and step > 200 then empty := empty + 1; end if;
    -- Rare ones are all taken from the index at once; a statement sees the rows where the one before has seen them.
    if candidates is null and (got = 0 or step > 200) then
      candidates := array(select c.ctid from maru.message c where maru.grams(c.owner, c.content) @@ query limit 2000);
      if cardinality(candidates) < 2000 then
        -- By themselves first: to walk through all there is in its order, and pick these, would take longer.
        return query
          with c as materialized (select w from maru.message w where w.ctid = any (candidates))
          select (c.w).* from c
          where (c.w).owner = who and ((c.w).at, (c.w).session, (c.w).seq) < (before, before_session, before_seq)
            and lower((c.w).content) like all (wanted) and ${shown('(c.w)')}
          order by (c.w).at desc, (c.w).session desc, (c.w).seq desc limit size - found;
        return;
      end if;
    end if;
    -- So are those that two stretches do not hold: their pieces may be frequent, but to walk on would read everything.
    if empty = 2 then
      return query
        with c as materialized (
          select w from maru.message w where maru.grams(w.owner, w.content) @@ query and lower(w.content) like all (wanted))
        select (c.w).* from c
        where (c.w).owner = who and ((c.w).at, (c.w).session, (c.w).seq) < (before, before_session, before_seq)
          and ${shown('(c.w)')}
        order by (c.w).at desc, (c.w).session desc, (c.w).seq desc limit size - found;
      return;
    end if;
    step := case step when 200 then 800 else least(step * 4, 50000) end;
  end loop;
end $$;
`
