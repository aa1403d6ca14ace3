// `npm run record`: takes the tour in both languages and writes the files that the README shows.
import { writeFile } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { LANGS } from '@maru/i18n'
import { writeCast } from './cast.ts'
import { drawTour, filesOfTour } from './files.ts'
import { recordTour } from './tour.ts'

const root = join(import.meta.dirname, '../..')

for (const lang of LANGS) {
  const { cast: castFile, svg: svgFile } = filesOfTour(lang)
  const cast = await recordTour(lang)
  const text = writeCast(cast)
  const foreign = foreignIn(text)
  if (foreign !== undefined) throw new Error(`the recording names this machine: ${foreign}`)
  const svg = drawTour(cast)
  await writeFile(join(root, castFile), text)
  await writeFile(join(root, svgFile), svg)
  const seconds = (cast.outputs.at(-1)?.ms ?? 0) / 1000
  console.log(`${svgFile}: ${seconds} s, ${Math.ceil(svg.length / 1024)} kB`)
}

/** A name of this machine, or of who uses it, as a word of its own. */
function foreignIn(text: string): string | undefined {
  const names = [hostname(), userInfo().username, process.cwd(), '/tmp/', '/home/', '/Users/']
  return names.find((name) => name !== '' && (name.includes('/') ? text.includes(name) : wordIn(text, name)))
}

function wordIn(text: string, name: string): boolean {
  return text.split(/[^\w-]+/).includes(name)
}
