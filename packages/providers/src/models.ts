/** Dollars per million tokens, as the vendor's page said on `date`. */
export interface Price {
  input: number
  output: number
  cacheRead?: number
  cacheWrite?: number
  /** Year, month, day; absent where a user gave the price. */
  date?: string
  /** From this many input tokens on the vendor asks for more: what is computed is then too low. */
  below?: number
}

/** What is known of a model. */
export interface ModelInfo {
  id: string
  /** Tokens of input and output together. */
  window: number
  outputLimit: number
  vision: boolean
  /** Levels of effort the model takes, weakest first; none where it has no such setting. */
  efforts: readonly string[]
  /** How it thinks: by itself (`adaptive`, perhaps not to be switched off), within a budget, or not as far as we know. */
  thinking: 'always' | 'adaptive' | 'budget' | 'unknown'
  /** It may be told that it must call a tool. */
  canForceTool: boolean
  price?: Price
}

/** What a user says of a model: it wins over the catalogue, field by field. */
export type ModelOverrides = { readonly [id: string]: Partial<Omit<ModelInfo, 'id'>> }

const claudeEfforts = ['low', 'medium', 'high', 'xhigh', 'max']
const claude = {
  window: 1_000_000,
  outputLimit: 128_000,
  vision: true,
  efforts: claudeEfforts,
  thinking: 'always',
  canForceTool: false,
} as const
const gpt = {
  window: 1_050_000,
  outputLimit: 128_000,
  vision: true,
  efforts: ['none', 'low', 'medium', 'high', 'xhigh'],
  thinking: 'adaptive',
  canForceTool: true,
} as const
const gptWithMax = { ...gpt, efforts: [...gpt.efforts, 'max'] } as const

// Anthropic: platform.claude.com, models and prices. OpenAI: developers.openai.com, models and prices.
const date = '2026-11-16'

/** The models we know, as their vendors describe them. */
export const MODELS: readonly ModelInfo[] = [
  { id: 'claude-fable-5-1', ...claude, price: { input: 10, output: 50, date } },
  { id: 'claude-opus-5-5', ...claude, price: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5, date } },
  {
    id: 'claude-sonnet-5-5',
    ...claude,
    thinking: 'adaptive',
    price: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5, date },
  },
  {
    id: 'claude-haiku-5-5',
    ...claude,
    thinking: 'adaptive',
    price: { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125, date, below: 100_000 },
  },
  {
    id: 'claude-opus-5',
    ...claude,
    thinking: 'adaptive',
    canForceTool: true,
    price: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, date },
  },
  {
    id: 'claude-sonnet-5',
    ...claude,
    thinking: 'adaptive',
    canForceTool: true,
    price: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5, date },
  },
  {
    id: 'claude-haiku-4-5',
    window: 200_000,
    outputLimit: 64_000,
    vision: true,
    efforts: [],
    thinking: 'budget',
    canForceTool: true,
    price: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25, date },
  },
  {
    id: 'gpt-6.1-sol',
    ...gptWithMax,
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    price: { input: 2, output: 10, date, below: 272_000 },
  },
  {
    id: 'gpt-6-sol',
    ...gptWithMax,
    price: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5, date, below: 272_000 },
  },
  {
    id: 'gpt-6-luna',
    ...gptWithMax,
    price: { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125, date, below: 272_000 },
  },
  {
    id: 'gpt-5.6-terra',
    ...gptWithMax,
    price: { input: 2, output: 12, cacheRead: 0.2, cacheWrite: 2.5, date: '2026-08-01', below: 272_000 },
  },
  {
    id: 'gpt-5.6-luna',
    ...gptWithMax,
    price: { input: 0.2, output: 1.2, cacheRead: 0.02, cacheWrite: 0.25, date: '2026-08-01', below: 272_000 },
  },
  { id: 'gpt-5.5', ...gpt, price: { input: 5, output: 30, cacheRead: 0.5, date: '2026-06-01', below: 272_000 } },
  { id: 'gpt-5.4', ...gpt, price: { input: 2.5, output: 15, cacheRead: 0.25, date: '2026-06-01', below: 272_000 } },
]

const byId: ReadonlyMap<string, ModelInfo> = new Map(MODELS.map((model) => [model.id, model]))

// A window is better guessed too small than too large: too large is an error, too small an early compaction.
const unknown: Omit<ModelInfo, 'id'> = {
  window: 128_000,
  outputLimit: 32_000,
  vision: true,
  efforts: [],
  thinking: 'unknown',
  canForceTool: true,
}

/** What is known of a model; a dated id is the model it dates, and of an unknown one careful guesses are given. */
export function findModel(id: string, overrides: ModelOverrides = {}): ModelInfo {
  const known = byId.get(id) ?? byId.get(id.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '')) ?? unknown
  return { ...known, ...overrides[id], id }
}

/** What a request cost in dollars, as far as the price is known. */
export function costOf(
  { price }: ModelInfo,
  usage: { input: number; output: number; cacheRead?: number; cacheWrite?: number },
): number | undefined {
  if (price === undefined) return undefined
  const { cacheRead = 0, cacheWrite = 0 } = usage
  const fresh = Math.max(0, usage.input - cacheRead - cacheWrite)
  const input = fresh * price.input + cacheRead * (price.cacheRead ?? price.input)
  return (input + cacheWrite * (price.cacheWrite ?? price.input) + usage.output * price.output) / 1_000_000
}
