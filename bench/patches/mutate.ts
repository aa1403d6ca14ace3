import type { Random } from './random.ts'

const TELLING = [
  '@@ -1,3 +1,4 @@',
  '@@',
  '--- a/src/file.txt',
  '+++ b/src/file.txt',
  'diff --git a/src/file.txt b/src/file.txt',
  '*** Begin Patch',
  '*** Update File: src/file.txt',
  '*** End Patch',
  '*** End of File',
  '<<<<<<< SEARCH',
  '=======',
  '>>>>>>> REPLACE',
  '```',
  '\\ No newline at end of file',
  'rename from src/file.txt',
  'rename to src/other.txt',
  'deleted file mode 100644',
  ' ...',
  '',
]

/** Breaks a text somewhere: a line lost, doubled, moved or signed otherwise, a letter changed, the end cut off. */
export function mutate(text: string, random: Random): string {
  const lines = text.split('\n')
  const at = random.below(lines.length)
  const line = lines[at] ?? ''
  switch (random.below(10)) {
    case 0:
      lines.splice(at, 1)
      break
    case 1:
      lines.splice(at, 0, line)
      break
    case 2:
      lines.splice(random.below(lines.length), 0, ...lines.splice(at, 1 + random.below(3)))
      break
    case 3:
      lines.splice(at, 0, random.pick(TELLING))
      break
    case 4:
      lines[at] = random.pick(['+', '-', ' ', '']) + line.slice(1)
      break
    case 5:
      lines[at] = random.pick([`${line} `, ` ${line}`, line.trim(), `\t${line}`, `${line}\r`])
      break
    case 6: {
      const cut = random.below(line.length + 1)
      lines[at] = line.slice(0, cut) + random.pick(['x', '"', '\u201d', '\0', '\u{1F600}', '9']) + line.slice(cut + 1)
      break
    }
    case 7:
      lines[at] = line.replace(/\d+/, () => String(random.below(200)))
      break
    case 8:
      return text.slice(0, random.below(text.length + 1))
    default:
      lines.splice(at, 1 + random.below(4), ...lines.slice(random.below(lines.length)).slice(0, random.below(5)))
  }
  return lines.join('\n')
}
