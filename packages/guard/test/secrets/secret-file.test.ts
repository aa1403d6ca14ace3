import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeMasker } from './make-masker.ts'

const MASK = /\[secret:[a-z-]+:[0-9a-f]+\]/g
const shown = (text: string, path: string) => makeMasker().maskSecretFile(text, path).replace(MASK, '•')

describe('of a secret file every value is masked, and nothing else', () => {
  test('in .env', () => {
    const text = '# for the app\nPORT=3000\nexport NAME="two words" # why\n\nEMPTY=\nMULTI="a\nb"\r\n비밀=값\n'
    expect(shown(text, 'app/.env.local')).toBe(
      '# for the app\nPORT=•\nexport NAME="•" # why\n\nEMPTY=\nMULTI="•\n•"\r\n비밀=•\n',
    )
  })

  test('in JSON', () => {
    expect(shown('{\n  "type": "x",\n  "n": 12,\n  "list": ["a", true]\n}\n', 'credentials.json')).toBe(
      '{\n  "type": "•",\n  "n": •,\n  "list": ["•", true]\n}\n',
    )
  })

  test('in an INI file of a secret folder', () => {
    expect(shown('[default]\naws_access_key_id = abc\nregion = x\n', '.aws/credentials')).toBe(
      '[default]\naws_access_key_id = •\nregion = •\n',
    )
  })

  test('in .netrc, .pgpass and .git-credentials', () => {
    expect(shown('machine a login b password c\n', '.netrc')).toBe('machine a login • password •\n')
    expect(shown('h:5432:d:u:p\\:w\n', '.pgpass')).toBe('h:5432:d:u:•\n')
    expect(shown('https://me:word@host\n', '.git-credentials')).toBe('https://me:•@host\n')
  })

  test('in what is only a key', () => {
    expect(shown('one\ntwo\n', 'id_rsa')).toBe('•\n•\n')
    expect(shown('-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n', 'x.pem')).toBe(
      '-----BEGIN CERTIFICATE-----\n•\n-----END CERTIFICATE-----\n',
    )
  })

  test('in a file that holds tokens beside settings, the tokens', () => {
    const text = (token: string) => `registry=https://r/\n//r/:_authToken=${token}\n//s/:_authToken=${'$'}{TOKEN}\n`
    expect(shown(text('x'), 'a/.npmrc')).toBe(text('•'))
  })

  test('in a form that is not known, all of it', () => {
    expect(shown('whatever this is\nit is secret\n', '.ssh/other')).toBe('•\n•\n')
  })
})

test('a quote that ends a value in a line of its own stays, and what is behind it is masked', () => {
  const text = 'KEY="\n"\nNAME": x\nOTHER="\n"more\n'
  expect(shown(text, '.env')).toBe('KEY="\n"\nNAME": •\nOTHER="\n"•\n')
  const masked = makeMasker().maskSecretFile(text, '.env')
  expect(makeMasker().maskSecretFile(masked, '.env')).toBe(masked)
})

test('whatever is in it, it comes back as it was, and lines stay lines', () => {
  const names = fc.constantFrom('.env', 'credentials.json', '.netrc', '.pgpass', 'x.pem', 'id_rsa', '.aws/config')
  const line = fc.oneof(
    fc.stringMatching(/^[A-Z_]{1,8}=[ -~]{0,20}$/),
    fc.stringMatching(/^ {0,4}"?[a-z]{1,8}"?: [ -~]{0,20}$/),
    fc.constantFrom('', '# remark', '[section]', '"', "'", '{', '}', '-----BEGIN PRIVATE KEY-----'),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
  fc.assert(
    fc.property(names, fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), (path, lines, eol) => {
      const masker = makeMasker()
      const text = lines.join(eol)
      const masked = masker.maskSecretFile(text, path)
      expect(masker.resolve(masked).text).toBe(text)
      expect(masked.split('\n').length).toBe(text.split('\n').length)
      expect(masker.maskSecretFile(masked, path)).toBe(masked)
    }),
    { numRuns: 400 },
  )
})
