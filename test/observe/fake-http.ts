import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as it arrived. */
export interface Arrived {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** An answer; `hang`: none ever; `drop`: the connection is cut. */
export type Reply =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'hang'
  | 'drop'

/** A server on loopback that answers as a test says, and remembers what came. */
export async function fakeHttp(replyTo: (request: Arrived, count: number) => Reply | Promise<Reply>) {
  const arrived: Arrived[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const one = { path: request.url ?? '', headers: request.headers, body }
    arrived.push(one)
    const reply = await replyTo(one, arrived.length)
    if (reply === 'hang') return
    if (reply === 'drop') {
      request.socket.destroy()
      return
    }
    response.writeHead(reply.status, reply.headers)
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {}))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, arrived }
}
