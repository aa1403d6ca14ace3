import { posix, win32 } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { locate } from '../src/locate.ts'

const ROOT = '/work/repo'
const at = (path: string) => locate([ROOT], path, 'linux')

describe('where a path leads', () => {
  test.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src//a.ts', 'src/a.ts'],
    ['src/../a.ts', 'a.ts'],
    ['/work/repo/a.ts', 'a.ts'],
    ['/work/../work/repo/a.ts', 'a.ts'],
    ['a\\b', 'a\\b'],
    ['..a/b..', '..a/b..'],
    ['/work/repo', '.'],
    ['src/..', '.'],
  ])('%j is %j inside', (path, inside) => expect(at(path)).toMatchObject({ where: 'inside', path: inside }))

  test.each([
    '..',
    '../repo-evil/x',
    'a/../../x',
    '/etc/passwd',
    '/work/repo-evil/x',
    '/work',
    '/',
    '/proc/self/root/x',
  ])('%j is outside', (path) => expect(at(path)).toEqual({ where: 'outside', path }))

  test.each(['', 'a\0b', 'x/'.repeat(2_100), '\uac00/'.repeat(1_010)])('%j is no path', (path) => {
    expect(at(path).where).toBe('nowhere')
  })

  test('no mixture of segments leads anywhere but to names below the root', () => {
    const segment = fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '',
        'a',
        'b',
        '/',
        '//',
        '...',
        '..a',
        '~',
        'work',
        'repo',
        'proc',
        '\\',
        'C:',
        '\u2025',
      ),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    )
    const path = fc.array(segment, { maxLength: 12 }).chain((parts) => {
      return fc.constantFrom(parts.join('/'), `/${parts.join('/')}`, `${ROOT}/${parts.join('/')}`, parts.join(''))
    })
    fc.assert(
      fc.property(path, (given) => {
        const place = at(given)
        const real = posix.resolve(ROOT, given)
        const isBelow = real === ROOT || real.startsWith(`${ROOT}/`)
        if (place.where === 'nowhere') return
        // Going out and coming in again by a relative path is refused too.
        if (place.where === 'outside') return
        expect(isBelow).toBe(true)
        expect(posix.join(ROOT, ...place.parts)).toBe(real)
        expect(place.parts.every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('/'))).toBe(
          true,
        )
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    ['src\\a.ts', 'inside'],
    ['C:\\work\\repo\\a.ts', 'inside'],
    ['src\\..\\..\\x', 'outside'],
    ['C:a.ts', 'outside'],
    ['D:\\x', 'outside'],
    ['\\\\server\\share\\x', 'outside'],
    ['\\\\?\\C:\\work\\repo\\a.ts', 'outside'],
    ['a.ts:stream', 'outside'],
    ['C:\\work\\repo\\a.ts:stream', 'outside'],
    ['src/NUL', 'outside'],
    ['com1.txt', 'outside'],
    ['.git. /config', 'outside'],
    ['GIT~1/config', 'outside'],
  ])('on Windows, by words alone, %j is %s', (path, where) => {
    expect(locate([win32.resolve('C:\\work\\repo')], path, 'win32').where).toBe(where)
  })
})
