import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeMasker } from './make-masker.ts'
import { MORE_CLEAN, MORE_SECRETS } from './more-samples.ts'
import { CLEAN as USUAL_CLEAN, SECRETS as USUAL_SECRETS } from './samples.ts'

const SECRETS = [...USUAL_SECRETS, ...MORE_SECRETS]
const CLEAN = [...USUAL_CLEAN, ...MORE_CLEAN]

const asBytes = (text: string) => Buffer.from(text).toString('latin1')

describe('what is secret is masked', () => {
  test.each(SECRETS)('%s', (_what, text, ...secrets) => {
    const masker = makeMasker()
    const masked = masker.mask(text)
    for (const secret of secrets) expect(masked).not.toContain(secret)
    expect(masker.resolve(masked)).toEqual({ text, unknown: [] })
    const bytes = makeMasker().mask(asBytes(text))
    for (const secret of secrets) expect(bytes).not.toContain(secret)
  })
})

test.each(CLEAN)('stays as it is: %s', (text) => {
  expect(makeMasker().mask(text)).toBe(text)
  expect(makeMasker().mask(asBytes(text))).toBe(asBytes(text))
})

describe('a mask', () => {
  const key = SECRETS[0]?.[1].slice('export TOKEN='.length) ?? ''

  test('says what it hides, and nothing of it', () => {
    expect(makeMasker().mask(`export TOKEN=${key}`)).toMatch(/^export TOKEN=\[secret:github-token:[0-9a-f]{8}\]$/)
  })

  test('is the same for the same secret, and another for another', () => {
    const masker = makeMasker()
    const [first, again, other] = [`a ${key}`, `b "${key}"`, `c ${key.slice(0, -1)}9`].map(
      (text) => /\[secret:[^\]]*\]/.exec(masker.mask(text))?.[0],
    )
    expect(first).toBe(again)
    expect(other).not.toBe(first)
  })

  test('of a value that has the name of another is longer, and both come back', () => {
    let count = 0
    const masker = makeMasker({ digest: () => `01234567${String(count++).padStart(4, '0')}` })
    const text = `${key}\n${key.slice(0, -1)}9\n${key.slice(0, -1)}8`
    const masked = masker.mask(text)
    expect(new Set(masked.split('\n')).size).toBe(3)
    expect(masker.resolve(masked).text).toBe(text)
  })

  test('that nobody has made is named, and left as it is', () => {
    const text = 'KEY=[secret:openai-key:0123abcd]'
    expect(makeMasker().resolve(text)).toEqual({ text, unknown: ['[secret:openai-key:0123abcd]'] })
  })

  test('comes back only where it may', () => {
    const masker = makeMasker()
    const masked = masker.mask(key, 'person')
    expect(masker.resolve(masked, (_value, origin) => origin === 'found').unknown).toEqual([masked])
    expect(masker.resolve(masked, (_value, origin) => origin === 'person').text).toBe(key)
  })
})

describe('values that are known', () => {
  const own = 'correct/horse?battery=42'
  const forms: readonly (readonly [string, string])[] = [
    ['as they are', own],
    ['in base64', Buffer.from(own).toString('base64')],
    ['in base64 that is safe in addresses', Buffer.from(own).toString('base64url')],
    ['in base64 behind something else', Buffer.from(`x:${own}`).toString('base64')],
    ['in hexadecimal', Buffer.from(own).toString('hex')],
    ['in capital hexadecimal', Buffer.from(own).toString('hex').toUpperCase()],
    ['percent-encoded', encodeURIComponent(own)],
  ]
  test.each(forms)('are masked %s', (_what, form) => {
    expect(makeMasker({ known: [own] }).mask(`it says ${form}, see`)).toMatch(
      /^it says \[secret:own-value:[0-9a-f]+\], see$/,
    )
  })

  test('are masked as JSON writes them', () => {
    const odd = 'say "hello"\\42\n'
    expect(makeMasker({ known: [odd] }).mask(JSON.stringify({ said: odd }))).not.toContain('hello')
  })

  test('are those of texts before, too, where nothing tells of them', () => {
    const masker = makeMasker()
    masker.mask('DB_PASSWORD=odXmeXuLJY6f8q%B')
    expect(masker.mask('it was odXmeXuLJY6f8q%B again')).toMatch(/^it was \[secret:password:[0-9a-f]+\] again$/)
    expect(masker.maskKnown('it was odXmeXuLJY6f8q%B again')).toMatch(/^it was \[secret:password:[0-9a-f]+\] again$/)
  })

  test('that are short or words are not looked for everywhere', () => {
    const masker = makeMasker({ known: ['short'] })
    masker.maskSecretFile('PORT=3000\nMODE=production\n', '.env')
    const text = 'short: port 3000 in production'
    expect(masker.mask(text)).toBe(text)
  })
})

const piece = fc.oneof(
  fc.constantFrom(...SECRETS.map(([, text]) => text)),
  fc.constantFrom(...CLEAN),
  fc.constantFrom(
    '\n',
    '\r\n',
    ' ',
    '"',
    '=',
    ':',
    '@',
    '\u001b[1m',
    '[secret:password:0123abcd]',
    '비밀번호=',
    'token: ',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.stringMatching(/^[A-Za-z0-9_+/=.-]{0,60}$/),
)
const texts = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))

test('a key that begins in the line in which another ends is masked too', () => {
  const body = 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgl6X16Oe6sRPiAfEs'
  const one = `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`
  expect(makeMasker().mask(`${one}${one}\n`)).not.toContain(body)
})

