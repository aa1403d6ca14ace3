import fc from 'fast-check'

// The same examples in every run of the tests, so that a failure is the change's that was made and not chance's. New
// examples are what `npm run prove -- properties` is for.
fc.configureGlobal({ seed: Number(process.env['MARU_SEED'] ?? 20_261_116) })
