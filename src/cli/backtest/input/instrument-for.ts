import type { BacktestConfig } from '../../../config/backtest-config.ts'
import { instrumentFrom } from '../../../config/instrument-from.ts'
import type { Instrument } from '../../../domain/instrument.ts'
import { ZERO } from '../../../domain/numbers/amount.ts'
import { UsageError } from '../../../domain/sluice-error.ts'

/** A symbol, with the path of the configuration that has its rules. */
export interface TradedSymbol {
  readonly symbol: string
  readonly config: string
}

/** Instrument of a symbol, whose quote the account must hold; throws `UsageError`. */
export function instrumentFor({ symbol, config: file }: TradedSymbol, config: BacktestConfig): Instrument {
  const upper = symbol.toUpperCase()
  if (symbol !== upper) {
    throw new UsageError(`"${symbol}" is not a symbol: symbols are in capitals. Did you mean "${upper}"?`)
  }
  const instrument = instrumentFrom(config, symbol)
  const { quote, futures } = instrument
  const [name, { balance }] =
    config.accounts === undefined
      ? ['account', config.account]
      : futures === undefined
        ? ['accounts.spot', config.accounts.spot]
        : ['accounts.futures', config.accounts.futures]
  if ((balance.get(quote) ?? ZERO) > 0n) return instrument
  throw new UsageError(
    `The account in ${file} holds no ${quote} to trade ${symbol} with; add it to ${name}.balance, such as { ${quote}: 10000 }.`,
  )
}
