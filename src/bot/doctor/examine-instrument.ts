import type { Accounts } from '../../config/account-fields.ts'
import type { StrategyConfig } from '../../config/bot-config.ts'
import { type ConfiguredMarket, configuredMarkets, type MarketOf } from '../../config/configured-market.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { marketCap } from '../../domain/market-data/market-cap.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import { notionalOf, priceText, quantityText, roundToTicks, type Ticks } from '../../domain/numbers/grid.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { TradingCalls } from '../../execution/gateway/trading-calls.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { RiskRules } from '../../risk/risk-rules.ts'
import { stepsText } from '../text/steps-text.ts'
import { type ConfiguredInstruments, loadInstruments } from '../venue/load-instruments.ts'
import { MissingRulesError } from '../venue/missing-rules-error.ts'
import { futuresOf, type Venue } from '../venue/venue.ts'
import { contractsOf, tradingOn } from '../venue/venue-accounts.ts'
import type { PricedInstrument } from './account-at-start.ts'
import { examineContract } from './examine-contract.ts'
import { adviceFor, sentenceOf } from './examine-venue.ts'
import { type Finding, problem, sound, unexamined, type WouldTrade } from './finding.ts'
import { PROBED_STOP_RATE, probeOrder } from './probe-order.ts'

/** The account that the orders of all instruments are tested on. */
export interface TestedAccount {
  /** A new ledger as the bot counts at its start; `undefined` if the account cannot be read. */
  readonly ledgerOf: (() => Ledger) | undefined
  readonly risk: RiskRules | undefined
  readonly marketOf: MarketOf
}

/** Findings about one instrument, and its test orders. */
export interface InstrumentExamined {
  readonly findings: readonly Finding[]
  readonly wouldTrade: readonly WouldTrade[]
}

/** The configuration that instruments are loaded with. */
interface Configured extends ConfiguredInstruments {
  readonly accounts: Accounts
}

/** Loads an instrument and its latest prices; a finding where the exchange does not give them. */
export async function examinePrices(
  venue: Venue,
  symbol: string,
  { accounts, ...configured }: Configured,
): Promise<PricedInstrument | Finding> {
  try {
    const instrument = (await loadInstruments(venue, [symbol], accounts, configured)).get(symbol)
    if (instrument === undefined) throw new UsageError(`The exchange does not list ${symbol}.`)
    const market = configuredMarkets(accounts)(symbol)
    const price = roundToTicks(instrument, await lastPriceOf(venue, market), 'nearest')
    if (market.market === 'spot') return { instrument, price }
    const { markPrice } = await futuresOf(venue).indexPrice({ contractName: market.name })
    return { instrument, price, markPrice: roundToTicks(instrument, markPrice.toNumber(), 'nearest') }
  } catch (error) {
    return unlisted(symbol, error)
  }
}

/** Examines an instrument: its listing, price and open orders, and an order of each strategy's size. */
export async function examineInstrument(
  venue: Venue,
  { instrument, price }: PricedInstrument,
  entries: readonly StrategyConfig[],
  account: TestedAccount,
): Promise<InstrumentExamined> {
  const { symbol } = instrument
  try {
    const contracts = contractsOf([instrument], account.marketOf)
    const listed = sound('instrument', symbol, rulesOf(instrument, price))
    const orders = await examineOrders(tradingOn(venue, [instrument], contracts), symbol)
    const held = await Promise.all(contracts.map(contract => examineContract(futuresOf(venue), contract)))
    const tried = []
    for (const entry of entries) tried.push(await examineEntry(venue, instrument, price, entry, account))
    return {
      findings: [listed, ...held, orders, ...tried.map(({ finding }) => finding)],
      wouldTrade: tried.flatMap(({ wouldTrade }) => wouldTrade ?? []),
    }
  } catch (error) {
    return { findings: [unlisted(symbol, error)], wouldTrade: [] }
  }
}

function unlisted(symbol: string, error: unknown): Finding {
  if (error instanceof NoPriceError) return problem('instrument', symbol, error.message, error.advice)
  const advice = error instanceof UsageError ? instrumentAdvice(error) : adviceFor(error)
  return problem('instrument', symbol, sentenceOf(error), advice)
}

/** Advice on an instrument that the configuration names and the exchange does not let it trade. */
export function instrumentAdvice(error: UsageError): string {
  return error instanceof MissingRulesError
    ? 'Write these rules into the configuration.'
    : 'Name a symbol that the exchange lists in "strategies", spelled as here: BTC/USDT for a pair, E-BTC-USDT for a contract.'
}

