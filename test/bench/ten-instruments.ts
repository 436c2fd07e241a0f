import { Replay } from '../../backtest/replay.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import smaCross from '../../strategies/sma-cross.ts'
import { backtestOptions } from './sluice-backtest.ts'

const INSTRUMENTS = 10
const CASH = 1_000_000

/**
 * Ten instruments on one account: each trades sma-cross (10, 30) on a tenth of the klines, all at the same times. Returns a
 * run, which returns how many fills there were.
 */
export function tenInstruments(klines: KlineColumns): () => number {
  const { instrument, interval, fills, sizingReference, balances } = backtestOptions(klines, CASH)
  const length = Math.floor(klines.length / INSTRUMENTS)
  const markets = Array.from({ length: INSTRUMENTS }, (_, index) => ({
    instrument: { ...instrument, symbol: `C${index}/USDT`, base: `C${index}` },
    klines: tenthOf(klines, index, length),
  }))
  return () => {
    let count = 0
    const ledger = new Ledger(
      markets.map(market => market.instrument),
      balances,
    )
    const desks = markets.map(market => deskOf(market.instrument))
    const engine = new Engine({ bot: 'bench', ledger, desks, sizingReference })
    const replays = markets.map(market => {
      const onNotice = ({ type }: { readonly type: string }) => {
        if (type === 'fillBooked') count++
      }
      const replay = new Replay({
        engine,
        instrument: market.instrument,
        interval,
        fills,
        sizingReference,
        onNotice,
      })
      replay.announce(market.klines, 0, length)
      return { replay, klines: market.klines }
    })
    for (let row = 0; row < length; row++) {
      for (const { replay, klines: own } of replays) replay.playRows(own, row, row + 1)
    }
    return count
  }
}

function deskOf({ symbol }: Instrument) {
  return {
    strategy: smaCross,
    parameters: { fast: 10, slow: 30 },
    symbol,
    interval: '1m',
    size: { equityFraction: 0.002 },
  } as const
}

function tenthOf(klines: KlineColumns, index: number, length: number): KlineColumns {
  const part = (column: Float64Array) => column.slice(index * length, (index + 1) * length)
  return {
    length,
    openTime: klines.openTime.slice(0, length),
    open: part(klines.open),
    high: part(klines.high),
    low: part(klines.low),
    close: part(klines.close),
    volume: part(klines.volume),
  }
}
