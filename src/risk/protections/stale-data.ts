import type { KlinesMissed } from '../../domain/events/trading-event.ts'
import type { TradingHold } from '../../domain/events/trading-hold.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import type { ProtectionRules } from '../risk-rules.ts'
import type { ProtectionChange, RiskProtection } from './protection.ts'

type Rules = NonNullable<ProtectionRules['staleData']>

interface Gap {
  readonly reason: string
  readonly since: number
  readonly until: number
}

/** Holds while any stream is silent; and for `gapPauseMs` after klines were missed. */
export function staleData({ mode, gapPauseMs }: Rules): RiskProtection {
  let silent: readonly string[] = []
  let gap: Gap | undefined

  const held = (reason: string, since: number, until?: number): ProtectionChange => {
    const hold: TradingHold = { mode, source: 'staleData', reason, since, until }
    return { type: 'hold', hold }
  }
  const miss = ({ symbol, from, until, time }: KlinesMissed): ProtectionChange | undefined => {
    if (gapPauseMs === 0) return undefined
    const reason = `Klines of ${symbol} from ${utcText(from)} to ${utcText(until)} were missed.`
    gap = { reason, since: time, until: time + gapPauseMs }
    return silent.length === 0 ? held(gap.reason, gap.since, gap.until) : undefined
  }
  /** The last silent stream is back; a gap may not be over yet. */
  const settle = (now: number): ProtectionChange =>
    gap !== undefined && gap.until > now ? held(gap.reason, gap.since, gap.until) : { type: 'lift' }

  return {
    name: 'staleData',
    observe: fact => {
      switch (fact.type) {
        case 'klinesMissed':
          return miss(fact)
        case 'dataStale':
          if (silent.includes(fact.stream)) return undefined
          silent = [...silent, fact.stream]
          return held(`The market data ${silent.join(', ')} are stale.`, fact.time)
        case 'dataFresh':
          if (!silent.includes(fact.stream)) return undefined
          silent = silent.filter(stream => stream !== fact.stream)
          if (silent.length === 0) return settle(fact.time)
          return held(`The market data ${silent.join(', ')} are stale.`, fact.time)
        default:
          return undefined
      }
    },
    forget: () => {
      silent = []
      gap = undefined
    },
    snapshot: () => ({ silent, gap }),
    restore: state => {
      ;({ silent, gap } = state as { silent: readonly string[]; gap: Gap | undefined }) // what `snapshot` gave
    },
  }
}
