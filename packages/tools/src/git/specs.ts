import type { ToolSpec } from '@maru/protocol'
import type { ObjectSchema } from '../read-arguments.ts'

/** What the model is told of the tools that read a repository. */
export const gitSpecs = {
  GitStatus: {
    name: 'GitStatus',
    description: 'Shows the branch and the staged, changed, conflicted and untracked files of the git repository.',
    schema: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, description: 'Only this file or directory' },
        limit: { type: 'integer', minimum: 1, maximum: 150, description: 'Paths shown of each kind; default 50' },
      },
      additionalProperties: false,
    },
    effect: 'none',
  },
  GitDiff: {
    name: 'GitDiff',
    description: 'Shows what has changed since it was last staged, or what is staged. Untracked files: see GitStatus.',
    schema: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, description: 'Only this file or directory' },
        staged: {
          type: 'boolean',
          description: 'What is staged for the next commit, instead of what is not yet staged',
        },
        limit: { type: 'integer', minimum: 1, maximum: 2000, description: 'Lines of diff shown; default 400' },
      },
      additionalProperties: false,
    },
    effect: 'none',
  },
  GitLog: {
    name: 'GitLog',
    description: 'Lists the latest commits of the current branch, newest first: hash, day, author, refs, message.',
    schema: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, description: 'Only commits that touch this file or directory' },
        limit: { type: 'integer', minimum: 1, maximum: 200, description: 'Commits shown; default 20' },
      },
      additionalProperties: false,
    },
    effect: 'none',
  },
} satisfies Record<string, ToolSpec & { schema: ObjectSchema }>
