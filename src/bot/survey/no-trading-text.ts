import type { Host } from '../../exchange/endpoints/endpoint.ts'
import type { EndpointKey } from '../../exchange/endpoints.ts'
import type { HostSurvey } from './host-survey.ts'
import { lackedCalls } from './profile-of-survey.ts'

/** Calls that every bot needs to trade at a host. */
const NEEDED: Readonly<Record<Host, readonly EndpointKey[]>> = {
  spot: ['spotAccount', 'spotNewOrder', 'spotCancel', 'spotOrder', 'spotOpenOrders', 'spotMyTradesV2'],
  futures: [
    ...(['futuresAccount', 'futuresNewOrder', 'futuresCancel', 'futuresOrder'] as const),
    ...(['futuresOpenOrders', 'futuresMyTrades'] as const),
  ],
}

/** A sentence about a host at which no bot can trade, because calls for that are missing; `undefined` for any other. */
export function noTradingText(survey: Pick<HostSurvey, 'host' | 'tried' | 'stopped'>): string | undefined {
  const { host } = survey
  const lacked = lackedCalls(survey)
  const missing = NEEDED[host].filter(key => lacked.includes(key))
  if (missing.length === 0) return undefined
  return `The ${host} host has no ${missing.join(', no ')}, so no bot can trade there; a paper account, which needs none of them, can follow its market (venue: { type: paper }).`
}
