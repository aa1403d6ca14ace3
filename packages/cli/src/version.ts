import packageFile from '../package.json' with { type: 'json' }

// Put in by the build; the sources themselves read it from the package.
declare const MARU_VERSION: string | undefined

/** This version, as in `maru --version`. */
export const version: string = typeof MARU_VERSION === 'string' ? MARU_VERSION : packageFile.version