test.each(['restart now', '----- 8< -----', 'done', 'Accept: text/plain', 'EXIT CODE 0'])(
  'what follows a secret in the next line stays: %s',
  (line) => {
    const login = btoa('user:odXmeXuLJY6f8q!!')
    const masked = makeMasker().mask(`Authorization: Basic ${login}\n${line}\nAPP_AUTH=${login}\n${line}`)
    expect(masked.split('\n').filter((_, at) => at % 2 === 1)).toEqual([line, line])
    expect(masked).not.toContain(login)
  },
)

describe('for any text', () => {
  test('masking twice is masking once, and what was masked comes back', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const masker = makeMasker()
        const masked = masker.mask(text)
        expect(makeMasker().mask(masked)).toBe(masked)
        const foreign = masker.resolve(text).unknown
        const { text: back, unknown } = masker.resolve(masked)
        expect(unknown.filter((mask) => !foreign.includes(mask))).toEqual([])
        expect(back).toBe(text)
      }),
      { numRuns: 200 },
    )
  })

  test('however it is cut into pieces, the output is the same', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (text, lengths) => {
        const whole = makeMasker().mask(text)
        const stream = makeMasker().stream()
        let out = ''
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const length = lengths[turn % lengths.length] ?? 1
          out += stream.push(text.slice(at, at + length))
          at += length
        }
        expect(out + stream.end()).toBe(whole)
      }),
      { numRuns: 200 },
    )
  })

  test.each(SECRETS)('every border gives the same output: %s', (_what, text) => {
    const masker = makeMasker()
    const whole = masker.mask(text)
    for (let border = 0; border <= text.length; border++) {
      const stream = masker.stream()
      expect(stream.push(text.slice(0, border)) + stream.push(text.slice(border)) + stream.end()).toBe(whole)
    }
  })
})

describe('a long line', () => {
  const key = SECRETS[0]?.[1].slice('export TOKEN='.length) ?? ''

  test('is given out as it comes, and holds little back', () => {
    const stream = makeMasker().stream()
    let given = 0
    let pushed = 0
    let most = 0
    for (let turn = 0; turn < 300; turn++) {
      const text = 'word,'.repeat(1_000)
      pushed += text.length
      given += stream.push(text).length
      most = Math.max(most, pushed - given)
    }
    expect(most).toBeLessThan(100_000)
  })

  test('is masked all along, however it is cut', () => {
    const text = `${'{"a":"b","k":"'}${key}"},`.repeat(4_000)
    const whole = makeMasker().mask(text)
    expect(whole).not.toContain(key)
    const stream = makeMasker().stream()
    let out = ''
    for (let at = 0; at < text.length; at += 7_919) out += stream.push(text.slice(at, at + 7_919))
    expect(out + stream.end()).toBe(whole)
  })
})

describe('time is linear in', () => {
  const hostile: readonly (readonly [string, (length: number) => string])[] = [
    ['one sign', (length) => 'a'.repeat(length)],
    ['digits', (length) => '1234567890'.repeat(length / 10)],
    ['digits in groups', (length) => '1234-'.repeat(length / 5)],
    ['equals', (length) => 'password='.repeat(length / 9)],
    ['colons', (length) => ':'.repeat(length)],
    ['at signs', (length) => 'a@'.repeat(length / 2)],
    ['addresses', (length) => 'http://a:b@'.repeat(length / 11)],
    ['dashes', (length) => '-'.repeat(length)],
    ['beginnings of keys', (length) => '-----BEGIN PRIVATE KEY-----\n'.repeat(length / 28)],
    ['lines of keys', (length) => `-----BEGIN PRIVATE KEY-----\n${`${'A'.repeat(64)}\n`.repeat(length / 65)}`],
    ['prefixes', (length) => 'sk-ghp_'.repeat(length / 7)],
    ['percent', (length) => '%41%'.repeat(length / 4)],
    ['base64', (length) => btoa('password=').repeat(length / 12)],
    ['quotes', (length) => `"', '"`.repeat(length / 6)],
    ['blanks', (length) => ' '.repeat(length)],
    ['elements', (length) => '</password>'.repeat(length / 11)],
    ['options', (length) => ' --password -p -u a:b'.repeat(length / 21)],
    ['colour codes', (length) => '\u001b[0;1;'.repeat(length / 7)],
    ['masks', (length) => '[secret:a:01234567]'.repeat(length / 19)],
    ['Korean', (length) => '비밀번호:'.repeat(length / 5)],
    ['dotted words', (length) => 'eyJ.'.repeat(length / 4)],
    ['netrc', (length) => 'login a password '.repeat(length / 17)],
    ['sentences', (length) => '비밀번호는 a'.repeat(length / 7)],
    ['arguments', (length) => 'setPassword("'.repeat(length / 13)],
    ['names of algorithms', (length) => `password=sha${'256-'.repeat(length / 4)}!`],
    ['directives', (length) => 'ENV A_PASSWORD '.repeat(length / 15)],
    ['types', (length) => 'password: string = "a" '.repeat(length / 23)],
    ['webhooks', (length) => 'https://a/webhookb2/'.repeat(length / 20)],
    ['brackets in numbers', (length) => '010)(82 '.repeat(length / 8)],
    ['secrets', (length) => `${SECRETS[0]?.[1]} `.repeat(length / 54)],
  ]
  test.each(hostile)('%s', { timeout: 120_000 }, (_what, make) => {
    // The best of three: what else the machine does is not counted.
    const time = (length: number) => {
      const text = make(length)
      const times = [1, 2, 3].map(() => {
        const startedAt = performance.now()
        makeMasker().mask(text)
        return performance.now() - startedAt
      })
      return Math.min(...times)
    }
    time(5_000)
    // Four times as much in far less than sixteen times the time, or too fast to tell.
    const [once, often] = [time(10_000), time(40_000)]
    expect(often).toBeLessThan(Math.max(once * 9, 3_000))
  })
})
