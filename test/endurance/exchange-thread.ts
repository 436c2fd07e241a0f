import { type MessagePort, workerData } from 'node:worker_threads'
import { createSimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import type { SimulatorConfigInput } from '../../src/simulator/simulator-config.ts'
import type { Asked, Told } from './distant-exchange.ts'
import { collect } from './weight.ts'

// What `DistantExchange` starts this thread with.
const { config, flag, port } = workerData as {
  readonly config: SimulatorConfigInput
  readonly flag: Int32Array
  readonly port: MessagePort
}
const exchange = createSimulatedExchange(config)

port.on('message', (asked: Asked) => {
  port.postMessage(answerTo(asked))
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
})

function answerTo(asked: Asked): Told {
  try {
    if (asked.type === 'request') {
      const { request, now, hasArrived } = asked
      return { type: 'answer', response: exchange.handle(request, now, hasArrived) }
    }
    collect()
    return { type: 'weight', heapBytes: process.memoryUsage().heapUsed }
  } catch (error) {
    return { type: 'failure', message: error instanceof Error ? String(error.stack) : String(error) }
  }
}
