import type { Endpoint, RequestFields } from '../endpoints/endpoint.ts'
import { InvalidCallError } from '../errors/invalid-call-error.ts'

/** The longest month, so that nothing is refused that the exchange would take. */
const MONTH_MS = 31 * 86_400_000

/** Throws `InvalidCallError` where a request asks for times before those that its endpoint keeps; `now` gives ms UTC. */
export function checkReach(endpoint: Endpoint, fields: RequestFields, now: () => number): void {
  const { historyMonths, key, section } = endpoint
  if (historyMonths === undefined) return
  const parameter = fields.startTime === undefined ? 'endTime' : 'startTime'
  const time = fields[parameter]
  if (time === undefined || Number(time) >= now() - historyMonths * MONTH_MS) return
  throw new InvalidCallError(key, parameter, `must lie in the last ${historyMonths} months`, section)
}
