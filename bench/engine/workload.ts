/** Read, edit, test, answer: four requests. */
export const TASK = {
  prompt: 'Make sum() add, and test it.',
  file: 'sum.js',
  before: 'exports.sum = (a, b) => a - b\n',
  after: 'exports.sum = (a, b) => a + b\n',
  test: "grep -q 'a + b' sum.js && echo passed",
  requests: 4,
}

/** One long answer: 200 kB. */
export const STREAM = { prompt: 'Tell a long story.', deltas: 20_000, requests: 1 }

/** The same as a model really says it: over twenty seconds. */
export const SLOW_STREAM = { prompt: 'Tell a story slowly.', deltas: 20_000, deltaDelayMs: 1, end: 'So it ended.' }

/** One small file after the other: the same call again and again would be stopped as a loop. */
export const TURNS = {
  prompt: 'Read all the notes.',
  count: 30,
  file: (index: number) => `note-${index}.txt`,
  text: (index: number) => `Note ${index}.`,
  requests: 31,
}

/** One small change after the other, each to its own file. */
export const PATCHES = {
  prompt: 'Mend all the notes.',
  count: 20,
  patch: (index: number) => {
    const file = TURNS.file(index)
    return `--- a/${file}\n+++ b/${file}\n@@ -1,1 +1,1 @@\n-${TURNS.text(index)}\n+Mended ${index}.\n`
  },
  requests: 21,
}

/** One short command after the other. */
export const COMMANDS = {
  prompt: 'Say all the numbers.',
  count: 15,
  line: (index: number) => `touch made-${index}`,
  requests: 16,
}

/** A request and its answer as the vendor saw them, in milliseconds of the machine's monotonic clock. */
export type Exchange = { receivedAt: number; answeredAt: number; bodyBytes: number }

/** What the vendor's process tells: first where it listens, then, each time it is asked, what it has seen since. */
export type VendorReport = { url: string; geminiUrl: string } | { exchanges: Exchange[]; problem: string | undefined }
