import type { Lang } from '@maru/i18n'
import { type Cast, playCast } from './cast.ts'
import { textOf } from './emulator.ts'
import { drawFilm } from './svg.ts'

/** Where the recordings of the tour lie, from the root. */
export function filesOfTour(lang: Lang): { readonly cast: string; readonly svg: string } {
  const name = lang === 'en' ? 'docs/tour' : `docs/tour.${lang}`
  return { cast: `${name}.cast`, svg: `${name}.svg` }
}

/** The picture of a recorded tour: the same recording gives the same bytes. */
export function drawTour(cast: Cast): string {
  const frames = playCast(cast)
  const end = frames.at(-1)?.picture.rows.map(textOf).join('\n').trim() ?? ''
  return drawFilm({ columns: cast.columns, rows: cast.rows, frames, title: cast.title, description: end })
}
