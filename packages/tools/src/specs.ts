import type { ToolSpec } from '@maru/protocol'
import type { ObjectSchema } from './read-arguments.ts'

/** A spec whose schema is known to the tool that reads its arguments by it. */
interface Spec extends ToolSpec {
  readonly schema: ObjectSchema & ToolSpec['schema']
}

/** The longest that a command in the foreground may take. */
export const MAX_TIMEOUT_SEC = 600

/** What the model is told of each tool: it goes with every request, so it is short. */
export const specs = {
  ReadFile: {
    name: 'ReadFile',
    description: 'Reads a text file of the workspace or a kept output: numbered lines, or the given range of them.',
    schema: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1 },
        startLine: { type: 'integer', minimum: 1 },
        endLine: { type: 'integer', minimum: 1 },
      },
      required: ['path'],
      additionalProperties: false,
    },
    effect: 'none',
  },
  WriteFile: {
    name: 'WriteFile',
    description: 'Creates a file in the workspace, or replaces it whole. Directories are made as needed.',
    schema: {
      type: 'object',
      properties: { path: { type: 'string', minLength: 1 }, content: { type: 'string' } },
      required: ['path', 'content'],
      additionalProperties: false,
    },
    // Done twice it is the same file, and `basis` keeps it from undoing what came between.
    effect: 'repeatable',
  },
  ApplyPatch: {
    name: 'ApplyPatch',
    description:
      'Changes files by a patch, all of it or nothing: a unified diff, "*** Begin Patch", or search/replace blocks. Give a few unchanged lines around each change. The result shows the new lines with their numbers.',
    schema: {
      type: 'object',
      properties: { patch: { type: 'string', minLength: 1 } },
      required: ['patch'],
      additionalProperties: false,
    },
    effect: 'repeatable',
  },
  RunCommand: {
    name: 'RunCommand',
    description:
      'Runs a command in the workspace and ends it with all its processes. No terminal, no input; long output is cut.',
    schema: {
      type: 'object',
      properties: {
        command: { type: 'string', minLength: 1, description: 'A bash line' },
        exe: { type: 'string', minLength: 1, description: 'Instead of command: a program run without a shell' },
        args: { type: 'array', items: { type: 'string' }, description: 'Arguments of exe' },
        cwd: { type: 'string', minLength: 1, description: 'Directory in the workspace; default: its root' },
        timeoutSec: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_TIMEOUT_SEC,
          description: 'Default 120, none in background',
        },
        background: { type: 'boolean', description: 'Keeps it running: servers, watchers' },
      },
      additionalProperties: false,
    },
    effect: 'once',
  },
  CommandOutput: {
    name: 'CommandOutput',
    description: 'Reads what a background command has written since the last time (waits a little for it), or ends it.',
    schema: {
      type: 'object',
      properties: {
        id: { type: 'string', minLength: 1 },
        since: { type: 'integer', minimum: 0, description: 'Offset to read from instead' },
        stop: { type: 'boolean', description: 'Ends it with all its processes' },
      },
      required: ['id'],
      additionalProperties: false,
    },
    effect: 'none',
  },
  AskUser: {
    name: 'AskUser',
    description: 'Asks the person something that only they can decide.',
    schema: {
      type: 'object',
      properties: {
        question: { type: 'string', minLength: 1 },
        options: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 2, maxItems: 10 },
        allowFreeText: { type: 'boolean', description: 'Words of their own beside the options' },
      },
      required: ['question'],
      additionalProperties: false,
    },
    // One question at a time, and asking again after a crash does no harm.
    effect: 'repeatable',
  },
  TodoList: {
    name: 'TodoList',
    description: 'Shows the person your plan for a longer task: the whole list each time, at most one item doing.',
    schema: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              text: { type: 'string', minLength: 1 },
              status: { type: 'string', enum: ['pending', 'doing', 'done'] },
            },
            required: ['text', 'status'],
            additionalProperties: false,
          },
        },
      },
      required: ['items'],
      additionalProperties: false,
    },
    effect: 'none',
  },
} satisfies Record<string, Spec>
