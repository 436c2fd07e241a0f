import type { FuturesTerms, MaintenanceTier } from '../domain/futures-terms.ts'
import type { Instrument } from '../domain/instrument.ts'
import { type Amount, amountToText, rateOf } from '../domain/numbers/amount.ts'
import { ticks } from '../domain/numbers/grid.ts'
import { UsageError } from '../domain/sluice-error.ts'
import {
  type AccountTerms,
  assetsOf,
  givenFor,
  type InstrumentRules,
  type InstrumentSource,
  quantitiesOf,
  rulesFor,
} from './instrument-rules.ts'
import { maintenanceTiersOf } from './maintenance.ts'

/** Rules that only contracts have. */
const CONTRACT_RULES = [
  'contractSize',
  'minLeverage',
  'maxLeverage',
  'maintenanceMarginRate',
  'maintenanceTiers',
  'fundingRate',
  'fundingHours',
  'fundingFile',
  'fundingVenue',
  'markFile',
] as const

/** Default largest leverage of a contract: that of a live exchange of the interface. */
const USUAL_MAX_LEVERAGE = 150
const USUAL_MAINTENANCE: readonly MaintenanceTier[] = [{ rate: rateOf('0.005') }]
/** Built-in decimals of quantities that are no contracts. */
const WHOLE = 0

/** The contract of a symbol on a futures account; quantities are whole contracts. Throws `UsageError` for rules that contradict each other. */
export function contractFrom(
  account: AccountTerms,
  instruments: InstrumentSource['instruments'],
  symbol: string,
): Instrument {
  const {
    pricePrecision,
    makerFeeRate: maker,
    takerFeeRate: taker,
    minNotional,
  } = rulesFor(instruments, symbol)
  const given: InstrumentRules = givenFor(instruments, symbol)
  requireWholeContracts(given)
  requireOneFunding(given)
  const terms = termsOf(account, given)
  const max = given.maxLeverage ?? USUAL_MAX_LEVERAGE
  if (terms.leverage > max) {
    throw new UsageError(
      `The account's leverage of ${terms.leverage} is above the contract's maxLeverage of ${max}.`,
    )
  }
  return {
    ...assetsOf(symbol),
    ...{ pricePrecision, quantityPrecision: WHOLE },
    ...quantitiesOf({ ...given, pricePrecision, quantityPrecision: WHOLE }),
    minPrice: ticks(1),
    minNotional,
    leverage: { min: 1, max },
    accountType: 'futures',
    contractSize: contractSizeOf(given.contractSize, pricePrecision),
    futures: terms,
    fees: { maker, taker, paidIn: 'quote' },
  }
}

/** Throws `UsageError` for a rule of contracts on another account. */
export function requireNoContractRules(rules: InstrumentRules, type: string): void {
  const name = CONTRACT_RULES.find(rule => rules[rule] !== undefined)
  if (name === undefined) return
  throw new UsageError(`Its ${name} is for futures accounts, but this is a ${type} account; leave it out.`)
}

function termsOf(
  { leverage = 1, marginMode = 'cross', positionMode = 'oneWay' }: AccountTerms,
  rules: InstrumentRules,
): FuturesTerms {
  const maintenance = maintenanceTiersOf(rules) ?? USUAL_MAINTENANCE
  return { leverage, marginMode, positionMode, maintenance }
}

/** Throws `UsageError` for rules that count a contract by anything but whole contracts. */
export function requireWholeContracts({ quantityPrecision, feesPaidIn }: InstrumentRules): void {
  if (quantityPrecision !== undefined && quantityPrecision !== WHOLE)
    throw new UsageError(
      `Its quantityPrecision is ${quantityPrecision}, but quantities of a futures account are whole contracts; leave it out, and say contractSize.`,
    )
  if (feesPaidIn === 'received')
    throw new UsageError('Its feesPaidIn is received, but fees of contracts are paid in quote; leave it out.')
}

function requireOneFunding({ fundingRate, fundingHours, fundingFile, fundingVenue }: InstrumentRules): void {
  const sources = Object.entries({ fundingRate, fundingFile, fundingVenue }).filter(
    ([, value]) => value !== undefined,
  )
  if (sources.length > 1)
    throw new UsageError(`It has ${sources.map(([name]) => name).join(' and ')}; leave all but one out.`)
  if (fundingHours !== undefined && fundingRate === undefined)
    throw new UsageError('Its fundingHours is for a fundingRate; files say when they are settled.')
}

/** Exact, or amounts of money would not be. */
function contractSizeOf(size: Amount | undefined, pricePrecision: number): Amount {
  if (size === undefined || size <= 0n)
    throw new UsageError(
      'A contract needs a contractSize above 0 among its instruments rules: the base of one contract, such as "0.0001".',
    )
  if (size % 10n ** BigInt(pricePrecision) === 0n) return size
  throw new UsageError(
    `Its contractSize of ${amountToText(size)} has, with the ${pricePrecision} decimals of its price, more than the 18 decimals of an amount.`,
  )
}
