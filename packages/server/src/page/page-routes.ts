import { type Lang, pickLanguage } from '@maru/i18n'
import { shape as s } from '@maru/protocol'
import { defineRoute, type Route } from '../http/route.ts'
import { renderPage } from './html.ts'
import { PAGE_SCRIPT } from './script.ts'
import { PAGE_STYLE } from './style.ts'

const tag = 'page'

/** The root page: one document, one script and one style sheet, all from here. */
export function pageRoutes(version: string): Route[] {
  return [
    defineRoute({
      ...{
        method: 'GET',
        path: '/',
        scope: 'public',
        tag,
        query: s.object({ lang: s.optional(s.string({ max: 20 })) }),
      },
      summary: 'A plain page that signs a browser in and shows how the server stands',
      answers: { 200: { description: 'The page', type: 'text/html' } },
      async handle({ query, header, origin }) {
        const lang = languageOf(query.lang, header('accept-language'))
        return {
          status: 200,
          headers: {
            'content-security-policy': policyOf(origin),
            'content-language': lang,
            vary: 'Origin, Accept-Language',
          },
          content: renderPage(lang, version),
          type: 'text/html; charset=utf-8',
        }
      },
    }),
    asset('/page.js', { content: PAGE_SCRIPT, type: 'text/javascript', summary: 'The script of the page' }),
    asset('/page.css', { content: PAGE_STYLE, type: 'text/css', summary: 'The style of the page' }),
  ]
}

function asset(path: string, { content, type, summary }: { content: string; type: string; summary: string }): Route {
  return defineRoute({
    ...{ method: 'GET', path, scope: 'public', tag, summary },
    answers: { 200: { description: 'The file', type } },
    handle: async () => ({
      ...{ status: 200, content, type: `${type}; charset=utf-8` },
      headers: { 'cache-control': 'no-cache' },
    }),
  })
}

// Some browsers do not count a socket to our own host among 'self'.
function policyOf(origin: string): string {
  const socket = origin.replace(/^http/, 'ws')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data:',
    `connect-src 'self' ${socket}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function languageOf(wish: string | undefined, accepted = ''): Lang {
  if (wish !== undefined) return pickLanguage({ flag: wish })
  const tags = accepted.split(',').flatMap((part) => {
    const [name = '', quality = 'q=1'] = part.split(';').map((text) => text.trim())
    const weight = Number(quality.replace(/^q=/, ''))
    return weight > 0 ? [{ name, weight }] : []
  })
  const known = tags.sort((a, b) => b.weight - a.weight).find(({ name }) => /^(ko|en)\b/i.test(name))
  return pickLanguage({ locale: known?.name })
}
