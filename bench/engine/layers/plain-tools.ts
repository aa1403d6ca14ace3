import type { Access, Json, Tool, ToolResult, ToolSource, ToolSpec } from '@maru/protocol'

/**
 * The least tools that keep the contract: they know no workspace, keep nothing to be taken back and look after no
 * process. What a command would do is unknown to them.
 */
export function createPlainTools(): ToolSource {
  const tools = [
    plain(describeTool('ReadFile', ['path'], 'none'), accessTo('read'), async ({ path = '' }) => {
      const { readFile } = await import('node:fs/promises')
      return { ok: true, stdout: await readFile(path, 'utf8') }
    }),
    plain(
      describeTool('WriteFile', ['path', 'content'], 'repeatable'),
      accessTo('write'),
      async ({ path = '', content = '' }) => {
        const { writeFile } = await import('node:fs/promises')
        await writeFile(path, content)
        return { ok: true }
      },
    ),
    plain(
      describeTool('RunCommand', ['command'], 'once'),
      ({ command = '' }) => ({ kind: 'run', program: '/bin/bash', argv: ['-c', command], proven: 'unknown' }),
      ({ command = '' }) => run(command),
    ),
  ]
  return { list: () => tools, onChange: () => () => undefined }
}

type Arguments = { path?: string; content?: string; command?: string }

function plain(
  spec: ToolSpec,
  access: (args: Arguments) => Access,
  act: (args: Arguments) => Promise<ToolResult>,
): Tool {
  return {
    spec,
    async prepare(args: Json) {
      const given = args as Arguments
      return { access: [access(given)], basis: [], run: () => act(given) }
    },
  }
}

function describeTool(name: string, required: string[], effect: ToolSpec['effect']): ToolSpec {
  const properties = Object.fromEntries(required.map((property) => [property, { type: 'string' }]))
  return { name, description: name, schema: { type: 'object', properties, required }, effect }
}

function accessTo(kind: 'read' | 'write'): (args: Arguments) => Access {
  return ({ path = '' }) => ({ kind, path, where: 'inside' }) as Access
}

async function run(command: string): Promise<ToolResult> {
  const { spawn } = await import('node:child_process')
  return new Promise((resolve) => {
    const child = spawn('/bin/bash', ['--noprofile', '--norc', '-c', command], { stdio: ['ignore', 'pipe', 'pipe'] })
    const output = { stdout: '', stderr: '' }
    child.stdout.on('data', (text: Buffer) => (output.stdout += text.toString()))
    child.stderr.on('data', (text: Buffer) => (output.stderr += text.toString()))
    child.on('close', (code) => resolve({ ok: code === 0, exit: code ?? 1, ...output }))
  })
}
