import { UsageError } from '../../domain/sluice-error.ts'

/** A file that should have klines has trades. */
export class TradeFileError extends UsageError {
  constructor(path: string) {
    super(
      `${path} has trades, not klines; give them to a backtest as --data, or put them into the store with klines import --type trades.`,
    )
  }
}
