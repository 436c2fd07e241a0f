import { registerHooks } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const MARK = 'fresh'
const MARKED = new RegExp(`\\?${MARK}=\\d+`, 'g')

/**
 * Lets a process import a file again after it has changed, and with it all that it imports by path: Node keeps every module
 * under its URL for good, so each time these get another one. Code of Sluice itself, and packages, stay as they are.
 */
export class FreshModules {
  readonly #hooks: { deregister(): void }
  #count = 0

  /** `projectFolder` contains `src/` and `backtest/`. Ends with `stop`. */
  constructor(projectFolder: string) {
    this.#hooks = registerHooks({
      resolve(specifier, context, nextResolve) {
        const resolved = nextResolve(specifier, context)
        const mark = context.parentURL?.match(MARKED)?.at(-1)
        if (mark === undefined || !isOfStrategy(resolved.url, projectFolder)) return resolved
        return { ...resolved, url: `${resolved.url}${mark}` }
      },
    })
  }

  /** The URL under which a file was never imported before. */
  urlOf(path: string): string {
    return `${pathToFileURL(path).href}?${MARK}=${++this.#count}`
  }

  /** Imports behave normally again. */
  stop(): void {
    this.#hooks.deregister()
  }
}

/** A text without the suffixes of fresh modules' URLs. */
export function withoutFreshness(text: string): string {
  return text.replaceAll(MARKED, '')
}

function isOfStrategy(url: string, projectFolder: string): boolean {
  if (!url.startsWith('file:') || url.includes('/node_modules/') || url.includes('?')) return false
  return !/^(src|backtest)[\\/]/.test(relative(projectFolder, fileURLToPath(url)))
}
