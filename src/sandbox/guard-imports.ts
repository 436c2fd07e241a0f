import { isBuiltin, registerHooks } from 'node:module'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isTrustedFile } from './calling-files.ts'
import { ForbiddenError } from './forbidden-error.ts'
import { StrategyScope } from './strategy-scope.ts'

const PROJECT_FOLDER = resolve(import.meta.dirname, '../..')

/** Rooms that strategies may import: the interface for authors, and the types it uses. */
const OPEN_ROOMS = /^src[\\/](strategy|indicators|streams|domain|ledger|risk|engine)[\\/]/

/** Modules of strategies: their files, and all modules that these import outside Sluice and packages. */
const modules = new Set<string>()

let isGuarded = false

/**
 * From now on, the module at this URL and its imports are refused modules of Node and the internals of
 * Sluice.
 */
export function guardImports(url: string): void {
  modules.add(withoutQuery(url))
  if (isGuarded) return
  isGuarded = true
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const isOfStrategy = isStrategyModule(context.parentURL)
      if (isOfStrategy && isBuiltin(specifier)) refuse(`node:${specifier.replace(/^node:/, '')}`)
      const resolved = nextResolve(specifier, context)
      if (isOfStrategy) {
        requireOpen(resolved.url, specifier)
        if (!isTrustedUrl(resolved.url)) modules.add(withoutQuery(resolved.url))
      }
      return resolved
    },
  })
}

function isStrategyModule(url: string | undefined): boolean {
  if (url !== undefined && modules.has(withoutQuery(url))) return true
  return StrategyScope.current !== undefined && (url === undefined || !isTrustedUrl(url))
}

function refuse(name: string): never {
  const used = `the module ${name}`
  throw StrategyScope.current?.forbid(used, 'module') ?? new ForbiddenError(used, 'module')
}

function requireOpen(url: string, specifier: string): void {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return
  const path = relative(PROJECT_FOLDER, fileURLToPath(withoutQuery(url)))
  if (!/^(src|backtest)[\\/]/.test(path) || OPEN_ROOMS.test(path)) return
  refuse(specifier)
}

function isTrustedUrl(url: string): boolean {
  return url.startsWith('node:') || (url.startsWith('file:') && isTrustedFile(url))
}

function withoutQuery(url: string): string {
  return url.replace(/\?.*$/, '')
}
