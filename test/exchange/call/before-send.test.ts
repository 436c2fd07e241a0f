import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type HttpTransportOptions, httpTransport } from '../../../src/exchange/http/http-transport.ts'
import { answer, faultyServer } from './faulty-server.ts'
import { rejectionOf } from './scripted-exchange.ts'

const REQUEST = { method: 'POST', headers: {}, body: '{}', timeoutMs: 5000 } as const

function transportOf(options: HttpTransportOptions = {}) {
  const http = httpTransport(options)
  onTestFinished(() => http.close())
  return http
}

async function serve(behavior = answer(200, '{}')) {
  const server = await faultyServer(behavior)
  onTestFinished(() => server.close())
  return server
}

/** A server that counts the bytes that arrive. */
async function byteCounter() {
  const sockets: Socket[] = []
  let bytes = 0
  const server = createServer(socket => {
    sockets.push(socket)
    socket.on('data', chunk => {
      bytes += chunk.length
    })
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.')
  return { url: `http://127.0.0.1:${address.port}`, sockets, bytes: () => bytes }
}

describe('beforeSend', () => {
  const full = new Error('The disk is full.')
  const fail = () => {
    throw full
  }

  it('keeps every byte back on a new connection, and on a connected one that is still unused', async () => {
    const server = await byteCounter()
    const http = transportOf({ connections: 1 })
    for (const path of ['/a', '/b'])
      expect(
        await rejectionOf(http.send({ ...REQUEST, url: `${server.url}${path}`, beforeSend: fail })),
      ).toBe(full)
    await expect.poll(() => server.sockets.length).toBe(1)
    const closed = server.sockets.map(socket => once(socket, 'close'))
    await http.close()
    await Promise.all(closed)
    expect(server.bytes()).toBe(0)
  })

  it('keeps every byte back on an idle connection when it throws', async () => {
    const server = await serve()
    const http = transportOf({ connections: 1 })
    await http.send({ ...REQUEST, url: `${server.url}/a` })
    expect(await rejectionOf(http.send({ ...REQUEST, url: `${server.url}/b`, beforeSend: fail }))).toBe(full)
    await http.send({ ...REQUEST, url: `${server.url}/c` })
    expect(server.seen.map(({ url }) => url)).toEqual(['/a', '/c'])
  })

  it('is called once for each request, after every request of the same turn was handed over', async () => {
    const server = await serve()
    const http = transportOf()
    const names = ['a', 'b', 'c']
    const sendAll = (round: string, beforeSend: (name: string) => void) =>
      Promise.all(
        names.map(name =>
          http.send({ ...REQUEST, url: `${server.url}/${round}${name}`, beforeSend: () => beforeSend(name) }),
        ),
      )
    await sendAll('warm', () => undefined)
    const seen: string[] = []
    const sent = sendAll('burst', name => seen.push(`commit ${name}`))
    seen.push('all decided')
    await sent
    expect(seen).toEqual(['all decided', 'commit a', 'commit b', 'commit c'])
  })

  it('is not called for a request that no connection takes, or that was given up before', async () => {
    const server = await serve(() => undefined)
    const http = transportOf({ connections: 1 })
    let calls = 0
    const beforeSend = () => void calls++
    const hanging = rejectionOf(http.send({ ...REQUEST, url: `${server.url}/a`, timeoutMs: 400 }))
    const waiting = http.send({ ...REQUEST, url: `${server.url}/b`, timeoutMs: 50, beforeSend })
    expect(await rejectionOf(waiting)).toMatchObject({ sent: false })
    expect(await hanging).toMatchObject({ sent: true })
    await server.close()
    const refused = http.send({ ...REQUEST, url: `${server.url}/c`, beforeSend })
    expect(await rejectionOf(refused)).toMatchObject({ sent: false })
    expect(calls).toBe(0)
  })
})

describe('a request of httpTransport', () => {
  it('is never written twice, not even by a dispatcher that tries it again', async () => {
    const calls: string[] = []
    const controller = { abort: () => calls.push('abort') } as unknown as Dispatcher.DispatchController
    const dispatcher = {
      dispatch: (_options: unknown, handler: Dispatcher.DispatchHandler) => {
        handler.onRequestStart?.(controller, null)
        expect(() => handler.onRequestStart?.(controller, null)).toThrow()
        return true
      },
    } as unknown as Dispatcher // as much of it as is used
    const http = transportOf({ dispatcher })
    const beforeSend = () => void calls.push('commit')
    const error = await rejectionOf(http.send({ ...REQUEST, url: 'http://127.0.0.1:9/a', beforeSend }))
    expect(error).toMatchObject({ sent: true, message: expect.stringContaining('never sent twice') })
    expect(calls).toEqual(['commit', 'abort'])
  })

  it('that follows from an answer takes the connection which brought it, rather than opening another', async () => {
    const ports = new Set<unknown>()
    const server = await serve(response => {
      ports.add(response.socket?.remotePort)
      response.end('{}')
    })
    const http = transportOf()
    for (const path of ['/klines', '/order', '/order'])
      await http.send({ ...REQUEST, url: `${server.url}${path}` })
    expect(ports.size).toBe(1)
  })
})
