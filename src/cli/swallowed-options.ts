import type { Argument, Command, Option } from 'commander'
import { UsageError } from '../domain/sluice-error.ts'

/** Environment variables by name. */
type Environment = Readonly<Record<string, string | undefined>>

/** npm settings that options of Sluice become if npm reads them as its own short forms. */
const SHORT_FORMS: Readonly<Record<string, readonly string[]>> = {
  plan: ['all', 'long', 'parseable'],
  to: ['token_description'],
}

/** An option that npm took, with its value if npm kept that too. */
interface Swallowed {
  readonly option: Option
  readonly value?: string
}

/**
 * Throws `UsageError` with the right command line if npm took options of the command: without `--` before
 * them, npm reads them as its own settings and passes on only their values, and the command would run without
 * them.
 */
export function requireNothingSwallowed(
  program: Command,
  args: readonly string[],
  environment: Environment,
): void {
  const script = environment.npm_lifecycle_event
  if (script === undefined || !environment.npm_lifecycle_script?.endsWith(`main.js ${args[0]}`)) return
  const { command, names, rest } = commandOf(program, args)
  const swallowed = command.options.flatMap(option => swallowedBy(option, environment, rest))
  if (swallowed.length === 0) return
  const start = script === 'start' ? 'npm start --' : `npm run ${script} --`
  const words = [...names.slice(1), ...lineOf(swallowed, command, rest)]
  const flags = [...new Set(swallowed.map(({ option }) => option.long))].join(' and ')
  throw new UsageError(
    `npm kept ${flags} for itself, because no -- stands before the options; type:\n  ${start} ${words.join(' ')}`,
  )
}

/** The intended command, although values of lost options may stand between its names. */
function commandOf(program: Command, args: readonly string[]) {
  let command = program
  const names: string[] = []
  const rest: string[] = []
  for (const arg of args) {
    const inner = command.commands.find(candidate => candidate.name() === arg)
    if (inner === undefined) rest.push(arg)
    else {
      command = inner
      names.push(arg)
    }
  }
  return { command, names, rest }
}

function swallowedBy(option: Option, environment: Environment, rest: readonly string[]): Swallowed[] {
  const long = option.long?.slice(2) ?? ''
  if (rest.some(word => word === option.long || word.startsWith(`${option.long}=`))) return []
  const settings = SHORT_FORMS[long] ?? [long.replaceAll('-', '_')]
  const values = settings.map(name => environment[`npm_config_${name}`])
  const value = values[0]
  if (value === undefined || values.includes(undefined)) return []
  // npm joins all values of a repeated option in one variable.
  return value
    .split('\n\n')
    .map(each =>
      each === 'true' || each === '' || !takesValue(option) ? { option } : { option, value: each },
    )
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional
}

/** Words of the intended command line; with `<placeholders>` if it is ambiguous. */
function lineOf(swallowed: readonly Swallowed[], command: Command, rest: readonly string[]): string[] {
  const lines = linesOf(swallowed, command.registeredArguments, rest)
  const [line] = lines
  // Values of a repeated option may change places; the first solution has them in the typed order.
  if (line !== undefined && new Set(lines.map(each => each.toSorted().join(' '))).size === 1) return line
  const given = rest.length > swallowed.length ? ['…'] : []
  return [
    ...given,
    ...swallowed.map(({ option, value }) => withValue(option, value ?? placeholderOf(option))),
  ]
}

/**
 * All ways to assign the words that npm left to the options, and the others to the arguments of the command.
 */
function linesOf(
  [first, ...others]: readonly Swallowed[],
  taken: readonly Argument[],
  rest: readonly string[],
  options: readonly string[] = [],
): string[][] {
  if (first === undefined) return fitsArguments(rest, taken) ? [[...rest.map(quoted), ...options]] : []
  const { option, value } = first
  const isOpen = value === undefined && takesValue(option)
  const choices = rest.map((word, index) => ({ word, left: rest.toSpliced(index, 1) }))
  return [
    ...(isOpen && option.required ? [] : [{ word: value, left: rest }]),
    ...(isOpen ? choices.filter(({ word }) => fits(word, option.long?.slice(2) ?? '', option)) : []),
  ].flatMap(({ word, left }) =>
    linesOf(others, taken, left, [...options, withValue(option, word && quoted(word))]),
  )
}

/** An option with its value, such as `--seed 3`. */
function withValue({ long }: Option, value = ''): string {
  return `${long} ${value}`.trimEnd()
}

function placeholderOf({ flags, required }: Option): string {
  return required ? `<${meaningOf(flags)}>` : ''
}

function fitsArguments(words: readonly string[], taken: readonly Argument[]): boolean {
  const last = taken.at(-1)
  const fewest = taken.filter(({ required }) => required).length
  if (words.length < fewest || (words.length > taken.length && last?.variadic !== true)) return false
  return words.every((word, index) => {
    const argument = taken[index] ?? last
    return argument !== undefined && fits(word, argument.name(), argument)
  })
}

/** Forms of values, by the name of an option or argument, or else by the word in its brackets. */
const FORMS: Readonly<Record<string, RegExp>> = {
  config: /\.ya?ml$/,
  csv: /^[^=]*$/,
  duration: /^\d+(ms|[smhd])$/,
  factor: /^[\d.]+$/,
  file: /^[^=]+\.(?!ya?ml$|[jt]s$)\w+$/,
  files: /\./,
  html: /\.html$/,
  interval: /^\d+[mhdwM]$/,
  journal: /\.(?!ya?ml$)\w+$/,
  json: /\.json$|^-$/,
  moments: /^\d+$/,
  name: /^[\w-]+$/,
  'name=file': /^\w+=.*\./,
  'name=value': /^\w+=[^/]*$/,
  number: /^\d+$/,
  price: /^[\d.]+$/,
  rate: /^[\d.]+$/,
  'role=symbol': /^\w+=[A-Z0-9]+[/-]/,
  strategy: /\.[jt]s$/,
  symbol: /^([A-Z0-9]+\/[A-Z0-9]+|E-[A-Z0-9]+-[A-Z0-9]+)(,|$)/,
  time: /^\d{4}/,
  url: /^https?:/,
}

function fits(word: string, name: string, { argChoices, ...value }: Option | Argument): boolean {
  if (argChoices !== undefined) return argChoices.includes(word)
  const meaning = 'flags' in value ? meaningOf(value.flags) : name
  return (FORMS[name] ?? FORMS[meaning] ?? /./).test(word)
}

/** Value name of an option, such as `file` in `--config <file>`. */
function meaningOf(flags: string): string {
  return /[<[]([^>\].]+)/.exec(flags)?.[1] ?? ''
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
