import type { ProtectionRules } from '../risk-rules.ts'
import type { RiskProtection } from './protection.ts'

type Rules = NonNullable<ProtectionRules['lossesInARow']>

/** Holds for `pauseMs` after `count` trades, each from flat to flat, that lost one after the other; then counts from none. */
export function lossesInARow({ count, pauseMs, mode }: Rules): RiskProtection {
  let losses = 0
  return {
    name: 'lossesInARow',
    observe: fact => {
      if (fact.type !== 'tradeClosed') return undefined
      losses = fact.pnl < 0n ? losses + 1 : 0
      if (losses < count) return undefined
      losses = 0
      const since = fact.time
      const reason = `${count} trades in a row have lost.`
      return {
        type: 'hold',
        hold: { mode, source: 'lossesInARow', reason, since, until: since + pauseMs },
      }
    },
    forget: () => {
      losses = 0
    },
    snapshot: () => losses,
    restore: state => {
      losses = state as number // what `snapshot` gave
    },
  }
}
