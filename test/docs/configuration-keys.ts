import { childrenOf, type JsonSchema, variantsOf } from '../../src/cli/schema/json-schema.ts'

/** A key of a configuration, with everything that its value may be. */
export interface ConfigurationKey {
  /** From the top of the file on, such as `strategies[].size`. */
  readonly path: string
  /** The schemas of its value: several where sections of different types have the key. */
  readonly schemas: readonly JsonSchema[]
  /** The `type` of the sections that have the key, where others do not. */
  readonly types: readonly string[]
  /** Whether a section that is there must have it. */
  readonly isRequired: boolean
  /** The key with the same keys below it, where these are listed. */
  readonly sameAs: string | undefined
}

/** Every key of a configuration in the order of its schema; keys below a section that is like a shorter one are left out. */
export function configurationKeys(schema: JsonSchema): readonly ConfigurationKey[] {
  const places = placesBelow([schema], '')
  const homes = new Map<string, string>()
  for (const { path, schemas } of places.toSorted((left, right) => left.path.length - right.path.length)) {
    const shape = shapeOf(schemas)
    if (shape !== undefined && !homes.has(shape)) homes.set(shape, path)
  }
  const keys = places.map(place => {
    const home = homes.get(shapeOf(place.schemas) ?? '')
    return { ...place, sameAs: home === place.path ? undefined : home }
  })
  const repeated = keys.filter(({ sameAs }) => sameAs !== undefined).map(({ path }) => path)
  return keys.filter(({ path }) => !repeated.some(section => isBelow(path, section)))
}

/** Whether a key is somewhere below a section. */
function isBelow(path: string, section: string): boolean {
  return path.startsWith(`${section}.`) || path.startsWith(`${section}[`)
}

type Place = Omit<ConfigurationKey, 'sameAs'>

function placesBelow(schemas: readonly JsonSchema[], path: string): readonly Place[] {
  const sections = schemas.flatMap(variantsOf).filter(({ properties }) => properties !== undefined)
  const found = new Map<string, { schemas: JsonSchema[]; types: string[]; isRequired: boolean }>()
  for (const section of sections) {
    for (const [key, child] of Object.entries(section.properties ?? {})) {
      const known = found.get(key) ?? { schemas: [], types: [], isRequired: false }
      found.set(key, known)
      known.isRequired ||= section.required?.includes(key) === true && sections.length === 1
      known.schemas.push(child)
      const type = Object.values(section.properties ?? {}).find(({ const: value }) => value !== undefined)
      if (type !== undefined) known.types.push(String(type.const))
    }
  }
  const below = (children: readonly JsonSchema[], inner: string) => placesBelow(children, inner)
  const own = [...found].flatMap(([key, known]) => {
    const inner = path === '' ? key : `${path}.${key}`
    const types = known.types.length === sections.length ? [] : known.types
    return [{ ...known, path: inner, types }, ...below(known.schemas, inner)]
  })
  const items = schemas.flatMap(childrenOf).filter(([step]) => step === '[]' || step === '*')
  const steps = [...new Set(items.map(([step]) => step))]
  return [
    ...own,
    ...steps.flatMap(step =>
      below(
        items.filter(([name]) => name === step).map(([, child]) => child),
        step === '[]' ? `${path}[]` : `${path}.*`,
      ),
    ),
  ]
}

/** The keys below a section and what they may be, as text; `undefined` for a plain value. */
function shapeOf(schemas: readonly JsonSchema[]): string | undefined {
  const below = placesBelow(schemas, '')
  if (below.length < 2) return undefined
  return JSON.stringify(below.map(({ path, schemas: inner }) => [path, inner.map(({ type }) => type)]))
}
