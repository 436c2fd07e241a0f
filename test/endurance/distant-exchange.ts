import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { ExchangeResponse } from '../../src/simulator/protocol/exchange-response.ts'
import type { ExchangeRequest } from '../../src/simulator/protocol/request-authentication.ts'
import type { SimulatorConfigInput } from '../../src/simulator/simulator-config.ts'

/** What the thread of the exchange is asked. */
export type Asked =
  | {
      readonly type: 'request'
      readonly request: ExchangeRequest
      readonly now: number
      readonly hasArrived: boolean
    }
  | { readonly type: 'weigh' }

/** What it says. */
export type Told =
  | { readonly type: 'answer'; readonly response: ExchangeResponse }
  | { readonly type: 'weight'; readonly heapBytes: number }
  | { readonly type: 'failure'; readonly message: string }

/** No answer takes as long, ms. */
const LONGEST_MS = 60_000

/**
 * A simulated exchange in a thread, and so in a heap, of its own: what it remembers of a long run is no part of what is
 * weighed here. Answers as any exchange in this thread does, before the call returns.
 */
export class DistantExchange {
  readonly #worker: Worker
  readonly #flag = new Int32Array(new SharedArrayBuffer(4))
  readonly #channel = new MessageChannel()

  constructor(config: SimulatorConfigInput) {
    const { port1, port2 } = this.#channel
    port1.unref()
    this.#worker = new Worker(new URL('./exchange-thread.ts', import.meta.url), {
      workerData: { config, flag: this.#flag, port: port2 },
      transferList: [port2],
    })
    this.#worker.unref()
  }

  /** Answers a request that comes at `now`, ms UTC. */
  handle(request: ExchangeRequest, now: number, hasArrived = false): ExchangeResponse {
    const told = this.#ask({ type: 'request', request, now, hasArrived })
    if (told.type === 'answer') return told.response
    throw new Error(`The exchange answered a request with ${told.type}.`)
  }

  /** Bytes of the exchange's heap; needs --expose-gc. */
  heapBytes(): number {
    const told = this.#ask({ type: 'weigh' })
    return told.type === 'weight' ? told.heapBytes : Number.NaN
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #ask(asked: Asked): Told {
    Atomics.store(this.#flag, 0, 0)
    this.#channel.port1.postMessage(asked)
    // The thread may still be about to wake whoever waited for the answer before.
    while (Atomics.load(this.#flag, 0) === 0)
      if (Atomics.wait(this.#flag, 0, 0, LONGEST_MS) === 'timed-out')
        throw new Error('The thread of the exchange does not answer.')
    const told = receiveMessageOnPort(this.#channel.port1)?.message as Told // what the thread says
    if (told.type === 'failure') throw new Error(`The exchange failed: ${told.message}`)
    return told
  }
}
