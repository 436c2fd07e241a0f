import { DEFAULT_FILL_SETTINGS } from '../../backtest/models/fill-settings.ts'
import type { BacktestResult } from '../../backtest/results/backtest-result.ts'
import type { BacktestMarket } from '../../backtest/run/backtest-options.ts'
import { runBacktest } from '../../backtest/run/run-backtest.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { amountOf, rateOf } from '../../src/domain/numbers/amount.ts'
import { priceOf, quantityOf, steps } from '../../src/domain/numbers/grid.ts'
import type { Signal } from '../../src/domain/signal.ts'
import type { OpeningBalances } from '../../src/ledger/account-balances.ts'
import { futuresWith, MARGIN_BTC } from '../domain/instruments.ts'

const FREE = { maker: rateOf('0'), taker: rateOf('0'), paidIn: 'quote' } as const
const FINE = { pricePrecision: 4, quantityPrecision: 8, minQuantity: steps(1), maxQuantity: steps(10 ** 14) }

/** BTC/USDT on a margin account, on a fine grid and without fees. */
export const BTC: Instrument = { ...MARGIN_BTC, ...FINE, fees: FREE }
/** The same of ETH/USDT. */
export const ETH: Instrument = { ...BTC, symbol: 'ETH/USDT', base: 'ETH' }
/** BTC/USDT on a spot account. */
export const SPOT_BTC: Instrument = { ...BTC, accountType: 'spot', leverage: { min: 1, max: 1 } }
/** Contracts of 0.0001 BTC, on a cross account of leverage 2 and without fees. */
export const CONTRACT: Instrument = {
  ...futuresWith({ leverage: 2, marginMode: 'cross' }),
  symbol: 'E-BTC-USDT',
  contractSize: amountOf('0.0001'),
  maxQuantity: steps(10 ** 12),
  fees: FREE,
}

/** A fill, and what of it a test can work out. */
export interface PlayedFill {
  readonly symbol: string
  readonly side: 'buy' | 'sell'
  /** Open time of its kline, ms UTC. */
  readonly at: number
  readonly price: number
  /** Base units. */
  readonly quantity: number
}

/** What a strategy did, without costs. */
export interface Played extends Pick<BacktestResult, 'denials' | 'funding'> {
  readonly signals: readonly Signal<string>[]
  readonly fills: readonly PlayedFill[]
}

/** Plays a strategy of several instruments or feeds, with 10,000 USDT, or on accounts that are said. */
export function played(
  market: Omit<BacktestMarket, 'size'>,
  balances: OpeningBalances = new Map([['USDT', amountOf('10000')]]),
): Played {
  const signals: Signal<string>[] = []
  const { fills, denials, funding } = runBacktest({
    markets: [{ ...market, size: { equityFraction: 0.5 } }],
    balances,
    fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: 0 },
    sizingReference: 'decision',
    closeAtEnd: 'no',
    onNotice: notice => {
      if (notice.type === 'signaled') signals.push(notice.signal)
    },
  })
  const instruments = [market.instrument, ...Object.values(market.roles ?? {}).map(role => role.instrument)]
  return {
    signals,
    denials,
    funding,
    fills: fills.flatMap(({ book, side, klineOpenTime, price, quantity }) =>
      instruments
        .filter(({ symbol }) => symbol === book)
        .map(instrument => ({
          ...{ symbol: book, side, at: klineOpenTime },
          ...{ price: priceOf(instrument, price), quantity: quantityOf(instrument, quantity) },
        })),
    ),
  }
}
