import type { ReplyPart } from '@maru/scripted-model'
import { TASK } from '../engine/workload.ts'

/** How an agent's tools are called, so that one model can ask each of them for the same work. */
export interface Dialect {
  read: ReplyPart
  edit: ReplyPart
  test: ReplyPart
}

const { file, before, after, test } = TASK
const from = before.trimEnd()
const to = after.trimEnd()

/** The dialect of whoever offers these tools; `directory` is where its files are. */
export function dialectOf(tools: readonly string[], directory: string): Dialect {
  const has = (name: string) => tools.includes(name)
  const absolute = `${directory}/${file}`
  if (has('ReadFile')) {
    return {
      read: { call: 'ReadFile', args: { path: file } },
      edit: { call: 'WriteFile', args: { path: file, content: after } },
      test: { call: 'RunCommand', args: { command: test } },
    }
  }
  if (has('Read') && has('Edit')) {
    return {
      read: { call: 'Read', args: { file_path: absolute } },
      edit: { call: 'Edit', args: { file_path: absolute, old_string: from, new_string: to } },
      test: { call: 'Bash', args: { command: test, description: 'Tests' } },
    }
  }
  if (has('read') && has('glob')) {
    return {
      read: { call: 'read', args: { filePath: absolute } },
      edit: { call: 'edit', args: { filePath: absolute, oldString: from, newString: to } },
      test: { call: 'bash', args: { command: test, description: 'Tests' } },
    }
  }
  if (has('read') && has('edit')) {
    return {
      read: { call: 'read', args: { path: file } },
      edit: { call: 'edit', args: { path: file, edits: [{ oldText: from, newText: to }] } },
      test: { call: 'bash', args: { command: test } },
    }
  }
  if (has('read_file')) {
    return {
      read: { call: 'read_file', args: { file_path: absolute, absolute_path: absolute } },
      edit: { call: 'replace', args: { file_path: absolute, old_string: from, new_string: to, instruction: 'Adds.' } },
      test: { call: 'run_shell_command', args: { command: test, description: 'Tests' } },
    }
  }
  const run = runnerOf(tools)
  return { read: run(`cat ${file}`), edit: run(`printf '%s\\n' '${to}' > ${file}`), test: run(test) }
}

// It has one tool for everything.
function runnerOf(tools: readonly string[]): (line: string) => ReplyPart {
  if (tools.includes('exec_command')) return (cmd) => ({ call: 'exec_command', args: { cmd } })
  if (tools.includes('shell_command')) return (command) => ({ call: 'shell_command', args: { command } })
  if (tools.includes('shell')) return (line) => ({ call: 'shell', args: { command: ['bash', '-c', line] } })
  throw new Error(`nobody knows how to work with ${tools.join(', ')}`)
}
