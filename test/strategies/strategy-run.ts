import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { Strategy } from '../../src/strategy/define-strategy.ts'
import type { GivenParameter } from '../../src/strategy/parameters.ts'
import type { Signals } from '../../src/strategy/signals.ts'
import type { PositionView } from '../../src/strategy/strategy-view.ts'
import { emptyView, FLAT } from '../strategy/strategy-view.ts'

/** What a strategy answers to each kline after its warm-up; `positions` says what it holds at a kline, flat elsewhere. */
export function answersOf(
  strategy: Strategy,
  parameters: Readonly<Record<string, GivenParameter>>,
  klines: readonly Kline[],
  positions: Readonly<Record<number, PositionView>> = {},
): Signals<string>[] {
  const view = emptyView()
  const run = strategy.start(parameters, view)
  const answers = klines.map((kline, index) => {
    view.time = kline.openTime
    view.position = positions[index] ?? FLAT
    run.update(kline)
    return index < run.warmUp ? undefined : run.onKline(kline)
  })
  return answers.slice(run.warmUp)
}
