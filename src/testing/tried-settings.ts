import {
  type BacktestConfig,
  type BacktestConfigInput,
  backtestConfigSchema,
} from '../bot/config/backtest-config.ts'
import { assetsOf } from '../bot/config/instrument-rules.ts'
import { parseConfig } from '../bot/config/parse-config.ts'
import type { Size } from '../domain/signal.ts'
import { UsageError } from '../domain/sluice-error.ts'

/** What a strategy is tried with. */
export interface TriedSettings {
  readonly symbol: string
  /** Amounts by asset, or an amount of quote. */
  readonly balance?: number | Readonly<Record<string, number | string>> | undefined
  readonly size?: Size | undefined
  /** As in config/backtest.yaml. */
  readonly config?: BacktestConfigInput | undefined
}

const MUCH = 10_000
/** Nothing is lost to the market, so that expected numbers can be worked out by hand. */
const FREE_OF_CHARGE = { makerFeeRate: 0, takerFeeRate: 0, minNotional: 0, pricePrecision: 4 }
const FINE_QUANTITIES = { quantityPrecision: 8 }
const WHOLE_CONTRACTS = { contractSize: 1 }

/** The configuration of a backtest without fees and slippage, and with what the settings say; throws `UsageError` for what cannot be used. */
export function configOf({ symbol, balance, size, config = {} }: TriedSettings): BacktestConfig {
  const { quote } = assetsOf(symbol)
  const held = typeof balance === 'number' ? { [quote]: balance } : balance
  const { account, instruments, fills } = config
  const quantities = account?.type === 'futures' ? WHOLE_CONTRACTS : FINE_QUANTITIES
  const value = {
    ...config,
    account: { balance: { [quote]: MUCH }, ...account, ...(held !== undefined && { balance: held }) },
    instruments: {
      ...instruments,
      default: { ...FREE_OF_CHARGE, ...quantities, ...instruments?.default },
    },
    fills: { slippageRate: 0, ...fills },
    size: size ?? config.size ?? { base: 1 },
  }
  return parseConfig({ value, offsetOf: () => 0, offsetOfKey: () => 0, errorFor }, backtestConfigSchema)
}

function errorFor(problems: readonly { readonly sentence: string }[]): UsageError {
  const sentences = problems.map(({ sentence }) => sentence)
  return new UsageError(`The strategy cannot be tried like this:\n${sentences.join('\n')}`)
}
