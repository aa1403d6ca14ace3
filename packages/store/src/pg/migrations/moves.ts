/**
 * A session that a file keeps is only shown here: nothing may be written to it until it was moved. From then on the file is
 * what stays behind, and the session is no longer taken away with it.
 */
export const moves = `
alter table maru.mirror add column is_moved boolean not null default false;
create index on maru.mirror (owner, id);
update maru.conversation c set is_moved = true from maru.mirror m where m.owner = c.owner and m.id = c.id;
`
