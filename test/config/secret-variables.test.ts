import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { SECRET_VARIABLES } from '../../src/config/secret-variables.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** Keys of a schema that name environment variables, with their defaults. */
function variableKeys(schema: unknown): readonly (readonly [string, unknown])[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(value?.pattern?.startsWith('^[A-Z_]') ? [[key, value.default] as const] : []),
    ...variableKeys(value),
  ])
}

it('every key of a bot that names a variable ends with Env, and its default is taken out of every process that loads strategies', () => {
  const keys = variableKeys(JSON.parse(readFileSync(join(ROOT, 'config/schema/bot.json'), 'utf8')))
  expect(keys.length).toBeGreaterThan(8)
  expect(keys.map(([key]) => key).filter(key => !key.endsWith('Env'))).toEqual([])
  const defaults = keys.flatMap(([, name]) => (name === undefined ? [] : [name]))
  expect(Object.values(SECRET_VARIABLES)).toEqual(expect.arrayContaining(defaults))
})
