import type { ToolSpec } from '@maru/protocol'
import type { ObjectSchema } from '../read-arguments.ts'

/** Matching lines that are shown if nothing else is asked for. */
export const DEFAULT_RESULTS = 100

/** What the model is told of the tools that look around: it goes with every request, so it is short. */
export const searchSpecs = {
  ListFiles: {
    name: 'ListFiles',
    description: 'Lists files of the workspace, hidden ones too, ignored ones not. Large folders are only counted.',
    schema: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, description: 'Folder; default: the root' },
        glob: { type: 'string', minLength: 1, description: 'Below path: "*.ts", "src/**/*.{ts,tsx}"' },
        depth: { type: 'integer', minimum: 1, description: 'Deeper folders are only counted' },
      },
      additionalProperties: false,
    },
    effect: 'none',
  },
  SearchText: {
    name: 'SearchText',
    description:
      'Searches the text files of the workspace: best files first, true totals. Ignored files are left out; secret ones show no values.',
    schema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, description: 'Text on one line, case-sensitive' },
        regex: { type: 'boolean', description: 'query is a regex; (?i) at its start ignores case' },
        include: { type: 'string', description: 'Globs, comma-separated: "src/**, *.{ts,tsx}"' },
        exclude: { type: 'string', description: 'Globs, comma-separated' },
        contextLines: { type: 'integer', minimum: 0, maximum: 20 },
        maxResults: { type: 'integer', minimum: 1, maximum: 1_000, description: `Lines; default ${DEFAULT_RESULTS}` },
      },
      required: ['query'],
      additionalProperties: false,
    },
    effect: 'none',
  },
} satisfies Record<string, ToolSpec & { schema: ObjectSchema }>
