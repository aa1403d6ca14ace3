import { isIPv6 } from 'node:net'

/** Hosts that the user has named in the settings: they may be private, and at any port that the entry allows. */
export type AllowedHosts = (host: string, port: number) => boolean

/** Reads `host`, `host:port`, `127.0.0.1`, `[::1]:3000`. An entry means this one host: never its sub-domains. */
export function readAllowedHosts(entries: readonly string[]): AllowedHosts {
  const allowed = entries.map(readEntry)
  return (host, port) => allowed.some((entry) => entry.host === host && (entry.port ?? port) === port)
}

function readEntry(entry: string): { host: string; port: number | undefined } {
  const authority = isIPv6(entry) ? `[${entry}]` : entry
  const port = /:(\d{1,5})$/.exec(authority)?.[1]
  const address = `http://${authority}/`
  if (/[/\\?#@*\s]/.test(authority) || !URL.canParse(address)) {
    throw new Error(`"${entry}" is no host; it looks like localhost, 10.0.0.7:8080 or [::1]:3000`)
  }
  return { host: hostOf(new URL(address)), port: port === undefined ? undefined : Number(port) }
}

/** The host of an address in its one spelling: no brackets, no dot at the end. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}
