/** Reason for which a strategy must not use a global object, function or module. */
export type ForbiddenReason = 'clock' | 'randomness' | 'timer' | 'network' | 'process' | 'garbage' | 'module'

const INSTEAD: Readonly<Record<ForbiddenReason, string>> = {
  clock:
    'it tells the time of the computer, which no backtest can repeat. Use market time: time of the context, or openTime of a kline (ms UTC).',
  randomness:
    'it gives other numbers in each run, which no backtest can repeat. Use a seeded generator: start from an integer parameter, and keep its latest number in state.',
  timer:
    "it runs code at a time of the computer, which no backtest can repeat. Use a timer on market time: timers: { hourly: every('1h') }.",
  network:
    'its answers are not in the recorded market data, so that no backtest can repeat them. Use feeds of market data, and parameters for settings.',
  process:
    'it tells of the computer rather than of the market, which no backtest can repeat. Use parameters for settings.',
  garbage:
    'it depends on when memory is freed, which no backtest can repeat. Keep values in state, and drop the references.',
  module:
    'a strategy decides by the market data that it is shown and by its parameters alone. Use feeds for data, parameters for settings, and market time for the clock.',
}

/** A strategy used a source that no backtest can repeat; the message names an alternative. */
export class ForbiddenError extends Error {
  constructor(used: string, reason: ForbiddenReason) {
    super(`A strategy must not use ${used}: ${INSTEAD[reason]}`)
    // Removes frames of the sandbox, so that the stack begins in the strategy.
    this.stack = (this.stack ?? '')
      .split('\n')
      .filter(line => !line.includes(import.meta.dirname))
      .join('\n')
  }
}
