import type { Diagnostic } from '@maru/protocol'
import type { Stop } from './ripgrep.ts'

/** What is said when a search ended before its end. */
export function incomplete(stop: Stop): Diagnostic {
  const why = { timeout: 'It took too long', abort: 'It was interrupted', flood: 'There were too many matches' }[stop]
  return {
    code: 'incomplete',
    message: `${why}: not everything was looked at, and the totals are too low.`,
    hint: 'Ask for less: fewer folders, or something rarer.',
  }
}

/** What is said of files that could not be looked at. */
export function unreadableFiles(count: number): Diagnostic {
  return {
    code: 'unreadable',
    message: `${count} ${count === 1 ? 'file or folder' : 'files or folders'} could not be read.`,
  }
}

/** What is said of files that only ripgrep would have searched. */
export function largeFiles(count: number): Diagnostic {
  return {
    code: 'large-files',
    message: `${count} very large ${count === 1 ? 'file was' : 'files were'} not searched.`,
  }
}
