import { childrenOf, type JsonSchema } from './json-schema.ts'

/** A line of YAML. Only a schema can tell a commented-out key from a sentence. */
interface Line {
  /** Column of its content, also in a comment. */
  readonly indent: number
  readonly key: string | undefined
  /** Text of a comment that is not a list entry. */
  readonly prose: string
  /** Comment after its value. */
  readonly behind: string
}

interface Place {
  readonly indent: number
  readonly path: string
  readonly schemas: readonly JsonSchema[]
}

/**
 * Comments of a YAML file on its keys, by path (`strategies.[].size`): the lines right above a key, or after
 * its value. Commented-out keys count too, if the schema has them there.
 */
export function keyComments(yaml: string, schema: JsonSchema): ReadonlyMap<string, string> {
  const comments = new Map<string, string>()
  let places: Place[] = [{ indent: -1, path: '', schemas: [schema] }]
  let above: string[] = []
  for (const line of yaml.split('\n').map(lineOf)) {
    const parents = places.filter(({ indent }) => indent < line.indent)
    const place = line.key === undefined ? undefined : placeOf(line.key, line.indent, parents.at(-1))
    if (place === undefined) {
      above = line.prose === '' ? [] : [...above, line.prose]
      continue
    }
    const said = [...above, line.behind].join(' ').trim()
    if (said !== '' && !comments.has(place.path)) comments.set(place.path, said)
    places = [...parents, place]
    above = []
  }
  return comments
}

function lineOf(text: string): Line {
  const [, space = '', hash = '', dash = '', content = ''] = /^(\s*)(#\s*)?(- )?(.*)$/.exec(text) ?? []
  const isComment = hash !== ''
  const indent = space.length + Math.max(0, hash.length - 2) + dash.length
  const [, key, after = ''] = /^([\w/]+):(?:\s+(.*))?$/.exec(content) ?? []
  const behind = key === undefined ? '' : (/(?:^|\s)#\s+(.*)$/.exec(after)?.[1] ?? '')
  // A commented-out list entry is not a sentence.
  const isProse = isComment && dash === ''
  return { indent, key, prose: isProse ? content.replace(/^#\s*/, '') : '', behind }
}

function placeOf(key: string, indent: number, parent: Place | undefined): Place | undefined {
  if (parent === undefined) return undefined
  const own = below(parent, key)
  if (own !== undefined) return { indent, ...own }
  for (const step of ['[]', '*']) {
    const inner = below(parent, step)
    const found = inner && (step === '*' ? sectionsIn(inner) : below(inner, key))
    if (found !== undefined) return { indent, ...found }
  }
  return undefined
}

/**
 * Only sections have children; otherwise every word before a colon under a plain value would become a key.
 */
function sectionsIn(place: Pick<Place, 'path' | 'schemas'>): Pick<Place, 'path' | 'schemas'> | undefined {
  return place.schemas.some(({ properties }) => properties !== undefined) ? place : undefined
}

function below({ path, schemas }: Pick<Place, 'path' | 'schemas'>, step: string) {
  const found = schemas.flatMap(childrenOf).filter(([name]) => name === step)
  if (found.length === 0) return undefined
  return { path: path === '' ? step : `${path}.${step}`, schemas: found.map(([, child]) => child) }
}
