import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Folder of Sluice. */
export const PROJECT_FOLDER = resolve(import.meta.dirname, '../..')

export function projectVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(resolve(PROJECT_FOLDER, 'package.json'), 'utf8'),
  )
  return version
}
