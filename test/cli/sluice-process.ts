import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { withoutProgress } from './without-progress.ts'

/** Folder of the project. */
export const ROOT = resolve(import.meta.dirname, '../..')

/** What a process wrote, and how it ended. */
export interface Ended {
  readonly exitCode: number | null
  readonly out: string
  readonly err: string
}

/** Starts the command line in a process of its own, in the folder of the project. */
export function startSluice(...args: readonly string[]) {
  return spawn(process.execPath, [join(ROOT, 'src/main.js'), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs the command line to its end. */
export async function sluice(...args: readonly string[]): Promise<Ended> {
  const child = startSluice(...args)
  const [out, err, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { exitCode, out, err: withoutProgress(err) }
}

/** A file with this content in a folder of its own, gone after the test; returns its path. */
export function fileWith(name: string, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
