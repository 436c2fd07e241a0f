import type { z } from 'zod'
import type { Instrument } from '../domain/instrument.ts'
import { suggestion } from '../domain/nearest-name.ts'
import type { FaultRule } from './faults/fault-rule.ts'
import { timeOf } from './faults/moment.ts'
import type { futuresSettings } from './futures/futures-settings.ts'
import { type CorrelationSettings, unknownSymbolIn } from './prices/correlation-settings.ts'
import type { MarketSettings, marketSettings } from './prices/market-settings.ts'
import { startPriceProblems } from './prices/start-price.ts'

/** A contradiction in a configuration with individually valid values. */
export interface Contradiction {
  readonly path: readonly (string | number)[]
  /** The rest of a sentence that starts with the path. */
  readonly message: string
}

type FuturesSettings = z.output<ReturnType<typeof futuresSettings<typeof marketSettings>>>
type Listed = { readonly instrument: Instrument; readonly market: MarketSettings }
type ContractEntry = FuturesSettings['contracts'][number]

/** The parts of a configuration that speak of each other. */
interface Related {
  readonly listings: readonly Listed[]
  readonly accounts: readonly { readonly apiKey: string }[]
  readonly futures: Pick<FuturesSettings, 'contracts'>
  readonly faults: readonly FaultRule[]
  readonly correlation?: CorrelationSettings | undefined
}

/** Everything in a configuration that contradicts another part of it. */
export function contradictionsIn(config: Related): readonly Contradiction[] {
  const { listings, accounts, futures, faults } = config
  const symbols = listings.map(({ instrument }) => instrument.symbol)
  const contracts = futures.contracts.map(({ contract }) => contract.name)
  return [
    ...repeated(symbols, index => ['listings', index, 'symbol'], 'is listed twice'),
    ...repeated(contracts, index => ['futures', 'contracts', index, 'symbol'], 'is listed twice'),
    ...repeated(
      accounts.map(({ apiKey }) => apiKey),
      index => ['accounts', index, 'apiKey'],
      'is the key of another account already',
    ),
    ...unfollowable(futures.contracts, symbols),
    ...faults.flatMap((rule, index) => impossible(rule, index, [...symbols, ...contracts])),
    ...startPriceProblems(listings, futures.contracts),
    ...uncorrelatable(config),
  ]
}

function repeated(
  names: readonly string[],
  pathOf: (index: number) => Contradiction['path'],
  what: string,
): Contradiction[] {
  return names.flatMap((name, index) =>
    names.indexOf(name) < index ? [{ path: pathOf(index), message: `${what}; give each its own.` }] : [],
  )
}

/** Contracts that follow a pair which is not listed. */
function unfollowable(contracts: readonly ContractEntry[], listed: readonly string[]): Contradiction[] {
  return contracts.flatMap(({ contract, market }, index) => {
    if (market.type !== 'spot' || market.ifUnlisted !== undefined) return []
    const symbol = market.symbol ?? `${contract.base}/${contract.quote}`
    if (listed.includes(symbol)) return []
    const message = `follows the spot pair ${symbol}, which is not listed; list it, or give the contract a market of its own.`
    return [{ path: ['futures', 'contracts', index], message }]
  })
}

/** Faults of unlisted instruments, or with an end before the start. */
function impossible(rule: FaultRule, index: number, listed: readonly string[]): Contradiction[] {
  const { from, until } = rule
  const isBackward = from !== undefined && from.type === until?.type && timeOf(until, 0) <= timeOf(from, 0)
  const isUnknown =
    rule.fault === 'changedPrecision' && !listed.some(symbol => plainName(symbol) === plainName(rule.symbol))
  return [
    ...(isBackward ? [{ path: ['faults', index, 'until'], message: 'must be after from.' }] : []),
    ...(isUnknown
      ? [
          {
            path: ['faults', index, 'symbol'],
            message: `is ${rule.symbol}, which is not listed.${suggestion(rule.symbol, listed)}`,
          },
        ]
      : []),
  ]
}

/** Faults take symbols in any spelling. */
function plainName(symbol: string): string {
  return symbol.replace('/', '').toUpperCase()
}

function uncorrelatable({ correlation, listings }: Related): Contradiction[] {
  const generated = listings.flatMap(({ instrument, market }) =>
    market.type === 'generated' ? [instrument.symbol] : [],
  )
  const message = unknownSymbolIn(correlation, generated)
  return message === undefined ? [] : [{ path: ['correlation', 'symbols'], message }]
}
