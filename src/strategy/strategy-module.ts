import { UsageError } from '../domain/sluice-error.ts'
import { isStrategy, type Strategy } from './define-strategy.ts'

/**
 * The strategy that an imported module exports; throws a `UsageError` that describes a wrong file. The import
 * itself is async and belongs to the boundary (`src/bot/start/load-strategy.ts`).
 */
export function strategyIn(module: Readonly<Record<string, unknown>>, file: string): Strategy {
  const exported = module.default
  if (isStrategy(exported)) return exported
  throw new UsageError(
    `${file} is not a strategy: ${problemOf(module)} Write: export default defineStrategy({ … }).`,
  )
}

function problemOf(module: Readonly<Record<string, unknown>>): string {
  const named = Object.keys(module).find(name => name !== 'default' && isStrategy(module[name]))
  if (named !== undefined) return `its strategy is exported as "${named}", but must be the default export.`
  if (!('default' in module)) return 'it has no default export.'
  const exported = module.default
  if (typeof exported === 'object' && exported !== null && ('onKline' in exported || 'name' in exported)) {
    return 'its default export is a plain object that was not passed through defineStrategy.'
  }
  return `its default export is ${exported === null ? 'null' : `a ${typeof exported}`}, not what defineStrategy returns.`
}
