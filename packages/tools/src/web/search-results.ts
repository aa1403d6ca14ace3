import type { Json } from '@maru/protocol'
import { htmlToLine } from './html/html-to-line.ts'

/** One thing that was found. */
export interface Found {
  readonly title: string
  readonly url: string
  readonly snippet: string
}

const MAX_RESULTS = 10
const MAX_TITLE = 200
const MAX_SNIPPET = 400
// Longer ones cannot be fetched either.
const MAX_URL = 2_000

/** What an endpoint found, in any of the shapes that are common; nothing if it is none of them. */
export function readSearchResults(answer: Json): Found[] | undefined {
  // SearXNG, Brave, Serper, Google.
  const list = [['results'], ['web', 'results'], ['organic'], ['items']]
    .map((path) => reach(answer, path))
    .find(Array.isArray)
  if (list === undefined) return isEmptyAnswer(answer) ? [] : undefined
  const found = new Map<string, Found>()
  for (const each of list) {
    const result = readResult(each)
    if (result && !found.has(result.url)) found.set(result.url, result)
  }
  return [...found.values()].slice(0, MAX_RESULTS)
}

// Some leave the list out when nothing was found, and tell only about the search itself.
function isEmptyAnswer(answer: Json): boolean {
  return [['searchInformation'], ['searchParameters'], ['query']].some((path) => reach(answer, path) !== undefined)
}

function readResult(each: Json): Found | undefined {
  const url = firstText(each, ['url', 'link'])
  if (url.length > MAX_URL || !URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  return {
    title: htmlToLine(firstText(each, ['title']), MAX_TITLE),
    url: href,
    snippet: htmlToLine(firstText(each, ['content', 'snippet', 'description']), MAX_SNIPPET),
  }
}

function firstText(value: Json, names: readonly string[]): string {
  for (const name of names) {
    const text = reach(value, [name])
    if (typeof text === 'string' && text.trim() !== '') return text
  }
  return ''
}

function reach(value: Json, path: readonly string[]): Json | undefined {
  let here: Json | undefined = value
  for (const name of path) {
    if (typeof here !== 'object' || here === null || Array.isArray(here)) return undefined
    here = Object.hasOwn(here, name) ? here[name] : undefined
  }
  return here
}
