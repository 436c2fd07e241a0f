import { z } from 'zod'
import { suggestion } from '../domain/nearest-name.ts'

const SECRET_NAME = /secret|password|passphrase|token|(api|private)[-_]?key/i

/**
 * A part of a configuration file that has exactly these keys; an unknown one is answered with the nearest that exists, and
 * one of `removed`, which earlier versions knew, with its sentence. `expected` describes the section, where its
 * keys alone would mislead.
 */
export function section<Shape extends z.ZodRawShape>(
  shape: Shape,
  removed: Readonly<Record<string, string>> = {},
  expected = `a section with the keys ${Object.keys(shape).join(', ')}`,
) {
  return z
    .strictObject(shape, {
      error: issue =>
        issue.code === 'unrecognized_keys'
          ? issue.keys.map(key => removed[key] ?? unknownKey(key, shape)).join('\n')
          : expected,
    })
    .readonly()
}

function unknownKey(key: string, shape: z.ZodRawShape): string {
  const known = Object.keys(shape)
  if (SECRET_NAME.test(key)) {
    return `"${key}" does not belong here: secrets never go into a file; put them into the environment, and name the variables in apiKeyEnv and apiSecretEnv.`
  }
  const begun = /^(\w+):./.exec(key)?.[1]
  if (begun !== undefined && known.includes(begun)) return `A space is missing after the colon of "${begun}".`
  const home = known.find(name => keysOf(shape[name]).includes(key))
  if (home !== undefined) return `The key "${key}" is unknown here; it belongs in ${home}: ${home}.${key}.`
  return `The key "${key}" is unknown.${suggestion(key, known)}`
}

/** Keys of a section, whether it is optional or has defaults; none for other fields. */
function keysOf(field: unknown): readonly string[] {
  if (field instanceof z.ZodObject) return Object.keys(field.shape)
  if (field instanceof z.ZodPipe) return keysOf(field.def.in)
  const isWrapped =
    field instanceof z.ZodOptional ||
    field instanceof z.ZodDefault ||
    field instanceof z.ZodPrefault ||
    field instanceof z.ZodReadonly
  return isWrapped ? keysOf(field.def.innerType) : []
}
