import { expect, test } from 'vitest'
import { judgeSql } from '../../src/shell/sql.ts'

test.each([
  ['reads', 'select 1'],
  ['reads', "SELECT 'drop table x'"],
  ['reads', 'explain select * from t'],
  ['reads', 'select 1; -- drop table x'],
  ['writes', 'insert into t values (1)'],
  ['writes', 'update t set a = 1 where id = 3'],
  ['writes', "delete from t where name = 'x'"],
  ['destroys', 'DROP/**/TABLE users'],
  ['destroys', 'drop   table if exists users cascade'],
  ['destroys', 'truncate users'],
  ['destroys', 'delete from users'],
  ['destroys', 'delete from users where 1=1'],
  ['destroys', 'delete from users where true'],
  ['destroys', 'delete from users where id = 3 or 1 = 1'],
  ['destroys', "update users set role = 'admin'"],
  ['destroys', 'select 1; drop table x'],
  ['destroys', 'with x as (delete from users) select 1'],
  ['destroys', '/*! DROP TABLE x */'],
  ['destroys', 'alter table x drop column y'],
  ['runs', "copy t to program 'sh'"],
  ['runs', '\\! id'],
  ['runs', 'select 1 \\! id'],
  ['runs', '.shell id'],
  ['runs', "select load_extension('x')"],
  ['runs', "select 1 into outfile '/x'"],
  ['unknown', '\\dt'],
  ['unknown', 'do $$ begin end $$'],
  ['unknown', 'call x()'],
  ['unknown', 'frobnicate'],
])('SQL that %s: %s', (kind, text) => {
  expect(judgeSql(text).kind).toBe(kind)
})
