import { z } from 'zod'

/** A moment of the exchange's time: absolute, or a while after its rule was set. */
export type Moment =
  | { readonly type: 'at'; readonly time: number }
  | { readonly type: 'after'; readonly ms: number }

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const EXPECTED = 'a time such as 2026-01-31T12:00:00Z or epoch ms, or a while such as +90s'

/** Reads a moment: `+90s` (ms, s, m, h, d) after the rule was set, ISO 8601 text with a zone, or epoch ms. */
export const moment = z
  .union([z.int(), z.string()], { error: EXPECTED })
  .transform((written, context): Moment => {
    const text = String(written)
    const [, count, unit = ''] = /^\+(\d{1,12})(ms|s|m|h|d)$/.exec(text) ?? []
    if (count !== undefined) return { type: 'after', ms: Number(count) * (UNIT_MS[unit] ?? 1) }
    const time = /^\d+$/.test(text) ? Number(text) : isoTime(text)
    if (Number.isSafeInteger(time)) return { type: 'at', time }
    context.addIssue({ code: 'custom', message: EXPECTED })
    return z.NEVER
  })

/** Text without a zone would mean another moment on another machine. */
function isoTime(text: string): number {
  return /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
}

/** When a moment is, ms UTC, for a rule that was set at `setAt`. */
export function timeOf(moment: Moment, setAt: number): number {
  return moment.type === 'at' ? moment.time : setAt + moment.ms
}
