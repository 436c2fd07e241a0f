import { z } from 'zod'
import { baseUrlOf } from '../exchange/http/base-url.ts'
import { text } from './fields.ts'

const VARIABLE = 'the name of an environment variable, in capitals, such as SLUICE_API_KEY'

/** The name of an environment variable. Only capitals: a secret that was pasted here is refused rather than printed. */
export const variableField = z
  .string({ error: VARIABLE })
  .regex(/^[A-Z_][A-Z0-9_]{0,63}$/, { error: VARIABLE })

/** The origin of an exchange and the prefix of its paths, by the rules of the exchange client. */
export const baseUrlField = text('the origin of an exchange, such as https://api.example.com').superRefine(
  (url, context) => {
    try {
      baseUrlOf(url)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      context.addIssue({ code: 'custom', message: `cannot be used. ${reason}`, params: { sentence: true } })
    }
  },
)
