import { readFileSync, statSync } from 'node:fs'
import { type Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml'
import { Decimal } from '../domain/numbers/decimal.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { type Problem, yamlMistake } from './yaml-mistakes.ts'

/** Keys and list indices from the top of a file down to a value. */
export type ValuePath = readonly PropertyKey[]

/** Content of a YAML file, with the positions of its values. */
export interface YamlFile {
  /** Plain data, `{}` for an empty file. A key without a value is `undefined`; a number with more digits than a double holds is its text. */
  readonly value: unknown
  /** Offset of a value; of the nearest section around it, where it is absent. */
  offsetOf(path: ValuePath): number
  offsetOfKey(path: ValuePath): number
  /** One error for all problems in order of their place, a line each: `file:line:column: sentence`. */
  errorFor(problems: readonly Problem[]): UsageError
}

/** Bytes of a configuration file; the longest real ones have some thousand. */
const MOST_BYTES = 4 * 1024 ** 2

/** Reads a YAML file; throws `UsageError` for one that is missing, too large, or not YAML. */
export function readYamlFile(path: string): YamlFile {
  const lines = new LineCounter()
  const text = textOf(path)
  const document = documentOf(path, text, lines)
  const errorFor = (problems: readonly Problem[]): UsageError => {
    const sorted = problems.toSorted((left, right) => left.offset - right.offset)
    const places = sorted.map(({ offset }) => lines.linePos(offset))
    return new UsageError(
      sorted
        .map(({ sentence }, index) => `${path}:${places[index]?.line}:${places[index]?.col}: ${sentence}`)
        .join('\n'),
    )
  }
  const [error] = document.errors
  if (error !== undefined) throw errorFor([yamlMistake(text, error)])
  visit(document, { Scalar: (_, node) => keepExact(node) })
  return {
    value: dataOf(document, errorFor) ?? {},
    offsetOf: valuePath => startOf(nearestNode(document, valuePath)),
    offsetOfKey: valuePath => startOf(keyNode(document, valuePath) ?? nearestNode(document, valuePath)),
    errorFor,
  }
}

function documentOf(path: string, text: string, lines: LineCounter): Document {
  try {
    return parseDocument(text, { lineCounter: lines, prettyErrors: false })
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new UsageError(
      `The configuration file ${path} is nested too deeply; write it in few levels.`,
      cause,
    )
  }
}

/** The library refuses aliases that would make thousands of values of a few lines. */
function dataOf(document: Document, errorFor: YamlFile['errorFor']): unknown {
  try {
    return document.toJS()
  } catch (cause) {
    if (!(cause instanceof ReferenceError) && !(cause instanceof RangeError)) throw cause
    const sentence = 'There are too many aliases (*name) of aliases; write the values out.'
    throw errorFor([{ offset: startOf(firstAlias(document)), sentence }])
  }
}

function firstAlias(document: Document): Node | undefined {
  let first: Node | undefined
  visit(document, {
    Alias: (_, alias) => {
      first = alias
      return visit.BREAK
    },
  })
  return first
}

function textOf(path: string): string {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > MOST_BYTES) {
    throw new UsageError(
      `The configuration file ${path} has ${size} bytes, but at most ${MOST_BYTES} are read; is it a configuration?`,
    )
  }
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    throw new UsageError(
      `The configuration file ${path} ${missing ? 'does not exist' : 'cannot be read'}; give the path of a YAML file.`,
      cause,
    )
  }
}

function keepExact(node: { value: unknown; source?: string }): void {
  if (node.value === null) node.value = undefined
  const { value, source } = node
  if (typeof value !== 'number' || source === undefined || !/^[-+]?[\d.]+(e[-+]?\d+)?$/i.test(source)) return
  if (!new Decimal(value).equals(new Decimal(source))) node.value = source
}

function nearestNode(document: Document, path: ValuePath): Node | undefined {
  for (let depth = path.length; depth >= 0; depth--) {
    const node = document.getIn(path.slice(0, depth), true)
    if (isNode(node) && !(isScalar(node) && node.value === undefined && depth === path.length)) return node
  }
  return undefined
}

function keyNode(document: Document, path: ValuePath): Node | undefined {
  const parent = document.getIn(path.slice(0, -1), true)
  if (!isMap(parent)) return undefined
  const key = parent.items.find(pair => isScalar(pair.key) && pair.key.value === path.at(-1))?.key
  return isNode(key) ? key : undefined
}

function startOf(node: Node | undefined): number {
  return node?.range?.[0] ?? 0
}
