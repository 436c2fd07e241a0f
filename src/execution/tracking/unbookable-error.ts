import { SluiceError } from '../../domain/sluice-error.ts'

/** The exchange has finer decimals for an instrument than our grid, so that its data cannot be booked. */
export class UnbookableError extends SluiceError {
  readonly symbol: string

  /** `what`: value at the exchange, as the beginning of a sentence; `decimals`: those of our grid. */
  constructor(symbol: string, what: string, decimals: number) {
    super(
      `${what}, but the bot counts it in ${decimals} decimals, so that it cannot be booked, nor anything after it. Cancel and close by hand what is open of ${symbol} at the exchange; the bot goes on without it, until it is started with a new journal.`,
      { code: 'UNBOOKABLE', reaction: 'skip' },
    )
    this.symbol = symbol
  }
}
