import type { RunningServer } from '@maru/server'
import type { Invocation } from '../command.ts'
import { isLoopback } from './addresses.ts'

export interface Announced {
  server: RunningServer
  host: string
  roots: readonly string[]
  link: string
  logPath?: string | undefined
  fingerprint?: string | undefined
}

/** Says where the server is, how to come in, how to begin without it and how to stop it. */
export async function announce(
  { stdout, style, t, env, options }: Invocation,
  { server: { url }, roots, link, logPath, fingerprint }: Announced,
): Promise<void> {
  if (options.quiet) return
  // From a checkout the command is not on the path.
  const command = env['npm_lifecycle_event'] === undefined ? 'maru' : 'npx maru'
  const lines = [
    style.bold(t('serve.listening', { url })),
    `  ${t('serve.link', { link })}`,
    `  ${t('serve.terminal', { command })}`,
    `  ${t('serve.api', { url: `${url}/api/v1/openapi.json` })}`,
    `  ${t('serve.roots', { roots: roots.join(', ') })}`,
    ...(fingerprint === undefined ? [] : [`  ${t('serve.fingerprint', { fingerprint })}`]),
    ...(logPath === undefined ? [] : [`  ${t('serve.log', { path: logPath })}`]),
    style.dim(t('serve.stop')),
  ]
  for (const line of lines) await stdout.line(line)
}

/** Shows a code by which a phone is let in: as words, and as a picture where there is a terminal to draw it in. */
export async function announcePairing(
  { stdout, style, t, notice }: Invocation,
  { server, host }: Pick<Announced, 'server' | 'host'>,
): Promise<void> {
  if (isLoopback(host)) await notice(t('serve.pair-local', { url: server.url }))
  const { code, link } = await server.makePairing()
  if (stdout.isTerminal) {
    const { renderUnicodeCompact } = await import('uqr')
    const isColoured = style.bold('') !== ''
    for (const line of renderUnicodeCompact(link, { border: 2 }).split('\n')) {
      // Light on dark whatever the terminal's own colours are: some cameras read nothing else.
      await stdout.line(isColoured ? `\x1b[97;40m${line}\x1b[0m` : line)
    }
  }
  await stdout.line(t('serve.pairing', { code, link }))
}
