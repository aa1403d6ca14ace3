import type { Masker } from '@maru/guard'
import { isSecret } from '../search/secret-files.ts'
import { showText } from '../secret-text.ts'

/** A diff whose sections of secret files hold no values; without a masker such sections are left out. */
export function maskDiff(diff: string, masker: Masker | undefined): string {
  return diff
    .split(/^(?=diff --)/m)
    .map((section) => {
      const paths = pathsOf(section)
      const secret = paths.length === 0 ? '.env' : paths.find(isSecret)
      return secret === undefined ? section : maskSection(section, secret, masker)
    })
    .join('')
}

// A name that cannot be read may be any file's.
function pathsOf(section: string): string[] {
  const [head = ''] = section.split(/^@@/m)
  const named = [...head.matchAll(/^(?:---|\+\+\+|rename from|rename to) (?:[ab]\/)?(.+)$/gm)]
  return named.flatMap(([, name = '']) => (name === '/dev/null' ? [] : [name.replace(/\t$/, '').replace(/^"|"$/g, '')]))
}

function maskSection(section: string, path: string, masker: Masker | undefined): string {
  const lines = section.split('\n')
  const start = lines.findIndex((line) => line.startsWith('@@'))
  if (start < 0) return section
  const head = lines.slice(0, start)
  if (!masker) return `${head.join('\n')}\n`
  // Behind its numbers a hunk repeats a line of the file.
  const body = lines.slice(start).map((line) => line.replace(/^(@@ [^@]*@@).*$/, '$1'))
  const isText = (line: string) => /^[-+ ]/.test(line)
  const shown = showText(body.map((line) => (isText(line) ? line.slice(1) : '')).join('\n'), path, masker).split('\n')
  const masked = body.map((line, at) => (isText(line) ? `${line[0]}${shown[at] ?? ''}` : line))
  return [...head, ...masked].join('\n')
}
