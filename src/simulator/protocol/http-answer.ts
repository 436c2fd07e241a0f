import type { ServerResponse } from 'node:http'
import type { ExchangeResponse } from './exchange-response.ts'

const CONTENT_TYPE = 'application/json; charset=utf-8'

/** Writes an answer to its connection, or breaks the connection according to its delivery. */
export function writeAnswer({ status, body, headers, delivery }: ExchangeResponse, to: ServerResponse): void {
  if (delivery?.reset !== undefined) {
    to.socket?.resetAndDestroy()
    return
  }
  const length = Buffer.byteLength(body)
  to.writeHead(status, { 'content-type': CONTENT_TYPE, 'content-length': length, ...headers })
  if (delivery?.truncateAt === undefined || delivery.truncateAt >= length) {
    to.end(body)
    return
  }
  const { socket } = to
  to.flushHeaders()
  // Closes the connection after the written bytes: none are lost, and none follow.
  to.write(Buffer.from(body).subarray(0, delivery.truncateAt), () => socket?.destroySoon())
}
