import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { takeSecrets } from '../../config/secret-variables.ts'
import { nearestName } from '../../domain/nearest-name.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { guardedStrategy } from '../../sandbox/guarded-strategy.ts'
import { type ImportedStrategy, importStrategy } from '../../sandbox/import-strategy.ts'
import type { Strategy } from '../../strategy/define-strategy.ts'
import { strategyIn } from '../../strategy/strategy-module.ts'

const CODE_ENDING = /\.[cm]?[jt]s$/

/**
 * Imports the strategy in a file, relative to the current directory; rejects with a `UsageError` that names
 * file and, if known, line: for a file that is missing, cannot be imported or is not a strategy. `urlOf`
 * gives its import URL; Node imports every URL once. The strategy's code is denied the clock, randomness,
 * timers, the network, the process and modules of Node at all times. A package that it imports is not, so
 * secrets are taken out of the environment of the process first: who needs them reads them before.
 */
export async function loadStrategy(
  file: string,
  urlOf = (path: string) => pathToFileURL(path).href,
): Promise<Strategy> {
  const path = resolve(file)
  requireFile(path, file)
  takeSecrets(process.env)
  const { module, scope } = await imported(urlOf(path), file)
  return guardedStrategy(strategyIn(module, file), scope)
}

async function imported(url: string, file: string): Promise<ImportedStrategy> {
  try {
    return await importStrategy(url)
  } catch (cause) {
    // The strategy's own mistake, in a whole sentence.
    if (cause instanceof UsageError) throw new UsageError(`${file}: ${cause.message}`, cause)
    throw new UsageError(`The strategy file ${file} cannot be loaded: ${reasonOf(cause)}`, cause)
  }
}

function requireFile(path: string, file: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return
  const files = filesBeside(path)
  const stem = nearestName(stemOf(path), files.map(stemOf))
  const nearest = files.find(name => stemOf(name) === stem)
  const hint = nearest === undefined ? 'give the path of a .ts or .js file.' : `did you mean "${nearest}"?`
  throw new UsageError(`The strategy file ${file} does not exist; ${hint}`)
}

/** Name of a file of code without its ending, which every other one has as well. */
function stemOf(path: string): string {
  return basename(path).replace(CODE_ENDING, '')
}

function filesBeside(path: string): readonly string[] {
  try {
    return readdirSync(dirname(path)).filter(name => CODE_ENDING.test(name))
  } catch {
    return [] // no such folder, so there is nothing to suggest
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return `it threw ${String(cause)}.`
  const place = placeOf(cause)
  const message = `${cause.name === 'Error' ? '' : `${cause.name}: `}${withoutStop(cause.message)}`
  return place === undefined ? `${message}.` : `${message} (at ${place}).`
}

/** `file:line` of the first place in the stack outside Node itself. */
function placeOf({ stack = '' }: Error): string | undefined {
  const [, location, line] =
    /^(?:.*\()?(?:\s*at )?(file:\/\/\S+?|\/\S+?|[A-Z]:\\\S+?):(\d+)/m.exec(stack) ?? []
  if (location === undefined) return undefined
  const path = location.startsWith('file:') ? fileURLToPath(location) : location
  const fromHere = relative('', path)
  return `${fromHere.startsWith('..') ? path : fromHere}:${line}`
}

function withoutStop(message: string): string {
  return message.trim().replace(/\.$/, '')
}
