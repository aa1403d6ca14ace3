import { describe, expect, test } from 'vitest'
import { encodeText } from '../../src/text/encode-text.ts'
import { charsetOf, decodeBody } from '../../src/web/decode-body.ts'
import { indentJson } from '../../src/web/indent-json.ts'
import { createWebFetch } from '../../src/web/web-fetch.ts'
import { call, openSite } from './servers.ts'

function korean(text: string): Uint8Array {
  const bytes = encodeText(text, { encoding: 'cp949', bom: false })
  if ('problem' in bytes) throw new Error(bytes.problem.message)
  return bytes
}

// 뷁 is in CP949, which browsers mean by euc-kr, but not in EUC-KR proper.
const WORDS = '안녕하세요, 뷁 세상'

describe('the encoding of a page', () => {
  test.each([
    ['the header', 'text/html; charset=EUC-KR', korean(`<p>${WORDS}`)],
    ['the header, in quotes', 'text/html;charset="ks_c_5601-1987"', korean(`<p>${WORDS}`)],
    ['the page', 'text/html', korean(`<html><head><meta charset=euc-kr><p>${WORDS}`)],
    [
      'the page, in the old way',
      'text/html',
      korean(`<META http-equiv="Content-Type" content="text/html; charset=cseuckr"><p>${WORDS}`),
    ],
    ['the bytes', 'text/html', korean(`<p>${WORDS}`)],
    ['the header against the page', 'text/html; charset=utf-8', Buffer.from(`<meta charset=euc-kr><p>${WORDS}`)],
    ['the mark against the header', 'text/html; charset=euc-kr', Buffer.from(`\uFEFF<p>${WORDS}`)],
    ['the mark of UTF-16', 'text/html', Buffer.from(`\uFEFF<p>${WORDS}`, 'utf16le')],
    ['the page, which cannot be UTF-16', 'text/html', Buffer.from(`<meta charset=utf-16><p>${WORDS}`)],
    ['the page, unknown name', 'text/html; charset=nonsense', Buffer.from(`<p>${WORDS}`)],
    [
      'an XML declaration',
      'application/xhtml+xml',
      korean(`<?xml version="1.0" encoding="euc-kr"?><html><p>${WORDS}</p></html>`),
    ],
  ])('is known by %s', async (_what, type, body) => {
    await using site = await openSite((_, response) => response.writeHead(200, { 'content-type': type }).end(body))
    const fetch = createWebFetch({ environment: {}, allowHosts: ['127.0.0.1'] })
    expect((await call(fetch, { url: site.url })).stdout?.split('\n\n')[1]).toBe(WORDS)
  })

  test('what a text says about another page is not about itself', () => {
    const text = '{"html": "<meta charset=euc-kr>", "words": "안녕"}'
    expect(decodeBody(Buffer.from(text), undefined)).toBe(text)
  })

  test('Latin-1 is what browsers take it for', () => {
    expect(decodeBody(Uint8Array.of(0x80, 0x93, 0xe9), 'iso-8859-1')).toBe('€“é')
    expect(decodeBody(Uint8Array.of(0x81, 0xe9), 'latin1')).toBe('\u0081é')
  })

  test('a text that was cut inside a character loses this one only', () => {
    expect(decodeBody(Buffer.from('가나').subarray(0, 5), undefined)).toBe('가')
    expect(decodeBody(korean('가나').subarray(0, 3), 'euc-kr')).toBe('가')
  })

  test('the charset of a content type', () => {
    expect(charsetOf('text/html; boundary=x; charset = "UTF-8"; a=b')).toBe('UTF-8')
    expect(charsetOf('text/html')).toBeUndefined()
    expect(charsetOf(undefined)).toBeUndefined()
  })
})

describe('indentJson', () => {
  test.each([
    ['[]', '[]'],
    [
      '{ "a" : [ ] , "b":{"c":[1e400,-0.10,null,true]}}',
      '{\n  "a": [ ],\n  "b": {\n    "c": [\n      1e400,\n      -0.10,\n      null,\n      true\n    ]\n  }\n}',
    ],
    ['"a\\\\\\"{"', '"a\\\\\\"{"'],
    ['{"a":\n1}', '{"a":\n1}'],
    ['{"a":1', '{"a":1'],
    ['{} {}', '{} {}'],
  ])('%j', (text, indented) => expect(indentJson(text)).toBe(indented))

  test('what is very deep or long stays quick', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(indentJson(deep)).toBe(deep)
    const long = `["${'\\n'.repeat(1_000_000)}"]`
    expect(indentJson(long).length).toBe(long.length + 4)
  })
})
