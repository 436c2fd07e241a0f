import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { isShipped } from '../shipped-files.ts'
import { type Block, blocksOf, PAGES } from './guide-pages.ts'

/** A file that a TypeScript block is. */
export interface SnippetFile {
  readonly path: string
  readonly text: string
}

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
const INDEX = readFileSync(join(ROOT, 'src/strategy/index.ts'), 'utf8')
/** What strategies can import by value. */
const EXPORTS = [...INDEX.matchAll(/^export \{([\s\S]*?)\}/gm)]
  .flatMap(([, names = '']) => names.split(','))
  .map(name => name.trim())
  .filter(name => /^[a-z]\w*$/.test(name))

/** The path and the text of the file that a TypeScript block is: its own, or a strategy around the body of a handler, which enters where that does not; `before` goes in front of that body. */
export function snippetFile(block: Block, before = ''): SnippetFile {
  if (block.file !== undefined) return { path: block.file, text: block.text }
  const name = `${block.page.replace('.md', '')}-${block.number}`
  const used = EXPORTS.filter(word => new RegExp(`\\b${word}\\(`).test(before + block.text))
  const needed = [...new Set([...used, 'defineStrategy', 'sma', 'atr', 'crossesAbove', 'enterLong'])]
  return {
    path: `strategies/${name}.ts`,
    text: `import { ${needed.join(', ')} } from '../src/strategy/index.ts'
export default defineStrategy({
  name: '${name}',
  indicators: () => ({ fast: sma(5), slow: sma(20), range: atr(5) }),
  onKline(kline, { indicators: { fast, slow, range }, position, lots, orders, equity, time }) {
${before}${block.text}    if (position.direction === 'flat' && crossesAbove(fast, slow)) return enterLong()
  },
})
`,
  }
}

/** A folder with these files beside the project's sources and the strategies that come with it. It is inside the project, so that packages are found. */
export function folderWith(files: readonly SnippetFile[]): {
  readonly folder: string
  readonly remove: () => void
} {
  const folder = mkdtempSync(join(ROOT, '.guide-'))
  for (const part of ['src', 'backtest']) symlinkSync(join(ROOT, part), join(folder, part))
  const filter = (path: string) => isShipped(relative(ROOT, path))
  cpSync(join(ROOT, 'strategies'), join(folder, 'strategies'), { recursive: true, filter })
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}

/** Output of a command of an installed package in a folder, whether or not it fails. */
export async function outputIn(folder: string, command: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, NO_COLOR: '1' }
  try {
    const { stdout, stderr } = await run(join(ROOT, 'node_modules/.bin', command), [...args], {
      cwd: folder,
      env,
    })
    return stdout + stderr
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string } // of execFile
    return stdout + stderr
  }
}

/** The files that the TypeScript blocks of the guide are. */
export const snippetsOfGuide = (): readonly SnippetFile[] =>
  PAGES.flatMap(blocksOf)
    .filter(({ kind }) => kind === 'ts')
    .map(block => snippetFile(block))
