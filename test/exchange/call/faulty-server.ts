import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as the server read it. */
interface SeenRequest {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** What a server does with a request whose body it has read. */
export type Behavior = (response: ServerResponse, seen: SeenRequest) => void

/** A real HTTP server on loopback that misbehaves as told; `seen` are the requests that arrived whole. */
export interface FaultyServer {
  readonly url: string
  readonly seen: readonly SeenRequest[]
  close(): Promise<void>
}

/** When a server resets every connection: as it accepts it, or when it has the headers but has not read the body. */
export type Reset = 'onArrival' | 'beforeBody'

/** Starts a server on a free port. */
export async function faultyServer(behavior: Behavior, reset?: Reset): Promise<FaultyServer> {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    if (reset === 'beforeBody') {
      request.socket.resetAndDestroy()
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, url, headers } = request
    const whole = { method, url, headers, body: Buffer.concat(chunks).toString() }
    seen.push(whole)
    behavior(response, whole)
  })
  if (reset === 'onArrival') server.on('connection', socket => socket.resetAndDestroy())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listening on a port, not on a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers with a status and a body. */
export function answer(status: number, body: string, contentType = 'application/json'): Behavior {
  return response => response.writeHead(status, { 'content-type': contentType }).end(body)
}
