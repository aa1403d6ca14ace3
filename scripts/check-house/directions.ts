// Who may import whom, as data. A package is named by its folder in packages/; some of them do not exist yet.

const everyone = ['protocol', 'i18n'] as const

/** What the source of each package may import from other packages. */
export const mayImport: Record<string, readonly string[]> = {
  protocol: [],
  i18n: [],
  terminal: [],
  guard: [...everyone],
  agent: [...everyone, 'guard'],
  providers: [...everyone, 'agent'],
  tools: [...everyone, 'guard', 'agent'],
  store: [...everyone, 'guard', 'agent'],
  // tools for its sandbox launcher
  sessions: [...everyone, 'guard', 'agent', 'tools'],
  client: [...everyone],
  // store as types: cli opens it
  server: [...everyone, 'guard', 'agent', 'store'],
  cli: [
    ...[...everyone, 'terminal', 'guard', 'agent', 'client', 'providers', 'tools', 'store', 'sessions', 'server'],
    'scripted-model',
  ],
  web: [...everyone, 'client'],
  widget: [...everyone, 'guard', 'client'],
  'scripted-model': [...everyone],
  testkit: [...everyone, 'guard', 'agent', 'store', 'scripted-model'],
}

/** What source may import only as a type or by `import()`, so that a start does not pay for it. */
export const onlyLazily: readonly string[] = ['server', 'scripted-model']

/** What tests may import besides what their package may. */
export const testsMayAlsoImport: readonly string[] = ['testkit', 'scripted-model']

/** The two ends of the wire are tested against each other. */
export const otherEnds: Record<string, readonly string[]> = { client: ['server', 'store'], server: ['client'] }

/** The doors stand at the end: nothing imports them, not even bench and the tests of the root. */
export const importedByNobody: readonly string[] = ['cli', 'web', 'widget']

/** Packages that are bundled for a browser: their source has no `node:` import, and the check bundles them. */
export const browserSafe: readonly string[] = ['protocol', 'guard', 'agent', 'client']

/** Packages whose source is itself part of tests. */
export const testOnly: readonly string[] = ['testkit']

/** Packages that start something and export nothing: `src/main.ts` stands where others have `src/index.ts`. */
export const programs: readonly string[] = ['cli']
