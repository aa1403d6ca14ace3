import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** An agent as the bench runs it: for one prompt, to its end, without anybody to ask. */
export interface Agent {
  name: string
  version: readonly string[]
  /** Writes what it needs to find the model into its home, and says how it is called. */
  prepare(place: { home: string; url: string; geminiUrl: string }): Promise<Call>
}

export interface Call {
  command: readonly string[]
  env: Record<string, string>
}

export function ownAgents(root: string): Agent[] {
  const node = process.execPath
  const maru = join(root, 'packages/cli/bin/maru.cjs')
  return [
    {
      name: BARE,
      version: [node, '-e', '0'],
      prepare: async ({ url }) => ({
        command: [node, join(root, 'bench/engine/bare-agent.cjs')],
        env: anthropic(url),
      }),
    },
    {
      name: MARU,
      version: [node, maru, '--version'],
      prepare: async ({ home, url }) => ({
        command: [node, maru, 'run', '--yes', '--max-turns', '40'],
        env: { ...anthropic(url), MARU_HOME: join(home, 'maru'), MARU_LANG: 'en' },
      }),
    },
  ]
}

export const BARE = 'bare script'
export const MARU = 'maru run'

/** What is fetched for a comparison: names and versions that run on Node 20. */
export const PEERS: Record<string, { packages: string[]; isAsked: boolean }> = {
  codex: { packages: ['@openai/codex@0.166.0'], isAsked: false },
  claude: { packages: ['@anthropic-ai/claude-code@2.1.325'], isAsked: false },
  pi: { packages: ['@mariozechner/pi-coding-agent@0.73.1'], isAsked: false },
  gemini: { packages: ['@google/gemini-cli@0.61.0'], isAsked: true },
  opencode: { packages: ['opencode-ai@1.18.33'], isAsked: true },
}

/** The agents installed in `directory`. */
export function peerAgents(directory: string, names: readonly string[]): Agent[] {
  return names.map((name) => {
    const make = MAKERS[name]
    if (!make) throw new Error(`there is no peer "${name}"; there are ${Object.keys(MAKERS).join(', ')}`)
    return make(directory)
  })
}

const binOf = (directory: string, name: string) => join(directory, 'node_modules/.bin', name)

const MAKERS: Record<string, (directory: string) => Agent> = {
  codex: (directory) => ({
    name: 'codex',
    version: [binOf(directory, 'codex'), '--version'],
    async prepare({ home, url }) {
      const config = [
        'model = "scripted"',
        'model_provider = "scripted"',
        '[model_providers.scripted]',
        'name = "scripted"',
        `base_url = "${url}/v1"`,
        'env_key = "OPENAI_API_KEY"',
        'wire_api = "responses"',
      ]
      await mkdir(join(home, '.codex'), { recursive: true })
      await writeFile(join(home, '.codex/config.toml'), `${config.join('\n')}\n`)
      const freely = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']
      return {
        command: [binOf(directory, 'codex'), 'exec', ...freely],
        env: { OPENAI_API_KEY: 'bench-key', CODEX_HOME: join(home, '.codex') },
      }
    },
  }),
  claude: (directory) => {
    // Its install script would put it in place; the program itself lies in the package for this platform.
    const native = join(
      directory,
      `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}`,
      'claude',
    )
    const program = existsSync(native) ? native : binOf(directory, 'claude')
    return {
      name: 'claude',
      version: [program, '--version'],
      prepare: async ({ url }) => ({
        command: [program, '--dangerously-skip-permissions', '--model', 'claude-sonnet-4-5', '-p'],
        env: {
          ...anthropic(url),
          IS_SANDBOX: '1',
          DISABLE_AUTOUPDATER: '1',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        },
      }),
    }
  },
  pi: (directory) => ({
    name: 'pi',
    version: [binOf(directory, 'pi'), '--version'],
    async prepare({ home, url }) {
      const model = {
        ...{ id: 'scripted', name: 'scripted', reasoning: false, input: ['text'] },
        ...{ cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, contextWindow: 200_000, maxTokens: 8192 },
      }
      const providers = { scripted: { baseUrl: url, apiKey: 'bench-key', api: 'anthropic-messages', models: [model] } }
      const place = join(home, '.pi/agent')
      await mkdir(place, { recursive: true })
      await writeFile(join(place, 'models.json'), JSON.stringify({ providers }))
      return {
        command: [binOf(directory, 'pi'), '--provider', 'scripted', '--model', 'scripted', '-p'],
        env: { PI_CODING_AGENT_DIR: place, PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1' },
      }
    },
  }),
  gemini: (directory) => ({
    name: 'gemini',
    version: [binOf(directory, 'gemini'), '--version'],
    async prepare({ home, geminiUrl }) {
      const settings = {
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
      }
      await mkdir(join(home, '.gemini'), { recursive: true })
      await writeFile(join(home, '.gemini/settings.json'), JSON.stringify(settings))
      return {
        command: [binOf(directory, 'gemini'), '--yolo', '--skip-trust', '--model', 'gemini-2.5-flash', '--prompt'],
        env: { GEMINI_API_KEY: 'bench-key', GOOGLE_GEMINI_BASE_URL: geminiUrl },
      }
    },
  }),
  opencode: (directory) => {
    // As with claude, an install script would put it in place.
    const native = join(directory, `node_modules/opencode-${process.platform}-${process.arch}`, 'bin/opencode')
    const program = existsSync(native) ? native : binOf(directory, 'opencode')
    return {
      name: 'opencode',
      version: [program, '--version'],
      async prepare({ home, url }) {
        const model = { name: 'scripted', tool_call: true, limit: { context: 200_000, output: 8192 } }
        const provider = { options: { baseURL: `${url}/v1`, apiKey: 'bench-key' }, models: { scripted: model } }
        const config = {
          ...{ autoupdate: false, share: 'disabled', permission: { edit: 'allow', bash: 'allow' } },
          ...{ provider: { anthropic: provider }, model: 'anthropic/scripted', small_model: 'anthropic/scripted' },
        }
        await mkdir(join(home, '.config/opencode'), { recursive: true })
        await writeFile(join(home, '.config/opencode/opencode.json'), JSON.stringify(config))
        return {
          command: [program, 'run'],
          env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
        }
      },
    }
  },
}

function anthropic(url: string): Record<string, string> {
  return { ANTHROPIC_API_KEY: 'bench-key', ANTHROPIC_BASE_URL: url }
}
