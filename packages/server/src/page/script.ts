/**
 * What the page does, as browsers are given it: takes the token out of the fragment and out of the address bar, signs in,
 * shows how things stand and looks again when the socket says that something changed.
 */
export const PAGE_SCRIPT = `const words = JSON.parse(document.body.dataset.words)
const at = (id) => document.getElementById(id)
let csrf = ''
let socket
let timer

const show = (id, isShown) => { at(id).hidden = !isShown }
const tell = (text) => { at('notice').textContent = text; show('notice', text !== '') }

async function ask(method, path, body) {
  const response = await fetch('/api/v1/' + path, {
    method,
    credentials: 'same-origin',
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && csrf !== '' && { 'x-maru-csrf': csrf }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw Object.assign(new Error(), { status: response.status })
  return response.status === 204 ? undefined : response.json()
}

function takeFragment() {
  const given = new URLSearchParams(location.hash.slice(1))
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
  return { token: given.get('token'), code: given.get('code') }
}

async function signIn(path, body) {
  tell(words['signing-in'])
  try {
    enter(await ask('POST', 'auth/' + path, body))
  } catch (error) {
    // The link is good once, and people click it again: whoever is in already stays in.
    const me = await ask('GET', 'auth/me').catch(() => undefined)
    if (me) return enter(me)
    tell(error.status === 429 ? words['too-many'] : words.refused)
    show('door', true)
  }
}

function enter(me) {
  csrf = me.csrf ?? ''
  at('user').textContent = me.user.name
  tell('')
  show('door', false)
  show('state', true)
  refresh()
  connect()
}

function leave() {
  csrf = ''
  clearTimeout(timer)
  socket?.close()
  show('state', false)
  show('door', true)
  tell(words['signed-out'])
}

async function refresh() {
  try {
    const [usage, sessions] = await Promise.all([ask('GET', 'usage'), ask('GET', 'sessions?limit=50')])
    at('conversations').textContent = usage.conversations.toLocaleString()
    at('messages').textContent = usage.messages.toLocaleString()
    const busy = sessions.items.filter(({ state }) => state !== 'idle')
    at('sessions').replaceChildren(...(busy.length > 0 ? busy.map(row) : [item(words['no-sessions'])]))
  } catch (error) {
    if (error.status === 401) leave()
  }
}

function row({ title, repo, id, state }) {
  return item((title || repo || id) + ' – ' + words[state])
}

function item(text) {
  const li = document.createElement('li')
  li.textContent = text
  return li
}

function later() {
  clearTimeout(timer)
  timer = setTimeout(refresh, 300)
}

function connect() {
  if (socket && socket.readyState < WebSocket.CLOSING) return
  const own = new WebSocket(location.origin.replace(/^http/, 'ws') + '/ws')
  socket = own
  at('connection').textContent = words.disconnected
  own.onopen = () => {
    at('connection').textContent = words.connected
    own.send(JSON.stringify({ type: 'watch' }))
    later()
  }
  own.onmessage = ({ data }) => { if (JSON.parse(data).type === 'change') later() }
  own.onclose = () => {
    at('connection').textContent = words.disconnected
    if (csrf === '') return
    setTimeout(() => { if (csrf !== '' && socket === own) { refresh(); connect() } }, 3000)
  }
}

for (const form of document.forms) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    signIn(form.id, Object.fromEntries(new FormData(form)))
    form.reset()
  })
}
at('leave').addEventListener('click', () => ask('POST', 'auth/logout').catch(() => undefined).then(leave))

const { token, code } = takeFragment()
if (token) await signIn('link', { token })
else if (code) await signIn('pair', { code })
else {
  try {
    enter(await ask('GET', 'auth/me'))
  } catch {
    leave()
  }
}
`
