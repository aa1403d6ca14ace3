/**
 * The search. Under row-level security no text index may be used (its operators could leak), so one function has more
 * rights than its caller, takes the owner from the transaction and nothing else, and filters by it.
 *
 * Runs of Hangul, Han and Kana are cut into overlapping pairs, other words into triples, shorter ends included; the owner
 * is a gram too, so that the index itself narrows to one. A query that is shorter than a gram asks for a beginning. What
 * the index finds is a candidate: LIKE decides.
 */
export const WORD = '[a-z0-9_\\u00df-\\u024f\\u0370-\\u052f]'
export const SYLLABLE = '[\\u1100-\\u11ff\\u3040-\\u30ff\\u3131-\\u318e\\u3400-\\u9fff\\uac00-\\ud7a3]'

// A tsvector holds a megabyte: beyond this length a text is a candidate of every search instead.
export const INDEXED = 100_000
// A position in a text is found by counting from its beginning: long runs are cut into pieces first.
export const PIECE = 200

// Whether a message that holds the words is to be shown. As part of the query: a function would be called for each. The
// subqueries are scalar so that they stay what they are, looked at last and one row at a time.
export const shown = (m: string) => `(f.role is null or ${m}.role = f.role)
          and (f.since is null or ${m}.at >= f.since) and (f.until is null or ${m}.at < f.until)
          and (select h.seq from maru.hidden h where h.owner = who and h.session = ${m}.session and h.target = ${m}.seq) is null
          and (${m}.role <> 'title' or (select t.title_seq from maru.conversation t where t.owner = who and t.no = ${m}.session) = ${m}.seq)
          and (f.project is null and f.service is null and f.tag is null or maru.is_in(maru.heir(${m}.session, ${m}.seq), f))`

export const search = `
create function maru.runs(t text) returns table (run text, size int)
language sql immutable parallel safe as $$
  select r[1], case when r[1] ~ '^${WORD}' then 3 else 2 end
  from regexp_matches(lower(t), '${WORD}+|${SYLLABLE}+', 'g') r
$$;

create function maru.grams(owner uuid, t text) returns tsvector
language sql immutable parallel safe as $$
  select array_to_tsvector(array_agg(gram)) from (
    select 'o:' || owner as gram
    union all
    select 'x:' where length(t) > ${INDEXED}
    union all
    select substr(piece, i, size) from (
      select substr(run, s, ${PIECE + 2}) as piece, size, least(${PIECE}, length(run) - s + 1) as starts
      from maru.runs(case when length(t) > ${INDEXED} then '' else t end), generate_series(1, length(run), ${PIECE}) s
    ) p, generate_series(1, starts) i
  ) g
$$;

create index message_grams on maru.message using gin (maru.grams(owner, content)) with (fastupdate = off);

create function maru.gram_query(owner uuid, words text[]) returns tsquery
language sql immutable parallel safe as $$
  select (quote_literal('o:' || owner) || coalesce(' & (' || quote_literal('x:') || ' | (' || string_agg(term, ' & ') || '))', ''))::tsquery
  from (
    select distinct case
      when length(run) < size then quote_literal(run) || ':*'
      else quote_literal(substr(run, i, size)) end as term
    from unnest(words) word, maru.runs(word), generate_series(1, greatest(1, length(run) - size + 1)) i
  ) terms
$$;

create function maru.patterns(words text[]) returns text[]
language sql immutable parallel safe as $$
  select array_agg('%' || regexp_replace(lower(word), '([\\\\%_])', '\\\\\\1', 'g') || '%') from unnest(words) word
$$;

-- The living conversation that shows a message of one that is gone: the first of its forks behind it.
create function maru.heir(of bigint, at_seq int) returns bigint
language sql stable as $$
  with recursive line as (
    select c.no, c.id from maru.conversation c where c.owner = maru.uid() and c.no = of
    union all
    select f.no, f.id from line l join maru.conversation f on f.owner = maru.uid() and f.parent = l.no
    where l.id is null and f.fork_seq >= at_seq
  )
  select min(no) from line where id is not null
$$;

create type maru.search_filter as (project text, service text, role text, tag text, since timestamptz, until timestamptz);

create function maru.is_in(conversation bigint, f maru.search_filter) returns boolean
language sql stable as $$
  select exists (
    select from maru.conversation c where c.owner = maru.uid() and c.no = conversation
      and (f.project is null or c.project = f.project) and (f.service is null or c.service = f.service)
      and (f.tag is null or exists (select from maru.tag t where t.owner = c.owner and t.session = c.no and t.name = f.tag)))
$$;

-- The newest messages before the cursor that hold all words, at most \`size\`.
create function maru.find_messages(words text[], f maru.search_filter, before timestamptz, before_session bigint,
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
    -- Rare ones are all taken from the index at once.
    if step = 1000 and (select count(*) from (select from maru.message c where maru.grams(c.owner, c.content) @@ query limit 2000) h) < 2000 then
      return query
        with c as materialized (select w from maru.message w where maru.grams(w.owner, w.content) @@ query)
        select (c.w).* from c
        where (c.w).owner = who and ((c.w).at, (c.w).session, (c.w).seq) < (before, before_session, before_seq)
          and lower((c.w).content) like all (wanted) and ${shown('(c.w)')}
        order by (c.w).at desc, (c.w).session desc, (c.w).seq desc limit size - found;
      return;
    end if;
    step := least(step * 4, 50000);
  end loop;
end $$;

-- A window of hits, newest first, each with how often it holds the words and the surroundings of the first.
create function maru.search(words text[], f maru.search_filter, before timestamptz, before_session bigint, before_seq int, size int)
returns table (session bigint, seq int, at timestamptz, role text, conversation text, title text, excerpt text, is_cut boolean,
  fit double precision)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select m.session, m.seq, m.at, m.role, c.id, c.title,
    substr(m.content, x.start, 240), x.start > 1,
    (select sum(ln((length(x.low) - length(replace(x.low, lower(w), ''))) / length(w)::float + 1)) from unnest(words) w)
  from maru.find_messages(words, f, before, before_session, before_seq, least(size, 200)) m
  join maru.conversation o on o.owner = maru.uid() and o.no = m.session
  join maru.conversation c on c.owner = maru.uid()
    and c.no = case when o.id is null then maru.heir(m.session, m.seq) else o.no end
  cross join lateral (select lower(left(m.content, 20000)) as low,
    greatest(1, position(lower(words[1]) in lower(m.content)) - 80) as start
    -- Computed once for a row, not wherever it is named.
    offset 0) x
$$;

revoke execute on all functions in schema maru from public;
-- Whoever inserts a message computes its grams: pure functions, which tell nothing.
grant execute on function maru.runs(text), maru.grams(uuid, text) to maru_app;
grant execute on function maru.search(text[], maru.search_filter, timestamptz, bigint, int, int) to maru_app;
grant usage on type maru.search_filter to maru_app;
`
