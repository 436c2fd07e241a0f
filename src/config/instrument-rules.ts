import type { MarginMode, PositionMode } from '../domain/futures-terms.ts'
import type { AccountType, FeeAsset, Instrument } from '../domain/instrument.ts'
import { type Amount, amountOf, amountToText, type Rate, rateOf } from '../domain/numbers/amount.ts'
import { type Grid, type Steps, steps, stepsOf, UNLIMITED_QUANTITY } from '../domain/numbers/grid.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { MaintenanceRules } from './maintenance.ts'

/** Configurable rules of one instrument, or of all. */
export interface InstrumentRules extends MaintenanceRules {
  readonly pricePrecision?: number | undefined
  readonly quantityPrecision?: number | undefined
  readonly minQuantity?: Amount | undefined
  readonly maxQuantity?: Amount | undefined
  readonly minNotional?: Amount | undefined
  readonly makerFeeRate?: Rate | undefined
  readonly takerFeeRate?: Rate | undefined
  readonly feesPaidIn?: FeeAsset | undefined
  /** The others are for futures accounts. Base of one contract. */
  readonly contractSize?: Amount | undefined
  /** Of a running bot. */
  readonly minLeverage?: number | undefined
  readonly maxLeverage?: number | undefined
  /** A rate of every settlement, every so many hours. */
  readonly fundingRate?: Rate | undefined
  readonly fundingHours?: number | undefined
  /** A file of rates, or a venue of the store that has them, instead. */
  readonly fundingFile?: string | undefined
  readonly fundingVenue?: string | undefined
  /** A file of klines of the mark price. */
  readonly markFile?: string | undefined
}

/** Rules by symbol; those of `default` count for every symbol, key by key. */
export type RulesBySymbol = Readonly<Record<string, InstrumentRules | undefined>>

/** Contract settings of a futures account. */
export interface AccountTerms {
  readonly leverage?: number | undefined
  readonly marginMode?: MarginMode | undefined
  readonly positionMode?: PositionMode | undefined
}

/** The part of a backtest's configuration that defines instruments. */
export interface InstrumentSource {
  readonly account: {
    readonly type: AccountType
    readonly maxLeverage: number
    /** Of a margin account; `false` where it trades own funds only. */
    readonly borrows?: boolean | undefined
  } & AccountTerms
  /** Set with several accounts; contracts such as `E-BTC-USDT` are then traded on the futures account. */
  readonly accounts?: { readonly futures: AccountTerms } | undefined
  readonly instruments: RulesBySymbol
}

const BUILT_IN = {
  pricePrecision: 2,
  quantityPrecision: 5,
  minNotional: amountOf('10'),
  makerFeeRate: rateOf('0.001'),
  takerFeeRate: rateOf('0.001'),
} as const

/** Rules of a symbol: its own over the `default` ones over built-in ones. */
export function rulesFor(instruments: InstrumentSource['instruments'], symbol: string) {
  return { ...BUILT_IN, ...givenFor(instruments, symbol) }
}

/** The same without the built-in rules. */
export function givenFor(instruments: RulesBySymbol, symbol: string): Given<InstrumentRules> {
  return { ...given(instruments.default), ...given(instruments[symbol]) }
}

type Given<Rules> = { [Key in keyof Rules]?: Exclude<Rules[Key], undefined> }

/** Drops `undefined` keys, which would hide the values to fall back to. */
function given(rules: InstrumentRules | undefined): Given<InstrumentRules> {
  // Only keys of the same object, without the undefined ones.
  return Object.fromEntries(
    Object.entries(rules ?? {}).filter(([, value]) => value !== undefined),
  ) as Given<InstrumentRules>
}

/** True for the name of a contract, such as `E-BTC-USDT`, rather than `BASE/QUOTE`. */
export function isContractName(symbol: string): boolean {
  return CONTRACT_NAME.test(symbol)
}

const CONTRACT_NAME = /^[^-/]+-[^-/]+-[^-/]+$/

/** The assets of a symbol; throws `UsageError` for an invalid one. */
export function assetsOf(symbol: string): Pick<Instrument, 'symbol' | 'base' | 'quote'> {
  if (isContractName(symbol)) {
    const [, base = '', quote = ''] = symbol.split('-')
    return { symbol, base, quote }
  }
  const [base = '', quote = '', ...rest] = symbol.split('/')
  if (base === '' || quote === '' || rest.length > 0) {
    throw new UsageError(
      `"${symbol}" is not a symbol; write BASE/QUOTE, such as BTC/USDT, or the name of a contract, such as E-BTC-USDT.`,
    )
  }
  return { symbol, base, quote }
}

/** Rules that bound quantities. */
type QuantityRules = Grid & Pick<InstrumentRules, 'minQuantity' | 'maxQuantity'>

/** The bounds of a quantity on its grid; throws `UsageError` where they contradict each other. */
export function quantitiesOf(rules: QuantityRules): Pick<Instrument, 'minQuantity' | 'maxQuantity'> {
  const minQuantity = quantityOr(rules, rules.minQuantity, 1)
  const maxQuantity = quantityOr(rules, rules.maxQuantity, UNLIMITED_QUANTITY)
  if (minQuantity > maxQuantity) throw new UsageError('Its minQuantity is above its maxQuantity.')
  return { minQuantity, maxQuantity }
}

function quantityOr(grid: Grid, quantity: Amount | undefined, otherwise: number): Steps {
  return quantity === undefined ? steps(otherwise) : stepsOf(grid, amountToText(quantity))
}
