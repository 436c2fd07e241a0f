import {
  type BacktestConfig,
  type BacktestConfigInput,
  backtestConfigSchema,
} from '../config/backtest-config.ts'
import { assetsOf, isContractName } from '../config/instrument-rules.ts'
import { parseConfig } from '../config/parse-config.ts'
import type { Size } from '../domain/signal.ts'
import { UsageError } from '../domain/sluice-error.ts'

/** Settings of a trial. */
export interface TriedSettings {
  readonly symbol: string
  /** Initial balance: amounts by asset, or an amount of quote. */
  readonly balance?: number | Readonly<Record<string, number | string>> | undefined
  readonly size?: Size | undefined
  /** Configuration, as in config/backtest.yaml. */
  readonly config?: BacktestConfigInput | undefined
}

const MUCH = 10_000
/** Rules without costs and rounding, so that expected numbers can be computed by hand. */
const FREE_OF_CHARGE = { makerFeeRate: 0, takerFeeRate: 0, minNotional: 0, pricePrecision: 4 }
const FINE_QUANTITIES = { quantityPrecision: 8 }
const WHOLE_CONTRACTS = { contractSize: 1 }

/**
 * Configuration of a backtest without fees and slippage, completed by the settings; throws `UsageError` for
 * unusable values, and for keys that have no effect here.
 */
export function configOf(settings: TriedSettings): BacktestConfig {
  const { symbol, balance, size, config = {} } = settings
  requireNoContradiction(settings)
  requireFollowed(config)
  const { quote } = assetsOf(symbol)
  const held = typeof balance === 'number' ? { [quote]: balance } : balance
  const { account, accounts, fills } = config
  const value = {
    ...config,
    ...((account !== undefined || accounts === undefined) && {
      account: { balance: { [quote]: MUCH }, ...account, ...(held !== undefined && { balance: held }) },
    }),
    instruments: instrumentsOf(config, symbol),
    fills: { slippageRate: 0, ...fills },
    size: size ?? config.size ?? { base: 1 },
  }
  return parseConfig({ value, offsetOf: () => 0, offsetOfKey: () => 0, errorFor }, backtestConfigSchema)
}

function instrumentsOf(
  { account, accounts, instruments = {} }: BacktestConfigInput,
  symbol: string,
): BacktestConfigInput['instruments'] {
  const rules = { ...FREE_OF_CHARGE, ...instruments.default }
  // With two accounts, the rules of contracts would not suit the symbols of the other one.
  if (accounts !== undefined && isContractName(symbol))
    return { ...instruments, default: rules, [symbol]: { ...WHOLE_CONTRACTS, ...instruments[symbol] } }
  const quantities = account?.type === 'futures' ? WHOLE_CONTRACTS : FINE_QUANTITIES
  return { ...instruments, default: { ...quantities, ...rules } }
}

/** Throws `UsageError` if an option and the configuration both set the same value. */
function requireNoContradiction({ balance, size, config = {} }: TriedSettings): void {
  if (size !== undefined && config.size !== undefined) throw refusal(contradiction('size', 'config.size'))
  if (balance === undefined) return
  if (config.account?.balance !== undefined) throw refusal(contradiction('balance', 'config.account.balance'))
  if (config.accounts !== undefined)
    throw refusal(
      'The option balance is for one account, but config.accounts has two; say the balance of each there.',
    )
}

function contradiction(option: string, key: string): string {
  return `The option ${option} contradicts ${key}; leave one of the two out.`
}

/** Keys of an instrument's rules that name data outside of the test, with an alternative. */
const DATA_RULES = {
  fundingFile: 'names a file, and a tried strategy reads none. Say a fundingRate.',
  fundingVenue: 'names stored rates, and a tried strategy reads none. Say a fundingRate.',
  markFile: 'names a file, and a tried strategy reads none. Leave it out: the klines tell the mark price.',
} as const

/** Throws `UsageError` for a configuration key that would have no effect. */
function requireFollowed(config: BacktestConfigInput): void {
  const { riskFreeRate, strategies, validate, fills, instruments = {} } = config
  if (riskFreeRate !== undefined)
    throw refusal(
      'riskFreeRate is for the figures of a report, which a tried strategy has not; leave it out.',
    )
  if (strategies !== undefined)
    throw refusal('strategies is for a run of several; a tried strategy runs alone. Leave it out.')
  if (validate !== undefined)
    throw refusal('validate is for `npm run validate`, and a tried strategy gets no verdict; leave it out.')
  if (fills?.queue !== undefined)
    throw refusal('fills.queue is for recorded ticks, and a tried strategy has klines; leave it out.')
  for (const [symbol, rules = {}] of Object.entries(instruments)) {
    for (const [key, problem] of Object.entries(DATA_RULES)) {
      if (Reflect.get(rules, key) !== undefined) throw refusal(`instruments.${symbol}.${key} ${problem}`)
    }
  }
}

/** Throws `UsageError` for rules of instruments that are not traded. */
export function requireTraded({ instruments }: BacktestConfig, traded: readonly string[]): void {
  const other = Object.keys(instruments).find(key => key !== 'default' && !traded.includes(key))
  if (other === undefined) return
  throw refusal(
    `config.instruments has rules for ${other}, but this run trades ${traded.join(' and ')} only; name that, or default for all.`,
  )
}

function refusal(sentence: string): UsageError {
  return errorFor([{ sentence }])
}

function errorFor(problems: readonly { readonly sentence: string }[]): UsageError {
  const sentences = problems.map(({ sentence }) => sentence)
  return new UsageError(`The strategy cannot be tried like this:\n${sentences.join('\n')}`)
}
