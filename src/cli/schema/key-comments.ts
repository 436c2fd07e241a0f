import { childrenOf, type JsonSchema } from './json-schema.ts'

/** A line of YAML. Whether a comment is a key that is commented out or a sentence, only a schema can tell. */
interface Line {
  /** Column of what it says, be it commented out. */
  readonly indent: number
  readonly key: string | undefined
  /** All of it, where it is a comment and no entry of a list. */
  readonly prose: string
  /** The comment behind its value. */
  readonly behind: string
}

interface Place {
  readonly indent: number
  readonly path: string
  readonly schemas: readonly JsonSchema[]
}

/**
 * What the comments of a YAML file say of its keys, by path (`strategies.[].size`): the lines right above a key, or behind it.
 * A key counts where it is commented out as well, as long as the schema has it there.
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
  // An entry of a list that is commented out is no sentence.
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

/** Sections may have any name; that of a plain value would make a key of every word with a colon behind it. */
function sectionsIn(place: Pick<Place, 'path' | 'schemas'>): Pick<Place, 'path' | 'schemas'> | undefined {
  return place.schemas.some(({ properties }) => properties !== undefined) ? place : undefined
}

function below({ path, schemas }: Pick<Place, 'path' | 'schemas'>, step: string) {
  const found = schemas.flatMap(childrenOf).filter(([name]) => name === step)
  if (found.length === 0) return undefined
  return { path: path === '' ? step : `${path}.${step}`, schemas: found.map(([, child]) => child) }
}
