import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterTest } from '../after-test.ts'
import { environmentIn } from '../project-copy.ts'

/** Folder of the project. */
export const ROOT = resolve(import.meta.dirname, '../..')

/** A process of the project, and what it has written so far. */
export class SluiceProcess {
  out = ''
  err = ''
  readonly #child: ChildProcess
  readonly #ended: Promise<number | null>
  readonly #waiting = new Set<() => void>()

  /** Runs a file of the project, or of a copy in `folder`, with arguments and in its folder; `environment` comes on top of ours. Ends with the test at the latest. */
  constructor(args: readonly string[], environment: Readonly<Record<string, string>> = {}, folder = ROOT) {
    const [file = '', ...rest] = args
    this.#child = spawn(process.execPath, [resolve(folder, file), ...rest], {
      cwd: folder,
      env: { ...environmentIn(folder), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child.stdout?.on('data', chunk => this.#add('out', chunk))
    this.#child.stderr?.on('data', chunk => this.#add('err', chunk))
    this.#ended = new Promise(resolve => this.#child.once('close', resolve))
    afterTest(async () => {
      this.#child.kill('SIGKILL')
      await this.#ended
    })
  }

  /** Resolves to the exit code; `null` after a signal that nobody caught. */
  get exitCode(): Promise<number | null> {
    return this.#ended
  }

  /** Every complete line of the output. */
  get lines(): readonly string[] {
    return linesOf(this.out)
  }

  signal(name: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGKILL'): void {
    this.#child.kill(name)
  }

  /** Resolves to the first line with this text, or to a later one of that number; rejects where the process ends without it. */
  async line(text: string, stream: 'out' | 'err' = 'out', number = 1): Promise<string> {
    const find = () => linesOf(this[stream]).filter(line => line.includes(text))[number - 1]
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      const more = new Promise<'more'>(resolve => this.#waiting.add(() => resolve('more')))
      if ((await Promise.race([more, this.#ended])) === 'more') continue
      if (find() === undefined) {
        const times = number === 1 ? '' : ` ${number} times`
        throw new Error(`The process ended without "${text}"${times}.\n${this.out}\n${this.err}`)
      }
    }
  }

  #add(stream: 'out' | 'err', chunk: unknown): void {
    this[stream] += String(chunk)
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').slice(0, -1)
}

/** A file with this content in a folder of its own, gone after the test; returns its path. */
export function fileWith(name: string, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-e2e-'))
  afterTest(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** A strategy file of its own, gone after the test; `handler` is the text of its `onKline`. */
export function strategyFile(name: string, handler: string): string {
  const contract = join(ROOT, 'src/strategy/index.ts')
  return fileWith(
    `${name}.ts`,
    `import { defineStrategy, enterLong, enterShort, exit } from ${JSON.stringify(contract)}
export default defineStrategy({ name: ${JSON.stringify(name)}, onKline: ${handler} })
void [enterLong, enterShort, exit]
`,
  )
}
