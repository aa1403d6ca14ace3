import type { Editor, EditorOutcome, Key } from '@maru/terminal'
import { isCtrl, isNamed } from './prompt.ts'

export interface EarlierTexts {
  /** Oldest first. */
  read(): Promise<readonly string[]>
  onChange(): void
}

/** The keys of an editor. The first that asks for older texts has those of earlier sessions read: nobody else pays for it. */
export function recallEarlier(editor: Editor, { read, onChange }: EarlierTexts): (key: Key) => EditorOutcome {
  let isAsked = false
  const take = async (key: Key, outcome: EditorOutcome) => {
    editor.rememberEarlier(await read())
    // Then there was nothing older, and now there is.
    if (outcome.kind === 'none' && editor.text === '') editor.handle(key)
    onChange()
  }
  return (key) => {
    const outcome = editor.handle(key)
    if (isAsked || !isRecall(key)) return outcome
    isAsked = true
    // Without them the history is shorter, and that is all.
    take(key, outcome).catch(() => undefined)
    return outcome
  }
}

function isRecall(key: Key): boolean {
  return isCtrl(key, 'p') || isCtrl(key, 'r') || (isNamed(key) && key.name === 'up')
}
