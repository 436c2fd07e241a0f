import { z } from 'zod'

const COMPILED = new WeakMap<z.ZodType, z.ZodType>()

/**
 * Reads a value as `schema.safeParse` does, but by code that is generated for the schema, several times as fast. What that
 * code does not take goes through the schema itself, which then says what is wrong, so that both accept and give the
 * same. Generating takes a millisecond or two and therefore waits until the schema is first used.
 */
export function parseCompiled<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  const compiled = COMPILED.get(schema) ?? compile(schema)
  // What was compiled gives what its schema gives, but the map forgets which schema that was.
  return compiled.safeParse(value) as z.ZodSafeParseResult<z.output<Schema>>
}

function compile(schema: z.ZodType): z.ZodType {
  const compiled = z.compile(schema)
  COMPILED.set(schema, compiled)
  return compiled
}
