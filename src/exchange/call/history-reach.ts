import type { Endpoint, RequestFields } from '../endpoints/endpoint.ts'
import { InvalidCallError } from '../errors/invalid-call-error.ts'

/** The longest month, so that no request is refused that the exchange would accept. */
const MONTH_MS = 31 * 86_400_000

/**
 * Throws `InvalidCallError` if a request asks for times older than its endpoint keeps; `now` gives ms UTC.
 */
export function checkReach(endpoint: Endpoint, fields: RequestFields, now: () => number): void {
  const { historyMonths, key, section } = endpoint
  if (historyMonths === undefined) return
  const parameter = fields.startTime === undefined ? 'endTime' : 'startTime'
  const time = fields[parameter]
  if (time === undefined || Number(time) >= now() - historyMonths * MONTH_MS) return
  throw new InvalidCallError(key, parameter, `must lie in the last ${historyMonths} months`, section)
}
