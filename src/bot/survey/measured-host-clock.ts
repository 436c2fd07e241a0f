import {
  estimateOffset,
  type OffsetEstimate,
  type TimeSample,
} from '../../exchange/clock/server-clock-estimate.ts'
import type { Host } from '../../exchange/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../exchange/endpoints.ts'
import { pathAt, versionsOf } from './asked-paths.ts'
import type { HostReply } from './host-reply.ts'
import { dataOf, isObject } from './json-entries.ts'

/** A clock of a host, against the local one. */
export interface HostClock extends OffsetEstimate {
  /** Path that tells it. */
  readonly path: string
  /** Shortest round trip, ms. */
  readonly roundTripMs: number
}

const TIME_SAMPLES = 5

/** The clock of a host by its call `time`; `undefined` for a host without one. `ask` sends a GET. */
export async function clockOf(
  ask: (path: string) => Promise<HostReply>,
  host: Host,
): Promise<HostClock | undefined> {
  const row = host === 'spot' ? ENDPOINTS.spotTime : ENDPOINTS.futuresTime
  for (const version of versionsOf(host)) {
    const path = pathAt(row, version)
    const samples: TimeSample[] = []
    for (let count = 0; count < TIME_SAMPLES; count += 1) {
      const sample = timeIn(await ask(path))
      if (sample === undefined) break
      samples.push(sample)
    }
    if (samples.length === 0) continue
    const roundTripMs = Math.min(...samples.map(({ sentAt, receivedAt }) => receivedAt - sentAt))
    return { ...estimateOffset(samples), path, roundTripMs }
  }
  return undefined
}

function timeIn(reply: HostReply): TimeSample | undefined {
  if (reply.kind !== 'answer') return undefined
  const content = dataOf(reply.json)
  const text = isObject(content) ? (content.serverTime ?? content.server_time) : undefined
  const serverTime = typeof text === 'string' ? Number(text) : Number.NaN
  const { sentAt, receivedAt } = reply.raw
  return Number.isSafeInteger(serverTime) ? { sentAt, receivedAt, serverTime } : undefined
}
