import { createTranslator, type Lang, type PlainKey } from '@maru/i18n'

/** Words that the script needs when something happens. */
const SPOKEN = [
  'page.signing-in',
  'page.signed-out',
  'page.refused',
  'page.too-many',
  'page.no-sessions',
  'page.connected',
  'page.disconnected',
  'page.idle',
  'page.running',
  'page.waiting',
  'page.elsewhere',
] as const satisfies readonly PlainKey[]

const NAMES: { [L in Lang]: string } = { en: 'English', ko: '한국어' }

/** The page of a server that has no web app: how it stands, and the way to its API. */
export function renderPage(lang: Lang, version: string): string {
  const t = createTranslator(lang)
  const say = (key: PlainKey) => escapeHtml(t(key))
  const words = Object.fromEntries(SPOKEN.map((key) => [key.slice('page.'.length), t(key)]))
  const other: Lang = lang === 'ko' ? 'en' : 'ko'
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${say('page.title')}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
</head>
<body data-words="${escapeHtml(JSON.stringify(words))}">
<main>
<header><h1>${say('page.title')}</h1><a href="/?lang=${other}" lang="${other}">${NAMES[other]}</a></header>
<p>${say('page.about')}</p>
<noscript><p class="notice">${say('page.script-needed')}</p></noscript>
<p id="notice" class="notice" role="status" hidden></p>
<section id="door" hidden>
<form id="pair"><label>${say('page.code')} <input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12" required></label>
<button>${say('page.sign-in')}</button></form>
<form id="login"><label>${say('page.name')} <input name="name" autocomplete="username" maxlength="200" required></label>
<label>${say('page.password')} <input name="password" type="password" autocomplete="current-password" maxlength="1000" required></label>
<button>${say('page.sign-in')}</button></form>
</section>
<section id="state" hidden>
<dl>
<dt>${say('page.user')}</dt><dd id="user"></dd>
<dt>${say('page.conversations')}</dt><dd id="conversations"></dd>
<dt>${say('page.messages')}</dt><dd id="messages"></dd>
<dt>${say('page.connection')}</dt><dd id="connection"></dd>
<dt>${say('page.sessions')}</dt><dd><ul id="sessions"></ul></dd>
</dl>
<button id="leave" type="button">${say('page.sign-out')}</button>
</section>
<footer><a href="/api/v1/openapi.json">${say('page.api')}</a> <span>Maru ${escapeHtml(version)}</span></footer>
</main>
<script src="/page.js" type="module"></script>
</body>
</html>
`
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
