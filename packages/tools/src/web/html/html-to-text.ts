import { beginning } from '@maru/agent'
import { cleanText } from '../clean-text.ts'
import { attributeOf, type Element } from './element.ts'
import { decodeEntities } from './entities.ts'
import { parseHtml } from './parse-html.ts'
import { renderBlocks } from './render-blocks.ts'

// What is never text for a reader.
const UNREAD = new Set([
  ...['audio', 'base', 'canvas', 'datalist', 'embed', 'iframe', 'input', 'link', 'map', 'meta', 'noembed', 'noframes'],
  ...['object', 'rp', 'script', 'select', 'style', 'svg', 'template', 'textarea', 'title', 'video'],
])

// What stands around the text: menus, buttons, dialogs that wait.
const NOISE = new Set(['nav', 'button', 'dialog', 'footer'])
const NOISE_ROLES = /^(navigation|search|menu|menubar|dialog|alertdialog|contentinfo)$/i

/** A main part that is shorter than this may have been left empty for a script. */
const MAIN_LENGTH = 200

/** A page with less than this has probably lost its text to something that was taken for noise. */
const SPARSE_LENGTH = 40

/** What a page may grow to as text. */
const MAX_TEXT = 2_000_000

/** The readable text of a page, its title first. Nothing in it is run or loaded. */
export function htmlToText(html: string, url: URL): string {
  const page = parseHtml(html)
  const base = baseOf(page, url)
  const text = readableText(page, base)
  const title = titleOf(page)
  return text.includes(title) ? text : `Title: ${title}\n\n${text}`.trim()
}

function readableText(page: Element, base: string): string {
  const rendered = (root: Element, isShown: (element: Element) => boolean) => {
    const rendering = { base, isShown, room: MAX_TEXT }
    const text = renderBlocks(root.children, rendering).join('\n\n')
    const isCut = rendering.room < 0 || text.length > MAX_TEXT
    const lines = cleanText(beginning(text, MAX_TEXT)).split('\n')
    // Not by a pattern: looking for blanks before a line's end takes the square of their number.
    return lines.map((line) => line.trimEnd()).join('\n') + (isCut ? '\n\n[the rest is left out]' : '')
  }
  const main = findMain(page)
  const mainText = main ? rendered(main, isReadable) : ''
  if (mainText.length >= MAIN_LENGTH) return mainText
  const text = rendered(page, isReadableOnPage)
  if (mainText.length * 2 >= text.length && mainText !== '') return mainText
  if (text.length >= SPARSE_LENGTH) return text
  // A menu that was never closed holds all the rest.
  const everything = rendered(page, isVisible)
  return text === '' || everything.length >= MAIN_LENGTH ? everything : text
}

function isVisible(element: Element): boolean {
  if (UNREAD.has(element.name)) return false
  if (element.attributes.trim() === '') return true
  // What a reader of the page does not see is a good place for words that only a model shall read.
  if (attributeOf(element, 'hidden') !== undefined) return false
  if (attributeOf(element, 'aria-hidden')?.toLowerCase() === 'true') return false
  const style = attributeOf(element, 'style')
  return style === undefined || !/display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])/i.test(style)
}

function isReadable(element: Element): boolean {
  if (element.name !== 'footer' && NOISE.has(element.name)) return false
  return isVisible(element) && !NOISE_ROLES.test(attributeOf(element, 'role') ?? '')
}

function isReadableOnPage(element: Element): boolean {
  return element.name !== 'footer' && isReadable(element)
}

function findMain(page: Element): Element | undefined {
  const isMain = (element: Element) => element.name === 'main' || attributeOf(element, 'role')?.toLowerCase() === 'main'
  return findElement(page, isMain, isVisible)
}

function titleOf(page: Element): string {
  const title = findElement(page, ({ name }) => name === 'title' || name === 'svg')
  if (title === undefined || title.name === 'svg') return ''
  const text = title.children.filter((node) => typeof node === 'string').join('')
  return cleanText(decodeEntities(text)).replace(/\s+/g, ' ').trim().slice(0, 300)
}

function baseOf(page: Element, url: URL): string {
  const base = findElement(page, ({ name }) => name === 'base')
  const href = (base && attributeOf(base, 'href')) ?? ''
  return URL.canParse(href, url.href) ? new URL(href, url).href : url.href
}

/** The first element of its kind, looked for in those that are `open` to it. */
function findElement(
  { children }: Element,
  isWanted: (element: Element) => boolean,
  isOpen: (element: Element) => boolean = () => true,
): Element | undefined {
  for (const child of children) {
    if (typeof child === 'string' || !isOpen(child)) continue
    const found = isWanted(child) ? child : findElement(child, isWanted, isOpen)
    if (found) return found
  }
  return undefined
}
