/** The parts of JSON Schema that the schemas of configurations use. */
export interface JsonSchema {
  $schema?: string
  title?: string
  description?: string
  default?: unknown
  examples?: readonly unknown[]
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  minimum?: number
  maximum?: number
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  if?: JsonSchema
  then?: JsonSchema
  readOnly?: boolean
}

/** The schema itself, and all of its alternatives. */
export function variantsOf(schema: JsonSchema): readonly JsonSchema[] {
  return [schema, ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(variantsOf)]
}

/** Direct children of a schema, each with its step of a path: a key, `[]` for items, `*` for any key. */
export function childrenOf(schema: JsonSchema): readonly (readonly [step: string, child: JsonSchema])[] {
  return variantsOf(schema).flatMap(({ properties = {}, items, additionalProperties }) => [
    ...Object.entries(properties),
    ...(items === undefined ? [] : [['[]', items] as const]),
    ...(typeof additionalProperties === 'object' ? [['*', additionalProperties] as const] : []),
  ])
}
