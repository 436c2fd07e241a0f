import type { Notice, TradingStateChanged } from '../../src/domain/events/engine-output.ts'
import type { FundingPayment } from '../../src/domain/events/funding-payment.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import type { TimedLiquidation } from '../futures/timed-liquidation.ts'
import type { BacktestResult, ReplacedExit } from '../results/backtest-result.ts'
import { ClosedRoundTripColumns } from '../results/closed-round-trip-columns.ts'
import { CutOrderTally } from '../results/cut-orders.ts'
import { DenialTally } from '../results/denial-tally.ts'
import { FillColumns } from '../results/fill-columns.ts'
import { MissedTargetTally } from '../results/missed-targets.ts'
import { type EndedRun, type ProfitSources, profitSourcesOf } from '../results/profit-sources.ts'
import type { Replay } from './replay.ts'

export interface Collected {
  readonly fills: FillColumns
  readonly roundTrips: ClosedRoundTripColumns
  /** Which of the round trips depend on the path inside a kline. */
  readonly ambiguousRoundTrips: number[]
  readonly denials: DenialTally
  readonly cutOrders: CutOrderTally
  readonly missedTargets: MissedTargetTally
  readonly replacedExits: ReplacedExit[]
  readonly funding: FundingPayment[]
  readonly liquidations: TimedLiquidation[]
  readonly tradingChanges: TradingStateChanged[]
  /** Reasons that strategies ended early. */
  readonly endings: string[]
  /** Orders placed, protective ones apart. */
  orders: number
}

/** An empty collection of a run that trades instruments by symbol. */
export function nothingCollected(instrumentOf: (symbol: string) => Instrument): Collected {
  return {
    fills: new FillColumns(instrumentOf),
    roundTrips: new ClosedRoundTripColumns(),
    ambiguousRoundTrips: [],
    denials: new DenialTally(),
    cutOrders: new CutOrderTally(),
    missedTargets: new MissedTargetTally(),
    replacedExits: [],
    funding: [],
    liquidations: [],
    tradingChanges: [],
    endings: [],
    orders: 0,
  }
}

type Lists = Pick<BacktestResult, 'fills' | 'roundTrips' | 'ambiguousRoundTrips'>

type CollectedPart = keyof Collected | 'fillCount' | 'denialCounts' | 'profit'

/** Parts of a result besides the collected ones; the times of its curve are computed once, on first read. */
interface Rest extends Omit<BacktestResult, CollectedPart | 'equityTime'> {
  readonly equityTime: () => Float64Array
  /** Input of the sources of profit, computed on first read. */
  readonly ended: Omit<EndedRun, 'fills' | 'roundTrips' | 'openPositions' | 'funding'>
}

/** The result of a run. Fills, round trips and times are built on first read. */
export function resultOf(
  { fills, roundTrips, denials, cutOrders, missedTargets, ...collected }: Collected,
  { ended, ...rest }: Rest,
  sorted?: Lists,
): BacktestResult {
  let times: Float64Array | undefined
  let profit: ProfitSources | undefined
  return {
    ...rest,
    ...collected,
    get equityTime() {
      times ??= rest.equityTime()
      return times
    },
    fillCount: fills.length,
    get fills() {
      return sorted?.fills ?? fills.all
    },
    get roundTrips() {
      return sorted?.roundTrips ?? roundTrips.all
    },
    get profit() {
      profit ??= profitSourcesOf({
        ...ended,
        ...rest,
        ...collected,
        fills: this.fills,
        roundTrips: this.roundTrips,
      })
      return profit
    },
    ambiguousRoundTrips: sorted?.ambiguousRoundTrips ?? collected.ambiguousRoundTrips,
    denials: denials.first,
    denialCounts: denials.counts,
    cutOrders: cutOrders.all,
    missedTargets: missedTargets.all,
  }
}

/** Takes in a notice of `replay`; throws the error of a strategy that failed. */
export function collect(collected: Collected, notice: Notice, replay: Replay): void {
  switch (notice.type) {
    case 'roundTripClosed':
      if (replay.isAmbiguous(notice.roundTrip))
        collected.ambiguousRoundTrips.push(collected.roundTrips.length)
      collected.roundTrips.push(notice.roundTrip)
      break
    case 'denied':
      collected.denials.push(notice.denial)
      break
    case 'targetMissed':
      collected.missedTargets.push(notice)
      break
    case 'fundingBooked':
      collected.funding.push(notice.payment)
      break
    case 'positionLiquidated':
      collected.liquidations.push({ ...notice.liquidation, time: notice.time })
      break
    case 'tradingStateChanged':
      collected.tradingChanges.push(notice)
      break
    case 'strategyEnded':
      collected.endings.push(notice.why)
      break
    case 'strategyFailed':
      throw notice.error
    case 'exitReplaced':
      // Another exit goes on with the same rest.
      if (notice.by !== 'exit') collected.replacedExits.push(notice)
      break
    case 'signaled':
    case 'fillBooked':
    case 'orderChanged':
    case 'groupOverfilled':
    case 'protectionRefused':
      break
  }
}
