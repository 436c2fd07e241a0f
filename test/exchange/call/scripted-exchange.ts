import {
  createExchangeClient,
  type ExchangeCalls,
  type ExchangeClientOptions,
} from '../../../src/exchange/exchange-client.ts'
import type { HttpRequest, HttpResponse } from '../../../src/exchange/http/transport.ts'
import { ManualClock } from '../clock/manual-clock.ts'

/** One answer: a body with HTTP 200, a whole response, or an error to reject with. */
export type Script = string | HttpResponse | Error

export const NOW = 1_588_591_856_950
export const KEY = 'vmPUZE6mv9SD5V5e14y7Ju91duEh8A'
export const SECRET = '902ae3cb34ecee2779aa4d3e1d226686'

/** The typed calls of a scripted client, what it sent, and its clock. */
export interface ScriptedExchange extends ExchangeCalls {
  readonly requests: HttpRequest[]
  readonly clock: ManualClock
}

/** A client whose transport gives the scripted answers in order (the last one for ever) and keeps the requests. */
export function scriptedExchange(
  scripts: readonly Script[],
  options: Partial<ExchangeClientOptions> = {},
  credentials: { readonly apiKey?: string; readonly apiSecret?: string } = { apiKey: KEY, apiSecret: SECRET },
): ScriptedExchange {
  const requests: HttpRequest[] = []
  const clock = new ManualClock(NOW)
  const transport = async (request: HttpRequest): Promise<HttpResponse> => {
    const script = scripts[Math.min(requests.length, scripts.length - 1)] ?? ''
    requests.push(request)
    if (script instanceof Error) throw script
    return typeof script === 'string' ? { status: 200, body: script } : script
  }
  const client = createExchangeClient({
    spotUrl: 'https://exchange.test',
    futuresUrl: 'https://futures.test',
    clock,
    transport,
    timeOffset: () => 0,
    random: () => 0.5,
    ...credentials,
    ...options,
  })
  const { spot, margin, futures, account, feeds } = client
  return { spot, margin, futures, account, feeds, requests, clock }
}

/** What a promise rejects with; fails where it resolves. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  const nothing = Symbol('resolved')
  const outcome = await promise.then(
    () => nothing,
    (error: unknown) => error,
  )
  if (outcome === nothing) throw new Error('The promise resolved, but it should reject.')
  return outcome
}
