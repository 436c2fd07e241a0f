import { readFileSync } from 'node:fs'
import { sharedPath } from '../../shared-data.ts'
import { ACCOUNT } from './account.ts'
import type { DocumentedCalls } from './documented-call.ts'
import { FEEDS } from './feeds.ts'
import { FUTURES_ACCOUNT } from './futures-account.ts'
import { FUTURES_MARKET } from './futures-market.ts'
import { FUTURES_ORDERS } from './futures-orders.ts'
import { MARGIN } from './margin.ts'
import { SPOT_MARKET } from './spot-market.ts'
import { SPOT_ORDERS } from './spot-orders.ts'

/** The calls of every documented payload, by the name of its file. */
export const DOCUMENTED_CALLS: DocumentedCalls = {
  ...SPOT_MARKET,
  ...SPOT_ORDERS,
  ...ACCOUNT,
  ...MARGIN,
  ...FUTURES_MARKET,
  ...FUTURES_ORDERS,
  ...FUTURES_ACCOUNT,
  ...FEEDS,
}

/** A documented payload as JSON text, and the request it answers where that is documented too. */
export interface Sample {
  readonly raw: string
  readonly request?: {
    readonly query?: Record<string, string | number>
    readonly body?: unknown
    readonly headers?: Record<string, string>
  }
}

/** The payloads of a file, in its order. */
export function samplesOf(name: string): readonly Sample[] {
  const text = readFileSync(sharedPath('spec', 'samples', `${name}.json`), 'utf8')
  return (JSON.parse(text) as { samples: Sample[] }).samples // the shape of every sample file
}
