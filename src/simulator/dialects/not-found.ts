import type { ExchangeResponse } from '../protocol/exchange-response.ts'
import { jsonText } from '../protocol/json-text.ts'

const HTML = '<html><head><title>404 Not Found</title></head><body><h1>404 Not Found</h1></body></html>'

/** Answer of a host in front of Spring, at `now`, ms UTC. */
export function springNotFound(path: string, now: number): ExchangeResponse {
  const timestamp = new Date(now).toISOString()
  const body = { timestamp, status: 404, error: 'Not Found', message: 'No message available', path }
  return { status: 404, body: jsonText(body) }
}

/** Page of a web server in front of the host. */
export function htmlNotFound(): ExchangeResponse {
  return { status: 404, body: HTML, headers: { 'content-type': 'text/html; charset=utf-8' } }
}
