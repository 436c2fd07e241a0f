import { readAnswer } from '../../../src/exchange/call/answer.ts'
import { ENDPOINTS } from '../../../src/exchange/endpoints.ts'
import { inTurns } from './in-turns.ts'

const LEVELS = 100
const [MEASURED, ROUNDS] = [4000, 9]

const side = (sign: number) =>
  Array.from({ length: LEVELS }, (_, index) => [
    (30_000 + sign * (index + 1) * 0.01).toFixed(2),
    (0.12345 + index * 0.01).toFixed(5),
  ])

const BODY = JSON.stringify({ bids: side(-1), asks: side(1), time: 1_588_591_856_950 })

const parse = {
  sluice: () => readAnswer(ENDPOINTS.spotDepth, { status: 200, body: BODY }, text => text),
  bare: () => JSON.parse(BODY),
}

async function speed(who: 'sluice' | 'bare'): Promise<number> {
  const startedAt = performance.now()
  for (let depth = 0; depth < MEASURED; depth++) parse[who]()
  return MEASURED / ((performance.now() - startedAt) / 1000)
}

// A process of its own, started by depth-parsing.ts.
console.log(JSON.stringify(await inTurns(ROUNDS, speed)))
