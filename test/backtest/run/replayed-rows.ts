import type { FillSettings } from '../../../backtest/models/fill-settings.ts'
import { Replay } from '../../../backtest/run/replay.ts'
import type { Notice } from '../../../src/domain/events/engine-output.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { Engine } from '../../../src/engine/engine.ts'
import { klineAt } from '../../../src/klines/kline-columns.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import type { Strategy } from '../../../src/strategy/define-strategy.ts'
import type { GivenParameter } from '../../../src/strategy/parameters.ts'
import { klinesOf, type Row } from '../kline-table.ts'

/** What a replay said and was worth up to the close of one kline. */
export interface ReplayedRow {
  /** Everything that was reported during the kline, in order. */
  readonly notices: readonly Notice[]
  readonly equity: number
}

/** What a replay depends on. */
export interface ReplayedOptions {
  readonly strategy: Strategy
  readonly parameters?: Readonly<Record<string, GivenParameter>>
  readonly instrument: Instrument
  readonly fills: FillSettings
  /** Called after every kline. */
  readonly check?: (ledger: Ledger) => void
}

/** Replays klines and keeps apart what belongs to which; the account starts with 10,000 quote. */
export function replayedRows(rows: readonly Row[], options: ReplayedOptions): ReplayedRow[] {
  const { strategy, parameters = {}, instrument, fills, check } = options
  const ledger = new Ledger([instrument], [[instrument.quote, amountOf('10000')]])
  const traded = {
    strategy,
    parameters,
    symbol: instrument.symbol,
    interval: '1m',
    size: { equityFraction: 0.5 },
  } as const
  const engine = new Engine({ bot: 'test', ledger, strategies: [traded] })
  let notices: Notice[] = []
  const onNotice = (notice: Notice) => notices.push(notice)
  const replay = new Replay({
    engine,
    instrument,
    interval: '1m',
    fills,
    sizingReference: 'decision',
    onNotice,
  })
  const klines = klinesOf(rows)
  return rows.map((_row, index) => {
    notices = []
    const kline = klineAt(klines, index)
    replay.next(kline)
    check?.(ledger)
    return { notices, equity: ledger.equityAt(instrument, kline.close) }
  })
}

/** Letter by letter, bigints included. */
export function rowText(row: ReplayedRow | undefined): string {
  return JSON.stringify(row, (_key, part) => (typeof part === 'bigint' ? `${part}n` : part))
}
