import type { Access } from '@maru/protocol'
import { expect, test } from 'vitest'
import { bringsInText } from '../src/taint.ts'

test.each<[Access, boolean]>([
  [{ kind: 'net', host: 'example.com' }, true],
  [{ kind: 'foreign-tool', source: 'mcp', name: 'x' }, true],
  [{ kind: 'read', path: 'node_modules/a/README.md', where: 'inside' }, true],
  [{ kind: 'read', path: 'packages/a/node_modules/b/index.js', where: 'inside' }, true],
  [{ kind: 'read', path: '/etc/motd', where: 'outside' }, true],
  [{ kind: 'read', path: 'src/vendors.ts', where: 'inside' }, false],
  [{ kind: 'write', path: 'node_modules/a/x.js', where: 'inside' }, false],
])('%j brings in text from outside: %s', (access, expected) => {
  expect(bringsInText([{ kind: 'read', path: 'a.ts', where: 'inside' }, access])).toBe(expected)
})
