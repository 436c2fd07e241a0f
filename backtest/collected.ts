import type { Denial } from '../src/domain/denial.ts'
import type { Notice, TradingStateChanged } from '../src/domain/engine-output.ts'
import type { FundingPayment } from '../src/domain/funding-payment.ts'
import type { RoundTrip } from '../src/domain/round-trip.ts'
import type { TimedLiquidation } from './futures/timed-liquidation.ts'
import type { Replay } from './replay.ts'
import type { SimulatedFill } from './simulated-fill.ts'

/** What is collected while the klines play. */
export interface Collected {
  readonly fills: SimulatedFill[]
  readonly roundTrips: RoundTrip[]
  /** Which of the round trips depend on the path inside a kline. */
  readonly ambiguousRoundTrips: number[]
  readonly denials: Denial[]
  readonly funding: FundingPayment[]
  readonly liquidations: TimedLiquidation[]
  readonly tradingChanges: TradingStateChanged[]
  /** Why strategies had nothing more to decide, where they said so. */
  readonly endings: string[]
  signals: number
}

/** Nothing yet. */
export function nothingCollected(): Collected {
  return {
    fills: [],
    roundTrips: [],
    ambiguousRoundTrips: [],
    denials: [],
    funding: [],
    liquidations: [],
    tradingChanges: [],
    endings: [],
    signals: 0,
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
    case 'signaled':
      collected.signals++
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
    case 'fillBooked':
    case 'orderChanged':
    case 'groupOverfilled':
      break
  }
}
