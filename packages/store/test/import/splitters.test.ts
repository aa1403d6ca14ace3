import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { collect } from '@maru/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvRows } from '../../src/import/csv-rows.ts'
import { JsonSplitter, jsonItems, lineItems } from '../../src/import/json-items.ts'
import { sqlRows } from '../../src/import/sql-rows.ts'
import { listZip, readMember, ZipError } from '../../src/import/zip.ts'

async function* inPieces(text: string, cuts: number[]): AsyncGenerator<string> {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b)
  let from = 0
  for (const place of [...places, text.length]) {
    yield text.slice(from, place)
    from = place
  }
}

const cuts = fc.array(fc.nat({ max: 10_000 }), { maxLength: 12 })

test('the elements of any JSON array come out one by one, wherever its pieces are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), cuts, fc.constantFrom(0, 2), async (values, places, indent) => {
      const items = await collect(jsonItems(inPieces(JSON.stringify(values, null, indent), places)))
      expect(items.map((item) => ('text' in item ? JSON.parse(item.text) : item))).toEqual(
        JSON.parse(JSON.stringify(values)),
      )
    }),
  )
})

test('values one behind the other come out one by one, and lines as lines', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue().filter((value) => typeof value === 'object')),
      cuts,
      async (values, places) => {
        const text = values.map((value) => JSON.stringify(value)).join('\n')
        if (text.startsWith('[')) return
        const objects = await collect(jsonItems(inPieces(text, places)))
        expect(objects.map((item) => ('text' in item ? item.text : item))).toEqual(
          values.map((value) => JSON.stringify(value)),
        )
        const lines = await collect(lineItems(inPieces(text, places)))
        expect(lines.map((item) => ('text' in item ? item.text : item.problem)).join('\n')).toBe(text)
      },
    ),
  )
})

test('an element that is broken, cut off or too long is named, and the next ones are not lost', async () => {
  const text = '[\n{"a":1},\n{"b": nope},\n{"long":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},\n{"c":3}, "d", 5\n,{"e": ["cut'
  const items = await collect(jsonItems(inPieces(text, []), 30))
  expect(items).toEqual([
    { index: 1, line: 2, text: '{"a":1}' },
    { index: 2, line: 3, text: '{"b": nope}' },
    { index: 3, line: 4, problem: 'it is longer than 30 characters' },
    { index: 4, line: 5, text: '{"c":3}' },
    { index: 5, line: 5, text: '"d"' },
    { index: 6, line: 5, text: '5' },
    { index: 7, line: 6, problem: 'it is cut off' },
  ])
  expect(await collect(jsonItems(inPieces('[{}', [])))).toEqual([
    { index: 1, line: 1, text: '{}' },
    { index: 2, line: 1, problem: 'the list has no end' },
  ])
  // No text makes it fail.
  fc.assert(
    fc.property(fc.string(), (any) => {
      const splitter = new JsonSplitter()
      splitter.push(any)
      splitter.end()
    }),
  )
})

test('rows of CSV come out as they went in, wherever pieces are cut', async () => {
  const cell = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', '값', '"', ',', '\n', ' ', ';') }),
    fc.constantFrom('', 'x'),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell)), cuts, async (rows, places) => {
      const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
      const text = ['a,b,c', ...rows.map((row) => row.map(quote).join(','))].join('\r\n')
      const found = await collect(csvRows(inPieces(text, places)))
      expect(found.slice(1).map(({ cells }) => cells)).toEqual(rows)
    }),
  )
  const plain = await collect(csvRows(inPieces('\ufeffid;text\n1;hello\n\n2;"two\nlines"\n3;end', [])))
  expect(plain).toEqual([
    { line: 1, cells: ['id', 'text'] },
    { line: 2, cells: ['1', 'hello'] },
    { line: 4, cells: ['2', 'two\nlines'] },
    { line: 6, cells: ['3', 'end'] },
  ])
})

test('rows of INSERT statements come out, wherever pieces are cut, and nothing else does', async () => {
  const sql = `-- a dump; 'of' things
create table logs (id int, "text" text default 'insert into x values (1)');
/* insert into logs values (0) */
INSERT INTO public.logs (id, "user", text) VALUES (1, 'me', 'it''s; (fine)'), (2, NULL, E'two\\nlines');
insert into \`logs\` values (3, 'they\\'re', lower('X'), -1.5);
select 1;
`
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      expect(await collect(sqlRows(inPieces(sql, places)))).toEqual([
        { table: 'logs', columns: ['id', 'user', 'text'], cells: ['1', 'me', "it's; (fine)"], line: 4 },
        { table: 'logs', columns: ['id', 'user', 'text'], cells: ['2', null, 'two\nlines'], line: 4 },
        { table: 'logs', columns: [], cells: ['3', "they're", 'lower', '-1.5'], line: 5 },
      ])
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.string(), async (any) => {
      await collect(sqlRows(inPieces(any, [])))
    }),
  )
})

/** A zip archive as programs write them. */
function zip(members: { name: string; content: Buffer; isPacked?: boolean }[]): Buffer {
  const parts: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const { name, content, isPacked = true } of members) {
    const packed = isPacked ? deflateRawSync(content) : content
    const names = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(isPacked ? 8 : 0, 8)
    local.writeUInt16LE(names.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(isPacked ? 8 : 0, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(content.length, 24)
    entry.writeUInt16LE(names.length, 28)
    entry.writeUInt32LE(offset, 42)
    parts.push(local, names, packed)
    entries.push(entry, names)
    offset += 30 + names.length + packed.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, directory, end, Buffer.from('a comment')])
}

test('members of an archive are unpacked as a stream; one that is damaged is an error that says so', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'maru-zip-'))
  const path = join(directory, 'a.zip')
  const big = Buffer.from('{"값":"한국어"}\n'.repeat(100_000))
  const bytes = zip([
    { name: 'conversations.json', content: big },
    { name: 'plain.txt', content: Buffer.from('plain'), isPacked: false },
  ])
  const read = async (content: Buffer) => {
    await writeFile(path, content)
    const file = await open(path)
    try {
      const found: Record<string, string> = {}
      for (const member of await listZip(file)) {
        found[member.name] = Buffer.concat(await collect(readMember(file, member))).toString()
      }
      return found
    } finally {
      await file.close()
    }
  }
  expect(await read(bytes)).toEqual({ 'conversations.json': big.toString(), 'plain.txt': 'plain' })
  await expect(read(Buffer.from('no zip at all'))).rejects.toBeInstanceOf(ZipError)
  await expect(read(bytes.subarray(0, bytes.length - 60))).rejects.toBeInstanceOf(ZipError)
  const broken = Buffer.from(bytes)
  broken.fill(0xff, 60, 400)
  await expect(read(broken)).rejects.toThrow(/conversations.json cannot be unpacked/)
  await rm(directory, { recursive: true, force: true })
})
