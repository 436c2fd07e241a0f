import { z } from 'zod'
import { INTERVALS } from '../../domain/market-data/interval.ts'
import { suggestion } from '../../domain/nearest-name.ts'
import type { Host } from '../../exchange/endpoints/endpoint.ts'
import { ENDPOINTS, type EndpointKey } from '../../exchange/endpoints.ts'
import { DOCUMENT_PROFILE } from '../../exchange/profiles/document-profile.ts'
import { flag, oneOf, text } from '../fields.ts'
import { section } from '../section.ts'
import { baseUrlField } from '../venue-fields.ts'

const { spot, futures } = DOCUMENT_PROFILE

const apiVersion = oneOf('v1', 'v2', 'v3')
const sentences = z.array(text('a sentence'), { error: 'a list of sentences' }).default([])
const intervals = z.array(z.enum(INTERVALS), { error: 'a list of intervals such as [1h]' }).default([])
const headers = z.array(text('the name of a header'), { error: 'a list of headers' }).default([])

/** Key of a call of one host, with the nearest one in the refusal of an unknown key. */
function callField(host: Host) {
  const keys = Object.values(ENDPOINTS)
    .filter(endpoint => endpoint.host === host)
    .map(({ key }) => key)
  const isCall = (name: string): name is EndpointKey => keys.includes(name)
  const expected = (name: unknown) => `a call of the ${host} host.${suggestion(String(name), keys)}`
  return z.string({ error: `a call of the ${host} host` }).refine(isCall, {
    error: ({ input }) => `is ${JSON.stringify(input)}, but must be ${expected(input)}`,
    params: { sentence: true },
  }) as z.ZodType<EndpointKey, string> // the predicate proves it, but `refine` keeps the type
}

function hostFields(host: Host) {
  const call = callField(host)
  return {
    url: baseUrlField.optional(),
    signsPrefix: flag().default(true),
    version: apiVersion.optional(),
    signedVersion: apiVersion.optional(),
    versions: z
      .record(z.string(), apiVersion, { error: 'a section of versions by call' })
      .superRefine((versions, context) => {
        for (const key of Object.keys(versions)) {
          const [issue] = call.safeParse(key).error?.issues ?? []
          if (issue !== undefined)
            context.addIssue({
              code: 'custom',
              path: [key],
              message: issue.message,
              params: { sentence: true },
            })
        }
      })
      .default({}),
    lacks: z.array(call, { error: 'a list of calls' }).default([]),
    lacksKlines: intervals,
    omitsHeaders: headers,
  }
}

const orderTypes = z.array(oneOf('LIMIT', 'MARKET', 'IOC', 'FOK', 'POST_ONLY', 'STOP'), {
  error: 'a list of order types',
})

/** Content of a file in config/profiles; what is left out is as in the interface document. */
export const profileSchema = section({
  exchange: text('the name of an exchange'),
  date: z
    .string({ error: 'a month such as 2026-11' })
    .regex(/^\d{4}-\d\d$/, { error: 'a month such as 2026-11' }),
  source: text('the origin of the findings'),
  known: sentences,
  unknown: sentences,
  spot: section({
    ...hostFields('spot'),
    orderTypes: orderTypes.default([...spot.orderTypes]),
  }).prefault({}),
  futures: section({
    ...hostFields('futures'),
    orderTypes: orderTypes.default([...futures.orderTypes]),
    orderUnits: z
      .array(oneOf('contracts', 'base', 'quote'), { error: 'a list of units' })
      .default([...futures.orderUnits]),
    marketOrderUnit: section({
      open: oneOf('contracts', 'quote', 'unknown').default(futures.marketOrderUnit.open),
      close: oneOf('contracts', 'unknown').default(futures.marketOrderUnit.close),
    }).prefault({}),
  }).prefault({}),
})