/** The exchange tells no possible price. */
class NoPriceError extends UsageError {
  readonly advice =
    'Without a price no order can be sized. Wait until it is traded there, or trade another symbol.'
}

function rulesOf(instrument: Instrument, price: Ticks): string {
  const { pricePrecision, quantityPrecision, minQuantity, minNotional, quote, fees } = instrument
  return [
    `Its price is ${priceText(instrument, price)} ${quote}`,
    `prices have ${pricePrecision} ${pricePrecision === 1 ? 'decimal' : 'decimals'}, quantities ${quantityPrecision}`,
    `the smallest order is ${stepsText(instrument, minQuantity)} worth ${amountToText(minNotional)} ${quote}`,
    `fees are ${amountToText(fees.maker)} (maker) and ${amountToText(fees.taker)} (taker).`,
  ].join('; ')
}

/** Latest price, quote per base. */
async function lastPriceOf(venue: Venue, { market, name }: ConfiguredMarket): Promise<number> {
  const ticker =
    market === 'spot'
      ? await venue.spot.ticker({ symbol: name })
      : await futuresOf(venue).ticker({ contractName: name })
  if (ticker.last.isPositive() && !ticker.last.isZero()) return ticker.last.toNumber()
  throw new NoPriceError(`The exchange tells no price of ${name}: its last price is ${ticker.last}.`)
}

/** Reads open orders: that needs permission to trade, and shows other users of the account. */
async function examineOrders(trading: TradingCalls, symbol: string): Promise<Finding> {
  try {
    const open = await trading.openOrders({ symbol })
    return sound('orders', symbol, `${open.length} ${open.length === 1 ? 'order is' : 'orders are'} open.`)
  } catch (error) {
    return problem('orders', symbol, sentenceOf(error), adviceFor(error))
  }
}

async function examineEntry(
  { spot, serverNow }: Venue,
  instrument: Instrument,
  price: Ticks,
  entry: StrategyConfig,
  { ledgerOf, risk }: TestedAccount,
): Promise<{ readonly finding: Finding; readonly wouldTrade?: WouldTrade }> {
  const subject = `${entry.file} on ${entry.symbol} ${entry.interval}`
  if (ledgerOf === undefined)
    return { finding: unexamined('order', subject, 'Its size depends on the account, which cannot be read.') }
  const priceNumber = Number(priceText(instrument, price))
  const probed = probeOrder({ entry, ledger: ledgerOf(), risk, price: priceNumber, now: serverNow() })
  const facts = {
    strategy: entry.file,
    symbol: entry.symbol,
    interval: entry.interval,
    size: sizeText(entry),
  }
  const common = { ...facts, price: priceText(instrument, price) }
  if (!probed.approved) {
    return {
      finding: problem('order', subject, probed.reason, 'Give another size, other limits, or more money.'),
      wouldTrade: { ...common, quantity: undefined, notional: undefined },
    }
  }
  const { quantity, side } = probed.request
  const texts = { quantity: quantityText(instrument, quantity), price: common.price }
  const cap = marketCap(instrument, price, side, instrument.maxSlippageRate ?? 0)
  const notional = amountToText(notionalOf(instrument, price, quantity))
  // The interface has no call that only checks an order of a contract, or of a margin account.
  if (instrument.accountType !== 'spot')
    return {
      finding: sound('order', subject, 'Risk approves an entry of its size.'),
      wouldTrade: { ...common, quantity: texts.quantity, notional },
    }
  const finding = await examineTest(subject, () =>
    spot.testOrder({
      ...{ ...texts, price: priceText(instrument, cap), type: 'limit', side, symbol: entry.symbol },
    }),
  )
  return { finding, wouldTrade: { ...common, quantity: texts.quantity, notional } }
}

/** The exchange's own word on an order, by a call that places none. */
async function examineTest(subject: string, test: () => Promise<void>): Promise<Finding> {
  try {
    await test()
    return sound('order', subject, 'Risk approves an entry of its size, and the exchange would take it.')
  } catch (error) {
    return problem('order', subject, sentenceOf(error), adviceFor(error))
  }
}

function sizeText({ size }: StrategyConfig): string {
  const given = Object.entries(size).map(([kind, value]) => `${kind} ${value}`)
  const stop = 'riskFraction' in size ? ` (with a stop-loss ${PROBED_STOP_RATE * 100}% away)` : ''
  return `${given.join(', ')}${stop}`
}
