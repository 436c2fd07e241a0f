import type { Purpose } from '../../domain/orders/order-intent.ts'
import type { ProtectionRules } from '../risk-rules.ts'
import type { RiskProtection } from './protection.ts'

type Rules = NonNullable<ProtectionRules['cooldownAfterStop']>

const STOPS: Readonly<Partial<Record<Purpose, string>>> = {
  stopLoss: 'A stop-loss has traded.',
  trailingStop: 'A trailing stop has traded.',
  liquidation: 'The exchange has taken a position over.',
  outsideClose: 'A position was closed outside the bot.',
}

/** Holds for `pauseMs` after a stop-loss or a trailing stop has traded, and after a liquidation. */
export function cooldownAfterStop({ pauseMs, mode }: Rules): RiskProtection {
  return {
    name: 'cooldownAfterStop',
    observe: fact => {
      const reason = fact.type === 'exited' ? STOPS[fact.purpose] : undefined
      if (fact.type !== 'exited' || reason === undefined) return undefined
      const since = fact.time
      return {
        type: 'hold',
        hold: { mode, source: 'cooldownAfterStop', reason, since, until: since + pauseMs },
      }
    },
    forget: () => {},
    snapshot: () => undefined,
    restore: () => {},
  }
}
