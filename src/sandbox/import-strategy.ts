import { guardGlobals } from './guard-globals.ts'
import { guardImports } from './guard-imports.ts'
import { StrategyScope } from './strategy-scope.ts'

/** Exports of a strategy's module, with the scope of its import. */
export interface ImportedStrategy {
  readonly module: Readonly<Record<string, unknown>>
  readonly scope: StrategyScope
}

/** Scopes by URL: Node runs the code of a module only once. */
const scopes = new Map<string, StrategyScope>()

/** Imports the module of a strategy, and its imports, within a scope; rejects with the module's error. */
export async function importStrategy(url: string): Promise<ImportedStrategy> {
  guardGlobals()
  guardImports(url)
  const scope = scopes.get(url) ?? new StrategyScope()
  scopes.set(url, scope)
  // A module is a record of its exports.
  const module = (await scope.import(() => import(url))) as ImportedStrategy['module']
  return { module, scope }
}
