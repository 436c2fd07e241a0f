import { SluiceError } from '../../domain/sluice-error.ts'

/** An order without an answer may be one that traded, and no list of the exchange tells. */
export class UnprovenAbsenceError extends SluiceError {
  readonly symbol: string

  /** `orderId`: the exchange's id of the order that traded. */
  constructor(symbol: string, clientOrderId: string, orderId: string) {
    super(
      `The placement of ${clientOrderId} on ${symbol} got no answer, and no list of the exchange has it: its order ${orderId}, which traded since then, may be it or another one. Nothing is guessed. Look at order ${orderId} at the exchange, cancel and close by hand what is open of ${symbol}; the bot goes on without it, until it is started with a new journal.`,
      { code: 'UNPROVEN_ABSENCE', reaction: 'skip' },
    )
    this.symbol = symbol
  }
}
