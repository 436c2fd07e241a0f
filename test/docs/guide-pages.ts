import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')

/** A fenced block of a page. */
export interface Block {
  readonly page: string
  /** Number of the block on its page, from 1 on. */
  readonly number: number
  /** What stands behind the fence: `ts`, `yaml backtest`, `sh`. */
  readonly kind: string
  readonly text: string
  /** The file that its first line names. */
  readonly file: string | undefined
}

/** Names of the guide's pages. */
export const PAGES: readonly string[] = globSync('docs/*.md', { cwd: ROOT })
  .map(path => basename(path))
  .sort()

/** The text of a page. */
export function pageText(page: string): string {
  return readFileSync(join(ROOT, 'docs', page), 'utf8')
}

/** The fenced blocks of a page, in order. */
export function blocksOf(page: string): readonly Block[] {
  const fences = pageText(page).matchAll(/^```([a-z]+(?: [a-z]+)?)\n([\s\S]*?)^```$/gm)
  return [...fences].map(([, kind = '', text = ''], index) => ({
    page,
    number: index + 1,
    kind,
    text,
    file: /^(?:\/\/|#) (\S+\.(?:ts|yaml))\n/.exec(text)?.[1],
  }))
}

/** The commands of a shell block, without comments. */
export function commandsIn({ text }: Block): readonly string[] {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
}

/** Every command in the shell blocks of a page, in order. */
export function commandsOf(page: string): readonly string[] {
  return blocksOf(page)
    .filter(({ kind }) => kind === 'sh')
    .flatMap(commandsIn)
}
