import { metricsOf } from '../../backtest/metrics/metrics.ts'
import { heldEqually } from '../../backtest/metrics/returns/held-equally.ts'
import { reportParts } from '../../backtest/report/text/report-parts.ts'
import type { TradingReport } from '../../backtest/report/trading-report.ts'
import { botSnapshotIn } from '../bot/state/bot-snapshot.ts'
import type { LoadStrategy } from '../bot/state/bot-state.ts'
import { add, amountToNumber, ZERO } from '../domain/numbers/amount.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { JournalReader } from '../journal/journal-reader.ts'
import { ExplainedRun } from './explained-run.ts'
import { RecordedRun } from './recorded-run.ts'
import { type MoreKlines, type RunMarket, runMarkets } from './run-markets.ts'
import type { Worth } from './run-start.ts'

/** Results of a bot with the record that they are made of. */
export interface RunReport extends TradingReport {
  readonly markets: readonly RunMarket[]
  readonly run: RecordedRun
  readonly start: Worth & { readonly time: number }
  /** When the code first decided other than recorded, ms UTC: indicators are drawn until then. */
  readonly changedAt: number | undefined
}

/** Bounds and further sources of a report. */
export interface RunOptions {
  /** Nothing before is part of it, ms UTC; default: the beginning of the journal. */
  readonly from?: number | undefined
  /** Fills gaps of the klines that the bot has seen. */
  readonly more?: MoreKlines | undefined
}

/** The results in a journal; rejects with `UsageError` where it has no kline that was decided on. */
export async function readRun(
  reader: JournalReader,
  load: LoadStrategy,
  { from = 0, more }: RunOptions = {},
): Promise<RunReport> {
  const run = new RecordedRun(from)
  const explained = await ExplainedRun.of(reader, load, explanation => {
    if (run.start !== undefined) run.chart.explain(explanation)
  })
  const base = reader.base()
  if (base !== undefined) run.restore(base, botSnapshotIn(base).session)
  for (const entry of reader.entries({ after: base?.seq ?? 0 })) {
    run.take(entry)
    await explained.take(entry)
  }
  run.close()
  const { start } = run
  const markets = await runMarkets(run, load, more)
  if (start === undefined || markets.length === 0) throw nothingYet(reader.path)
  return { ...reportOf(run, start, markets), run, start, changedAt: explained.endedAt, markets }
}

function reportOf(
  run: RecordedRun,
  start: NonNullable<RecordedRun['start']>,
  markets: readonly RunMarket[],
): TradingReport {
  const { trading, quote, curve, liquidations } = run
  const roundTrips = trading.trips.filter(({ symbol }) => run.countsIn(symbol))
  const fills = [...trading.orders.values()]
    .flatMap(order => order.fills)
    .filter(({ symbol }) => run.countsIn(symbol))
    .sort((left, right) => left.time - right.time)
  const openPositions = run.openPositions
  const equity = { startTime: start.time, startEquity: amountToNumber(start.equity), ...curve }
  const benchmark = heldEqually(markets, start.time, curve.time)
  const hasContracts = markets.some(({ instrument }) => instrument.futures !== undefined)
  const funding = trading.fundings.reduce((sum, { amount }) => add(sum, amount), ZERO)
  const isSeveral = markets.length > 1
  return {
    metrics: metricsOf({
      ...{ curve: equity, benchmark, markets, roundTrips, fills, openPositions },
      ...(hasContracts && { funding }),
    }),
    ...{ quote, markets, roundTrips, fills, equity, benchmark, openPositions },
    ...{ signals: run.signals, orders: run.orders, denials: run.denials.counts, ruined: false },
    missedTargets: run.missedTargets.all,
    ...{ tradingChanges: run.tradingChanges, endings: run.endings, margin: { liquidations } },
    charts: run.chart.charts,
    ...(isSeveral && { parts: reportParts({ markets, roundTrips, openPositions, equity }) }),
  }
}

function nothingYet(path: string): UsageError {
  return new UsageError(
    `The journal ${path} has no kline yet that a strategy decided on; make the report once there is one, or from an earlier time.`,
  )
}
