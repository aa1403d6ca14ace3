// Apart from the schema, which costs a start some milliseconds and is needed only where there is a file to check.
export const PROVIDERS = ['anthropic', 'openai', 'openai-chat'] as const
export type Provider = (typeof PROVIDERS)[number]

export const MODES = ['ask', 'auto', 'read-only', 'yes'] as const
export type Mode = (typeof MODES)[number]

// A password inside a URL would end up in logs and error messages.
export function isPlainUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}
