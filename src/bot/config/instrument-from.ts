import { type Amount, amountOf, amountToText, type Rate, rateOf } from '../../domain/amount.ts'
import { type Grid, type Steps, steps, stepsOf, ticks } from '../../domain/grid.ts'
import type { AccountType, FeeAsset, Instrument } from '../../domain/instrument.ts'
import { UsageError } from '../../domain/sluice-error.ts'

/** What may be said about one instrument, or about all. */
export interface InstrumentRules {
  readonly pricePrecision?: number | undefined
  readonly quantityPrecision?: number | undefined
  readonly minQuantity?: Amount | undefined
  readonly maxQuantity?: Amount | undefined
  readonly minNotional?: Amount | undefined
  readonly makerFeeRate?: Rate | undefined
  readonly takerFeeRate?: Rate | undefined
  readonly feesPaidIn?: FeeAsset | undefined
}

/** The part of a backtest's configuration that instruments come from. */
export interface InstrumentSource {
  readonly account: { readonly type: AccountType; readonly maxLeverage: number }
  /** By symbol; `default` holds for every symbol, key by key. */
  readonly instruments: Readonly<Record<string, InstrumentRules | undefined>>
}

const BUILT_IN = {
  pricePrecision: 2,
  quantityPrecision: 5,
  minNotional: amountOf('10'),
  makerFeeRate: rateOf('0.001'),
  takerFeeRate: rateOf('0.001'),
} as const

/** Most decimals of a price and a quantity together: their product must be an exact amount. */
const MOST_DECIMALS = 18

/**
 * The instrument for a symbol: its own rules over the `default` ones over built-in ones. The smallest quantity is one step,
 * and fees are paid in what a fill brings on spot and in quote on margin, unless said otherwise. Throws `UsageError` for
 * rules that contradict each other.
 */
export function instrumentFrom({ account, instruments }: InstrumentSource, symbol: string): Instrument {
  const rules = { ...BUILT_IN, ...given(instruments.default), ...given(instruments[symbol]) }
  const isSpot = account.type === 'spot'
  return {
    ...assetsOf(symbol),
    ...gridOf(rules),
    ...quantitiesOf(rules),
    minPrice: ticks(1),
    minNotional: rules.minNotional,
    leverage: { min: 1, max: isSpot ? 1 : account.maxLeverage },
    accountType: account.type,
    fees: {
      maker: rules.makerFeeRate,
      taker: rules.takerFeeRate,
      paidIn: rules.feesPaidIn ?? (isSpot ? 'received' : 'quote'),
    },
  }
}

type Given<Rules> = { [Key in keyof Rules]?: Exclude<Rules[Key], undefined> }

/** Without the keys that are `undefined`, which would hide what they should fall back to. */
function given(rules: InstrumentRules | undefined): Given<InstrumentRules> {
  // Only keys of the same object, with the values left that are not undefined.
  return Object.fromEntries(
    Object.entries(rules ?? {}).filter(([, value]) => value !== undefined),
  ) as Given<InstrumentRules>
}

function assetsOf(symbol: string): Pick<Instrument, 'symbol' | 'base' | 'quote'> {
  const [base = '', quote = '', ...rest] = symbol.split('/')
  if (base === '' || quote === '' || rest.length > 0) {
    throw new UsageError(`"${symbol}" is not a symbol; write BASE/QUOTE, such as BTC/USDT.`)
  }
  return { symbol, base, quote }
}

function gridOf({ pricePrecision, quantityPrecision }: Grid): Grid {
  if (pricePrecision + quantityPrecision > MOST_DECIMALS) {
    throw new UsageError(
      `A pricePrecision of ${pricePrecision} and a quantityPrecision of ${quantityPrecision} add up to more than the ${MOST_DECIMALS} decimals of an amount.`,
    )
  }
  return { pricePrecision, quantityPrecision }
}

type QuantityRules = Grid & Pick<InstrumentRules, 'minQuantity' | 'maxQuantity'>

function quantitiesOf(rules: QuantityRules): Pick<Instrument, 'minQuantity' | 'maxQuantity'> {
  const minQuantity = quantityOr(rules, rules.minQuantity, 1)
  const maxQuantity = quantityOr(rules, rules.maxQuantity, Number.MAX_SAFE_INTEGER)
  if (minQuantity > maxQuantity) throw new UsageError('Its minQuantity is above its maxQuantity.')
  return { minQuantity, maxQuantity }
}

function quantityOr(grid: Grid, quantity: Amount | undefined, otherwise: number): Steps {
  return quantity === undefined ? steps(otherwise) : stepsOf(grid, amountToText(quantity))
}
