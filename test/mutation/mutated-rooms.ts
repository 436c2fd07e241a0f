/** A room whose tests are measured: the files that are mutated, and the tests that must notice. */
export interface MutatedRoom {
  readonly mutate: readonly string[]
  readonly tests: readonly string[]
}

/**
 * Each room with the tests that know it best. A mutant that only tests elsewhere would notice counts as survived, so that a
 * score is a lower bound.
 */
export const MUTATED_ROOMS: Readonly<Record<string, MutatedRoom>> = {
  ledger: { mutate: ['src/ledger/**/*.ts'], tests: ['test/ledger/**/*.test.ts', 'test/engine/**/*.test.ts'] },
  risk: { mutate: ['src/risk/**/*.ts'], tests: ['test/risk/**/*.test.ts', 'test/engine/**/*.test.ts'] },
  // Over about a thousand mutants, each with its tests, StrykerJS runs out of memory here: measure slices of the room with --files.
  engine: {
    mutate: ['src/engine/**/*.ts'],
    tests: ['test/engine/**/*.test.ts', 'test/strategy/**/*.test.ts'],
  },
  execution: { mutate: ['src/execution/**/*.ts'], tests: ['test/execution/**/*.test.ts'] },
  journal: {
    mutate: ['src/journal/**/*.ts'],
    tests: ['test/journal/**/*.test.ts', 'test/bot/journal/journal.test.ts'],
  },
  fills: {
    mutate: [
      'backtest/fills/*fill*.ts',
      'backtest/fills/*inside*.ts',
      'backtest/fills/*path*.ts',
      'backtest/models/fill-*.ts',
      'backtest/run/check-path.ts',
      'backtest/fills/path/**/*.ts',
      'backtest/fills/execution-price.ts',
    ],
    // Slow tests, mostly of whole backtests, are left out.
    tests: [
      'test/backtest/{fills,run,futures,results}/*.test.ts',
      'test/backtest/{models,path-enumerator,markets,ticks}/*.test.ts',
      '!test/backtest/run/{quiet-stretch,replay-invariants,look-ahead}.test.ts',
      '!test/backtest/fills/{path-properties,lone-orders,order-terms-properties}.test.ts',
      '!test/backtest/results/profit-sources.test.ts',
      '!test/backtest/path-enumerator/many-orders.test.ts',
    ],
  },
}
