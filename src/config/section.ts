import { z } from 'zod'
import { suggestion } from '../domain/nearest-name.ts'

const SECRET_NAME = /secret|password|passphrase|token|(api|private)[-_]?key/i

/**
 * A part of a configuration file that has exactly these keys; an unknown one is answered with the nearest that exists, and
 * one of `removed`, which earlier versions knew, with its sentence.
 */
export function section<Shape extends z.ZodRawShape>(
  shape: Shape,
  removed: Readonly<Record<string, string>> = {},
) {
  return z
    .strictObject(shape, {
      error: issue =>
        issue.code === 'unrecognized_keys'
          ? issue.keys.map(key => removed[key] ?? unknownKey(key, Object.keys(shape))).join('\n')
          : `a section with the keys ${Object.keys(shape).join(', ')}`,
    })
    .readonly()
}

function unknownKey(key: string, known: readonly string[]): string {
  if (SECRET_NAME.test(key)) {
    return `"${key}" does not belong here: secrets never go into a file; put them into the environment, and name the variables in apiKeyEnv and apiSecretEnv.`
  }
  const begun = /^(\w+):./.exec(key)?.[1]
  if (begun !== undefined && known.includes(begun)) return `A space is missing after the colon of "${begun}".`
  return `The key "${key}" is unknown.${suggestion(key, known)}`
}
