import { z } from 'zod'
import { childrenOf, type JsonSchema, variantsOf } from './json-schema.ts'
import { keyComments } from './key-comments.ts'

/** A configuration, with the file that explains its keys. */
export interface DescribedConfig {
  readonly title: string
  readonly schema: z.ZodType
  /** Text of a YAML file whose comments explain the keys. */
  readonly explained: string
}

/** JSON Schema of a configuration as it is written, with descriptions of the explained keys. */
export function configSchema({ title, schema, explained }: DescribedConfig): JsonSchema {
  const emitted = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const expected = expectationOf(zodSchema)
      if (expected !== undefined) jsonSchema.description ??= expected
    },
  })
  const json = emitted as JsonSchema // our schemas use only these keywords
  splitByKeySets(json)
  describe(json, keyComments(explained, json))
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...json }
}

/** Alternative sets of keys of a section, from its `meta`: the first key of each is required. */
interface KeySets {
  keySets: readonly (readonly [required: string, ...optional: readonly string[]])[]
}

/** Replaces every section with sets of keys by a choice of sections, one per set. */
function splitByKeySets(schema: JsonSchema & Partial<KeySets>): void {
  for (const [, child] of childrenOf(schema)) splitByKeySets(child)
  const { keySets, properties = {} } = schema
  if (keySets === undefined) return
  for (const key of ['keySets', 'type', 'properties', 'required', 'additionalProperties'] as const)
    delete schema[key]
  schema.oneOf = keySets.map(keys => ({
    type: 'object',
    properties: Object.fromEntries(keys.map(key => [key, properties[key] ?? {}])),
    required: [keys[0]],
    additionalProperties: false,
  }))
}

/**
 * Expected value in words, if the type alone does not describe it: the error message of each of our fields.
 */
function expectationOf(schema: z.core.$ZodType): string | undefined {
  const { def } = schema._zod
  const isText = def.type === 'union' || def.type === 'string'
  const message = isText ? def.error?.({ code: 'custom', input: undefined } as never) : undefined // our messages do not depend on the input
  const text = typeof message === 'string' ? message : message?.message
  return text === undefined ? undefined : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** True if a number may be written as text to keep it exact; its bounds are then in words only. */
function isExact({ type, description }: JsonSchema): boolean {
  return (
    description !== undefined && Array.isArray(type) && type.includes('number') && type.includes('string')
  )
}

/** Adds the comments to a schema, and removes information that is useless for authors of a file. */
function describe(schema: JsonSchema, comments: ReadonlyMap<string, string>, path = ''): void {
  for (const variant of variantsOf(schema)) {
    delete variant.readOnly
    // These are bounds of the number format, not of the field.
    if (variant.maximum === Number.MAX_SAFE_INTEGER || variant.maximum === Number.MAX_VALUE)
      delete variant.maximum
  }
  const comment = comments.get(path)
  if (comment !== undefined)
    schema.description = isExact(schema) ? `${comment}\n${schema.description}` : comment
  for (const { properties = {}, required = [] } of variantsOf(schema)) {
    for (const [key, property] of Object.entries(properties)) {
      // A key without a value counts as missing.
      const { type } = property
      if ((type === 'object' || type === 'array') && !required.includes(key)) property.type = [type, 'null']
    }
  }
  for (const [step, child] of childrenOf(schema))
    describe(child, comments, path === '' ? step : `${path}.${step}`)
}
