import type { ServerClock } from '../clock/server-clock.ts'
import type { TimeSample } from '../clock/server-clock-estimate.ts'
import { weightOf } from '../endpoints/endpoint.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { type AttemptSettings, attemptCall } from './call-attempt.ts'

/** Takes one sample of the server's time, in the most urgent lane, because signed calls wait for it. */
export async function sampleTime(
  settings: AttemptSettings & { readonly serverClock: Pick<ServerClock, 'now'>; readonly maxWaitMs: number },
): Promise<TimeSample> {
  const endpoint = ENDPOINTS.spotTime
  const entry = {
    endpoint,
    weight: weightOf(endpoint, {}),
    lane: 'reconciliation',
    maxWaitMs: settings.maxWaitMs,
    signal: undefined,
  } as const
  const { value, sentAt, receivedAt } = await attemptCall(entry, {}, () => settings.clock.now(), settings)
  return { sentAt, receivedAt, serverTime: value.serverTime }
}
