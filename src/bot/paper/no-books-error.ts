import { UsageError } from '../../domain/sluice-error.ts'

/** A market of which a host showed no order book that can be used. */
export interface MarketWithoutBook {
  readonly symbol: string
  /** Why the latest read brought none, a sentence; `undefined` where nothing was answered yet. */
  readonly reason: string | undefined
}

/** A host shows no order book on which orders of a paper account could be matched. */
export class NoBooksError extends UsageError {
  /** Result, in sentences. */
  readonly found: string
  /** Remedy, a sentence. */
  readonly advice: string

  /** `url` is the address of the host. */
  constructor(markets: readonly MarketWithoutBook[], withinMs: number, url: string) {
    const names = markets.map(({ symbol }) => symbol).join(', ')
    const reasons = new Set(
      markets.map(({ symbol, reason = `No read of the order book of ${symbol} has ended yet.` }) => reason),
    )
    const found = `The host showed no order book of ${names} that can be used within ${withinMs / 1000} s, so no order could be matched there. ${[...reasons].join(' ')}`
    const advice = `Look at the host with "npm run doctor -- --venue ${url}", or trade other instruments.`
    super(`${found} ${advice}`)
    this.found = found
    this.advice = advice
  }
}
