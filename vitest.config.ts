import { defineConfig } from 'vitest/config'
import { ClosingLineReporter } from './scripts/house/closing-line-reporter.ts'

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['scripts/house/fixed-seed.ts'],
    // One module graph per worker: isolation costs ten times the CPU, and tests here leave nothing behind.
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    slowTestThreshold: 2_000,
    reporters: ['default', new ClosingLineReporter()],
  },
})
