import type { YAMLParseError } from 'yaml'

/** A line that begins with a key. */
interface KeyLine {
  /** From 0 on. */
  readonly index: number
  readonly key: string
  /** Spaces, and dashes of lists, before the key. */
  readonly indent: number
}

type LineProblem = (index: number, sentence: string) => Problem

/** A problem in a file. */
export interface Problem {
  /** Position, as an offset of `YamlFile`. */
  readonly offset: number
  /** A whole sentence. */
  readonly sentence: string
}

/** The mistake behind the first error of a file that is not YAML; the errors after it mostly follow from it. */
export function yamlMistake(
  text: string,
  error: Readonly<Pick<YAMLParseError, 'pos' | 'code' | 'message'>>,
): Problem {
  const [offset] = error.pos
  const lines = text.split('\n')
  const index = text.slice(0, offset).split('\n').length - 1
  const at: LineProblem = (line, sentence) => {
    const begin = lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0)
    return { offset: begin + indentOf(lines[line] ?? ''), sentence }
  }
  if (error.code === 'TAB_AS_INDENT') return at(index, 'The line is indented by a tab; indent it by spaces.')
  if (error.code === 'DUPLICATE_KEY') {
    return {
      offset,
      sentence: `The key "${/^[\w./-]*/.exec(text.slice(offset))}" is given twice; remove one.`,
    }
  }
  return (
    unspaced(lines, index, at) ??
    unclosed(lines, index, error.message, at) ??
    misplaced(lines, index, error, at) ?? { offset, sentence: `This is not valid YAML: ${error.message}.` }
  )
}

/** Finds `file:a.ts`, which YAML reads as text of several lines, and `-file: a.ts`. */
function unspaced(lines: readonly string[], index: number, at: LineProblem): Problem | undefined {
  const line = lines[index] ?? ''
  const key = /^ *(?:- +)*([A-Za-z]\w*):[^\s/]/.exec(line)?.[1]
  if (key !== undefined) return at(index, `A space is missing after the colon of "${key}".`)
  const item = /^ *-([A-Za-z]\w*)/.exec(line)?.[1]
  return item === undefined ? undefined : at(index, `A space is missing between the dash and "${item}".`)
}

function unclosed(
  lines: readonly string[],
  index: number,
  message: string,
  at: LineProblem,
): Problem | undefined {
  const closing = /^Flow .* end with a ([}\]])$/.exec(message)?.[1]
  if (closing === undefined) return undefined
  const opening = closing === '}' ? '{' : '['
  const open = lines
    .slice(0, index + 1)
    .findLastIndex(line => line.split(opening).length > line.split(closing).length)
  return open < 0 ? undefined : at(open, `The ${opening} in this line is not closed by a ${closing}.`)
}

function misplaced(
  lines: readonly string[],
  index: number,
  { code, message }: Pick<YAMLParseError, 'code' | 'message'>,
  at: LineProblem,
): Problem | undefined {
  const keys = lines.map(keyLineOf).filter(line => line !== undefined)
  // For a line indented too deeply, the error is in the line above, whose value would continue in it.
  if (code === 'BLOCK_AS_IMPLICIT_KEY' || code === 'MULTILINE_IMPLICIT_KEY') {
    const above = keys.find(line => line.index === index)
    const next = keys.find(line => line.index > index)
    if (above === undefined || next === undefined || next.indent <= above.indent) return undefined
    return at(
      next.index,
      `"${next.key}" is indented deeper than "${above.key}" above, which has a value already; ${alike(above)}`,
    )
  }
  if (!/start at the same column|without - indicator/.test(message)) return undefined
  // The error may begin at empty lines and comments before it.
  const own = keys.find(line => line.index >= index)
  const above = keys.findLast(line => line.index < index)
  if (own === undefined || above === undefined) return undefined
  return at(
    own.index,
    `"${own.key}" is indented less than "${above.key}" above, but belongs to no section there; ${alike(above)}`,
  )
}

function alike({ key, indent }: KeyLine): string {
  return `if it belongs beside "${key}", begin it in column ${indent + 1} too.`
}

function keyLineOf(line: string, index: number): KeyLine | undefined {
  const [, before, key] = /^( *(?:- +)*)([A-Za-z][\w./-]*):(?=\s|$)/.exec(line) ?? []
  return before === undefined || key === undefined ? undefined : { index, key, indent: before.length }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
