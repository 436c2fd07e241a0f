import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** What is told of the requests that this process sends over HTTP, whichever client sends them. */
export interface SocketWatcher {
  /** The bytes of a request (its head and its body) are with the operating system. */
  wrote(request: string, at: number): void
  /** The first bytes of its answer were handed to the process. */
  began(request: string, at: number): void
}

/** Watches every connection that is opened from now on. Times are ms of a clock that all processes of the machine share. */
export function watchSockets(watcher: SocketWatcher): void {
  subscribe('net.client.socket', message => {
    watch((message as { readonly socket: Socket }).socket, watcher) // as Node documents the channel
  })
}

/** ms of the machine's monotonic clock. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** By the methods with which a stream hands bytes to what lies below it, and takes them from there. */
function watch(socket: Socket, { wrote, began }: SocketWatcher): void {
  let unanswered: string | undefined
  const seen = (text: string) => {
    const at = nowMs()
    if (!text.startsWith('GET ') && !text.startsWith('POST ')) return
    unanswered = text
    wrote(text, at)
  }
  const afterwards = (text: string) => {
    if (socket.connecting) socket.once('connect', () => seen(text))
    else seen(text)
  }
  const write = socket._write.bind(socket)
  socket._write = (chunk, encoding, done) => {
    write(chunk, encoding, done)
    afterwards(textOf(chunk))
  }
  const writev = socket._writev?.bind(socket)
  socket._writev = (chunks, done) => {
    writev?.(chunks, done)
    afterwards(chunks.map(({ chunk }) => textOf(chunk)).join(''))
  }
  const push = socket.push.bind(socket)
  socket.push = (chunk, encoding) => {
    if (unanswered !== undefined && chunk !== null) {
      began(unanswered, nowMs())
      unanswered = undefined
    }
    return push(chunk, encoding)
  }
}

function textOf(chunk: string | Uint8Array): string {
  return typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('latin1')
}
