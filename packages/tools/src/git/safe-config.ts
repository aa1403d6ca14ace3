// Git settings that say what is in the files, never what is to be run. A list of what is let in: what new releases of
// git may run from their configuration cannot be known.
const ALLOWED = new Set([
  'core.repositoryformatversion',
  ...['core.filemode', 'core.ignorecase', 'core.symlinks', 'core.precomposeunicode', 'core.longpaths'],
  ...['core.protecthfs', 'core.protectntfs', 'core.autocrlf', 'core.eol', 'core.checkstat', 'core.trustctime'],
  ...['core.sparsecheckout', 'core.sparsecheckoutcone', 'index.sparse', 'i18n.commitencoding'],
])

// The upstream of a branch is found by these.
const ALLOWED_BY_NAME = /^(?:branch\..+\.(?:remote|merge)|remote\..+\.fetch|extensions\.[a-z]+)$/s

// The first would bring in a second file of settings; without the second nothing is fetched when an object is missing.
const REFUSED = new Set(['extensions.worktreeconfig', 'extensions.partialclone'])

export type Setting = readonly [key: string, value: string]

/** The settings in the output of `git config --list -z`. */
export function parseSettings(listed: string): Setting[] {
  const records = listed.split('\0').filter((record) => record !== '')
  return records.map((record) => {
    const end = record.indexOf('\n')
    return end < 0 ? [record, 'true'] : [record.slice(0, end), record.slice(end + 1)]
  })
}

/** The settings among these that can do nothing but describe. */
export function pickSafe(settings: readonly Setting[]): Setting[] {
  return settings.filter(([key]) => !REFUSED.has(key) && (ALLOWED.has(key) || ALLOWED_BY_NAME.test(key)))
}

/** Settings as the text of a configuration file. */
export function renderConfig(settings: readonly Setting[]): string {
  return settings.map(renderSetting).join('')
}

function renderSetting([key, value]: Setting): string {
  const section = key.slice(0, key.indexOf('.'))
  const name = key.slice(key.lastIndexOf('.') + 1)
  const inner = key.slice(section.length + 1, -name.length - 1)
  const header = inner === '' ? `[${section}]` : `[${section} "${inner.replace(/["\\]/g, '\\$&')}"]`
  const quoted = value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  return `${header}\n\t${name} = "${quoted}"\n`
}
