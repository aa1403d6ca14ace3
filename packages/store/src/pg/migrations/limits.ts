/** Takes from a bucket that fills up again: 0, or the seconds to wait. A negative number gives back. */
export const limits = `
create function maru.take(p_kind text, p_count double precision, p_capacity double precision, p_rate double precision)
returns double precision language plpgsql as $$
declare
  held double precision;
begin
  insert into maru.bucket (kind, tokens, at) values (p_kind, p_capacity, clock_timestamp()) on conflict do nothing;
  select least(p_capacity, tokens + p_rate * greatest(0, extract(epoch from clock_timestamp() - at))) into held
    from maru.bucket where owner = maru.uid() and kind = p_kind for update;
  if held < p_count then return case when p_count > p_capacity then 'infinity' else (p_count - held) / p_rate end; end if;
  update maru.bucket set tokens = least(p_capacity, held - p_count), at = clock_timestamp() where owner = maru.uid() and kind = p_kind;
  return 0;
end $$;
revoke execute on function maru.take from public;
grant execute on function maru.take to maru_app;
`
