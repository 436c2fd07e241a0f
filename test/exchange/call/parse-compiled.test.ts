import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { parseCompiled } from '../../../src/exchange/call/parse-compiled.ts'
import type { Endpoint } from '../../../src/exchange/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../../src/exchange/endpoints.ts'

const rows: readonly Endpoint[] = Object.values(ENDPOINTS)
const schemas = rows.flatMap(({ key, request, response }) => [
  [`the parameters of ${key}`, request] as const,
  [`the answer to ${key}`, response] as const,
])

/** Names and values of the wire, right and wrong. */
const name = fc.constantFrom(
  ...new Set(rows.flatMap(({ request }) => Object.keys(request.shape))),
  ...[
    'orderId',
    'orderIdString',
    'status',
    'origQty',
    'executedQty',
    'time',
    'list',
    'data',
    'balances',
    'bids',
    'asks',
  ],
)
const value = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('BTC/USDT', 'E-BTC-USDT', 'BUY', 'SELL', 'LIMIT', 'MARKET', 'STOP', 'NEW', '', 'x'),
    fc.constantFrom(
      '0',
      '1',
      '-1',
      '1.5',
      '0E-16',
      '165964665990709251',
      '1588591856950',
      1,
      2,
      -1,
      1.5,
      Number.NaN,
    ),
    fc.constantFrom(null, undefined, true, false),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 8, noNullPrototype: true }),
  ),
})).value

/** What comes out, or what is found wrong and where. */
function outcome({ success, data, error }: z.ZodSafeParseResult<unknown>): unknown {
  return success ? { data } : { issues: error?.issues.map(({ path, message }) => ({ path, message })) }
}

describe('parseCompiled', () => {
  it.each(schemas)('reads %s as its schema does, and finds the same wrong', (_name, schema) => {
    fc.assert(
      fc.property(value, candidate => {
        expect(outcome(parseCompiled(schema, candidate))).toEqual(outcome(schema.safeParse(candidate)))
      }),
      { numRuns: 100 },
    )
  })
})
