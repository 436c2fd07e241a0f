import type { Command, Option } from 'commander'
import { UsageError } from '../domain/sluice-error.ts'

/** Environment variables by name. */
type Environment = Readonly<Record<string, string | undefined>>

/** npm settings that options of Sluice become if npm reads them as its own short forms. */
const SHORT_FORMS: Readonly<Record<string, readonly string[]>> = {
  plan: ['all', 'long', 'parseable'],
  to: ['token_description'],
}

/**
 * Throws `UsageError` with the form of the right command line if npm took options of the command: without `--`
 * before them, npm reads them as its own settings and passes on only their values, and the command would run
 * without them.
 */
export function requireNothingSwallowed(
  program: Command,
  args: readonly string[],
  environment: Environment,
): void {
  const script = environment.npm_lifecycle_event
  if (script === undefined || !environment.npm_lifecycle_script?.endsWith(`main.js ${args[0]}`)) return
  const { command, names } = intendedCommand(program, args)
  const swallowed = command.options.filter(option => isSwallowed(option, environment, args))
  if (swallowed.length === 0) return
  const start = script === 'start' ? 'npm start --' : `npm run ${script} --`
  const words = [...names.slice(1), ...swallowed.map(({ flags }) => flags)].join(' ')
  throw new UsageError(
    `npm kept ${swallowed.map(({ long }) => long).join(' and ')} for itself, because no -- stands before the options; type them after it:\n  ${start} ${words}`,
  )
}

/** The intended command with its names; values of lost options may stand between these. */
function intendedCommand(program: Command, args: readonly string[]) {
  return args.reduce<{ command: Command; names: readonly string[] }>(
    ({ command, names }, arg) => {
      const inner = command.commands.find(candidate => candidate.name() === arg)
      return inner === undefined ? { command, names } : { command: inner, names: [...names, arg] }
    },
    { command: program, names: [] },
  )
}

function isSwallowed({ long }: Option, environment: Environment, args: readonly string[]): boolean {
  if (args.some(word => word === long || word.startsWith(`${long}=`))) return false
  const name = long?.slice(2) ?? ''
  const settings = SHORT_FORMS[name] ?? [name.replaceAll('-', '_')]
  return settings.every(setting => environment[`npm_config_${setting}`] !== undefined)
}
