import type { HttpRequest, HttpResponse, Transport } from '../../src/exchange/http/transport.ts'

/** A host that lists no own trades while `isLate` is true; everything else it tells at once. */
export function lateTrades(isLate: () => boolean): (exchange: Transport) => Transport {
  return exchange =>
    async (request: HttpRequest): Promise<HttpResponse> => {
      const response = await exchange(request)
      const isOfTrades = /Trades$/.test(new URL(request.url).pathname) && request.method === 'GET'
      if (!isOfTrades || !isLate()) return response
      return { ...response, body: withoutRows(response.body) }
    }
}

/** An answer whose list has no rows, be it the body or a field of it. */
function withoutRows(body: string): string {
  const answer: unknown = JSON.parse(body)
  if (Array.isArray(answer)) return '[]'
  const fields = Object.entries(answer as object).map(([key, value]) => [
    key,
    Array.isArray(value) ? [] : value,
  ])
  return JSON.stringify(Object.fromEntries(fields))
}
