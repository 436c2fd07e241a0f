import { createExchangeClient, type ExchangeClient } from '../../../src/exchange/exchange-client.ts'
import type { HttpRequest } from '../../../src/exchange/http/transport.ts'
import { KEY, SECRET } from '../call/scripted-exchange.ts'
import { ManualClock } from '../clock/manual-clock.ts'

/** Now, ms UTC. */
export const NOW = Date.UTC(2024, 7, 31, 12)

/** Something that happened. */
export interface Entry {
  readonly id: bigint
  readonly time: number
}

/** What a request asks for, by wire name. */
export type Query = Readonly<Record<string, string | number | undefined>>

/** A client of an exchange that answers by `serve`, and what it was asked. */
export interface HistoryWorld {
  readonly client: ExchangeClient
  readonly queries: Query[]
}

/** How the exchange misbehaves: which of its answers are lost, never three in a row, by their number from 0. */
export type Loses = (call: number) => boolean

/** A client whose every request is answered by `serve` with JSON; lost answers are resets or HTTP 502. */
export function historyWorld(
  serve: (query: Query, path: string) => unknown,
  loses: Loses = () => false,
): HistoryWorld {
  const queries: Query[] = []
  let calls = 0
  const client = createExchangeClient({
    spotUrl: 'https://spot.test',
    futuresUrl: 'https://futures.test',
    apiKey: KEY,
    apiSecret: SECRET,
    clock: new ManualClock(NOW),
    timeOffset: () => 0,
    random: () => 0.5,
    limits: {
      ipWeightPerMinute: Number.POSITIVE_INFINITY,
      uidWeightPerMinute: Number.POSITIVE_INFINITY,
      perEndpoint: false,
    },
    transport: async request => {
      const query = queryOf(request)
      const call = calls++
      if (loses(call) && !loses(call - 2)) {
        if (call % 2 === 0) throw new Error('reset')
        return { status: 502, body: '<html>' }
      }
      queries.push(query)
      return { status: 200, body: JSON.stringify(serve(query, new URL(request.url).pathname)) }
    },
  })
  return { client, queries }
}

/** Everything a range yields. */
export async function allOf<Item>(range: AsyncIterable<Item>): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const item of range) items.push(item)
  return items
}

function queryOf({ url, body }: HttpRequest): Query {
  if (body !== '') return JSON.parse(body) as Query // the client sends objects only
  return Object.fromEntries(new URL(url).searchParams)
}
