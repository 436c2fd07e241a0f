import { z } from 'zod'
import { suggestion } from '../domain/nearest-name.ts'

/** A part of the configuration with exactly these keys; an unknown one is answered with the nearest that exists. */
export function settings<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape)
  return z.strictObject(shape, {
    error: issue =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map(key => `The key "${key}" is unknown.${suggestion(key, known)}`).join('\n')
        : `a section with the keys ${known.join(', ')}`,
  })
}

/** A whole number from `min` to `max`. */
export function whole(min: number, max = Number.MAX_SAFE_INTEGER) {
  const error =
    max === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${min}`
      : `a whole number from ${min} to ${max}`
  return z.int({ error }).min(min, { error }).max(max, { error })
}

/** A number above 0, and at most `max` if given. */
export function positive(max = Number.MAX_VALUE) {
  const error = max === Number.MAX_VALUE ? 'a number above 0' : `a number above 0 and of at most ${max}`
  return z.number({ error }).positive({ error }).max(max, { error })
}

/** Text that `construct` accepts, written as a number or as text; `expected` describes it ("an amount"). */
export function exactly<Value>(expected: string, construct: (text: string) => Value) {
  return z.union([z.string(), z.number()], { error: expected }).transform((written, context): Value => {
    try {
      return construct(String(written))
    } catch {
      context.addIssue({ code: 'custom', message: expected })
      return z.NEVER
    }
  })
}
