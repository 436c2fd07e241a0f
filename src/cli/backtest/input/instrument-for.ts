import type { BacktestConfig } from '../../../config/backtest-config.ts'
import { instrumentFrom, MOST_DECIMALS } from '../../../config/instrument-from.ts'
import type { Instrument } from '../../../domain/instrument.ts'
import { ZERO } from '../../../domain/numbers/amount.ts'
import { UsageError } from '../../../domain/sluice-error.ts'
import type { KlineColumns } from '../../../klines/kline-columns.ts'
import { priceDecimals } from '../../../klines/price-decimals.ts'

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

/** Most decimals that are taken from klines; an adjusted price may have any number of them. */
const MOST_OF_KLINES = 8

/**
 * The same instrument on the grid of its klines: where no `pricePrecision` is configured, with as many decimals as their
 * prices have if that is more than the default. On a coarser grid a price of 0.4589 would be traded at 0.46.
 */
export function onGridOf(klines: KlineColumns, traded: TradedSymbol, config: BacktestConfig): Instrument {
  const instrument = instrumentFor(traded, config)
  const pricePrecision = priceDecimals(
    klines,
    Math.min(MOST_OF_KLINES, MOST_DECIMALS - instrument.quantityPrecision),
  )
  if (pricePrecision <= instrument.pricePrecision) return instrument
  // A configured default or rule of the symbol counts instead.
  const { default: configured, ...bySymbol } = config.instruments
  return instrumentFor(traded, {
    ...config,
    instruments: {
      ...bySymbol,
      default: { ...configured, pricePrecision: configured?.pricePrecision ?? pricePrecision },
    },
  })
}
